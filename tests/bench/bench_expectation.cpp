// An iteration of exact EM (E-step and M-step) on 10,000 rows, one thread: the learner's against a
// plain Eigen program, all 2^n states as a matrix and everything a dense expression of it. Both
// must agree on the log-likelihood and on the next parameters. Built twice: with the program's own
// flags and, for the plain program's sake, with -march=native (bench_expectation_native).
#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "bench/timing.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "model/state_beam.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace {

using namespace orrery;
using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t n_rows = 10'000;

/// What one iteration gives: the sums that the M-step needs.
struct Plain {
  double log_likelihood = 0;
  ArrayXd present, leaked;  // a cause; a variable: sum of P(leak | row)
  ArrayXXd failed;          // n x m: expected failures of an edge where its cause is present
};

struct Dense {
  ArrayXd prior, leak;
  ArrayXXd failure;  // n x m, 1 where there is no edge
};

Dense dense(const model::NoisyOrNetwork& network) {
  const auto n = static_cast<Index>(network.n_causes());
  const auto m = static_cast<Index>(network.n_observed());
  Dense d{ArrayXd(n), ArrayXd(m), ArrayXXd::Ones(n, m)};
  for (Index u = 0; u < n; ++u) d.prior(u) = network.causes()[static_cast<std::size_t>(u)].prior;
  for (Index a = 0; a < m; ++a) d.leak(a) = network.observed()[static_cast<std::size_t>(a)].leak;
  for (const auto& edge : network.edges()) d.failure(edge.cause, edge.observed) = edge.failure;
  return d;
}

MatrixXd all_states(Index n) {
  MatrixXd states(Index{1} << n, n);
  for (Index s = 0; s < states.rows(); ++s) {
    for (Index u = 0; u < n; ++u) states(s, u) = static_cast<double>(s >> u & 1);
  }
  return states;
}

/// `rows`: N x m, of 0 and 1.
Plain plain(const MatrixXd& rows, const MatrixXd& states, const Dense& network) {
  const MatrixXd log_failure = network.failure.log().matrix();
  ArrayXXd log_off = (states * log_failure).array();  // S x m
  log_off.rowwise() += (-network.leak).log1p().transpose();
  const ArrayXXd on = 1 - log_off.exp();
  const ArrayXd log_prior =
      (states * (network.prior.log() - (-network.prior).log1p()).matrix()).array() +
      (-network.prior).log1p().sum();
  const MatrixXd by_state = (on.log() - log_off).matrix().transpose();
  const ArrayXd quiet = log_prior + log_off.rowwise().sum();
  Plain sums;
  ArrayXd in_state = ArrayXd::Zero(states.rows());
  MatrixXd mass = MatrixXd::Zero(states.rows(), rows.cols());
  // In blocks of rows that stay in the cache: a quarter less time than all at once.
  constexpr Index block_rows = 200;
  for (Index first = 0; first < rows.rows(); first += block_rows) {
    const auto block = rows.middleRows(first, std::min(block_rows, rows.rows() - first));
    // log P(row, state); then responsibilities in place.
    ArrayXXd weight = (block * by_state).array();
    weight.rowwise() += quiet.transpose();
    const ArrayXd heaviest = weight.rowwise().maxCoeff();
    weight = (weight - heaviest.replicate(1, weight.cols())).exp();
    const ArrayXd total = weight.rowwise().sum();
    weight.colwise() /= total;
    sums.log_likelihood += (heaviest + total.log()).sum();
    in_state += weight.colwise().sum().transpose();
    mass.noalias() += weight.matrix().transpose() * block;
  }
  const ArrayXXd on_in_state = mass.array() / on;                               // S x m
  const ArrayXXd shared = (states.transpose() * on_in_state.matrix()).array();  // n x m
  sums.present = (states.transpose() * in_state.matrix()).array();
  sums.leaked = network.leak * on_in_state.colwise().sum().transpose();
  sums.failed = -(1 - network.failure) * shared;
  sums.failed.colwise() += sums.present;
  return sums;
}

Dense maximized(const Plain& sums, const Dense& before, const quartet::FailurePrior& prior) {
  const auto n = static_cast<double>(n_rows);
  Dense next = before;
  next.prior = (sums.present + .5) / (n + 1);
  next.leak = (sums.leaked + .5) / (n + .5);
  const ArrayXXd failure =
      (sums.failed + prior.failures).colwise() / (sums.present + prior.failures + prior.successes);
  next.failure = (before.failure < 1).select(failure, 1.0);
  return next;
}

double difference(const Dense& a, const Dense& b) {
  return std::max({(a.prior - b.prior).abs().maxCoeff(), (a.leak - b.leak).abs().maxCoeff(),
                   (a.failure - b.failure).abs().maxCoeff()});
}

bool measure(const parallel::Team& team, const std::string& name) {
  const auto network = *model::generate_network(name, 1);
  data::BitPanels values(network.n_observed(), n_rows);
  values.insert(0, model::sample_rows(network, 1, 0, n_rows));
  MatrixXd rows(n_rows, network.n_observed());
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    for (std::size_t r = 0; r < n_rows; ++r) {
      rows(static_cast<Index>(r), static_cast<Index>(a)) =
          static_cast<double>(values.word(a, r / 64) >> (r % 64) & 1U);
    }
  }
  const learning::RowPass pass(team, 1, values, nullptr);
  const quartet::FailurePrior prior;
  const Dense start = dense(network);
  const MatrixXd states = all_states(start.prior.size());
  quartet::Expectation expectation;
  model::NoisyOrNetwork next;
  Plain sums;
  Dense plain_next;
  std::vector<bench::Contestant> contestants{{"plain: Eigen, all states, blocks of rows",
                                              [&] {
                                                sums = plain(rows, states, start);
                                                plain_next = maximized(sums, start, prior);
                                              }},
                                             {"expect and maximize, one thread", [&] {
                                                expectation = quartet::expect(pass, network);
                                                next =
                                                    quartet::maximize(network, expectation, prior);
                                              }}};
  bench::compete(contestants, 11, bench::processor_time_once);
  fmt::print("an iteration of EM, {} x {} rows, {} causes\n", name, n_rows, start.prior.size());
  bench::print_times(contestants);
  fmt::print("  plain / learner {:.1f}   {:.3g} rows/s\n",
             contestants[0].median() / contestants[1].median(),
             static_cast<double>(n_rows) / contestants[1].median());
  const double of_parameters = difference(dense(next), plain_next);
  const double of_likelihood = std::abs(sums.log_likelihood - expectation.log_likelihood);
  if (of_parameters < 1e-5 && of_likelihood < 1e-6 * n_rows) return true;
  fmt::print("  DIFFERENT: parameters by {:.3g}, log-likelihood by {:.3g}\n", of_parameters,
             of_likelihood);
  return false;
}

/// E-steps of the network that an iteration of EM leads to from `name`.
bool measure_found(const parallel::Team& team, const std::string& name) {
  const auto network = *model::generate_network(name, 1);
  data::BitPanels values(network.n_observed(), n_rows);
  values.insert(0, model::sample_rows(network, 1, 0, n_rows));
  const learning::RowPass pass(team, 1, values, nullptr);
  const double tolerance = quartet::constants::refinement::trial_tolerance;
  const quartet::Expectation before = quartet::expect(pass, network, tolerance);
  const model::NoisyOrNetwork next = quartet::maximize(network, before, quartet::FailurePrior{});
  quartet::Expectation searched;
  quartet::Expectation found;
  std::vector<bench::Contestant> contestants{
      {"a search of each row, one thread",
       [&] { searched = quartet::expect(pass, next, tolerance); }},
      {"the states that a search found, one thread",
       [&] { found = quartet::expect_again(pass, next, tolerance, *before.found); }}};
  bench::compete(contestants, 5, bench::processor_time_once);
  fmt::print("an E-step, {} x {} rows, {} causes\n", name, n_rows, network.n_causes());
  bench::print_times(contestants);
  const double difference = std::abs(searched.log_likelihood - found.log_likelihood) / n_rows;
  fmt::print("  search / found {:.1f}   log-likelihood differs by {:.2g} nats per row\n",
             contestants[0].median() / contestants[1].median(), difference);
  return difference < 1e-3;
}

/// The same of a network whose causes may depend on one another, as growth has them; `next` differs
/// from it by as much as some passes of EM do.
bool measure_beam(const std::string& name) {
  const auto network = *model::generate_network(name, 1);
  std::vector<model::Edge> edges = network.edges();
  for (model::Edge& edge : edges) edge.failure = 1 - .95 * (1 - edge.failure);
  const model::BeamNetwork before(network);
  const model::BeamNetwork next({network.causes(), network.observed(), std::move(edges)});
  data::BitPanels values(network.n_observed(), n_rows);
  values.insert(0, model::sample_rows(network, 1, 0, n_rows));
  const std::size_t n_words = (network.n_observed() + 63) / 64;
  std::vector<std::uint64_t> words(n_rows * n_words);
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::uint64_t bit = (values.word(a, r / 64) >> (r % 64)) & 1U;
      words[r * n_words + a / 64] |= bit << (a % 64);
    }
  }
  const auto row = [&](std::size_t r) { return std::span(words).subspan(r * n_words, n_words); };
  model::Beam search(before, {});
  model::BeamStates found(network.n_causes(), n_rows * 1024);
  for (std::size_t r = 0; r < n_rows; ++r) search.evaluate(row(r), {}, found);
  model::Beam beam(next, {});
  double searched = 0;
  double followed = 0;
  std::vector<bench::Contestant> contestants{{"a search of each row",
                                              [&] {
                                                searched = 0;
                                                for (std::size_t r = 0; r < n_rows; ++r) {
                                                  beam.evaluate(row(r), {});
                                                  searched += beam.log_likelihood();
                                                }
                                              }},
                                             {"the states that a search found", [&] {
                                                followed = 0;
                                                for (std::size_t r = 0; r < n_rows; ++r) {
                                                  beam.follow(row(r), {}, found, r);
                                                  followed += beam.log_likelihood();
                                                }
                                              }}};
  bench::compete(contestants, 5, bench::processor_time_once);
  fmt::print("growth's states, {} x {} rows, {} causes\n", name, n_rows, network.n_causes());
  bench::print_times(contestants);
  const double difference = (searched - followed) / n_rows;
  fmt::print("  search / found {:.1f}   what is not found: {:.2g} nats per row\n",
             contestants[0].median() / contestants[1].median(), difference);
  return difference < .1;
}

}  // namespace

int main(int argc, char** argv) {
  log::configure(log::Level::quiet, true);
  const parallel::Team team(&argc, &argv);
  bool same = true;
  const std::vector<std::string> names =
      argc > 1 ? std::vector<std::string>(argv + 1, argv + argc)
               : std::vector<std::string>{"img", "con:8", "con:24", "unif"};
  for (const std::string& name : names) same = measure(team, name) && same;
  for (const char* name : {"con:8-24,causes=14,prior=.1", "con:8-24,causes=14,prior=.3"}) {
    same = measure_found(team, name) && same;
  }
  same = measure_beam("con:8-24,causes=20,failure=.7-.9,observed=100") && same;
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
