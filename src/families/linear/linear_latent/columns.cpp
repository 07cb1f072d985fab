#include "families/linear/linear_latent/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_rounds = 60;
/// In a row, that change nothing: the search ends. Small networks can afford more of them.
int idle_rounds(Index n) { return static_cast<int>(std::clamp<Index>(600 / n, 3, 10)); }
constexpr Index least_random = 48;  // of either kind a round
constexpr Index n_suspects = 4;
constexpr double least_weight = .05;
constexpr double less_of_an_entry = .25;  // of a score: another vertex of a column is no news

/// Step 2. Equal scores: the one that was found first. A mixture of two columns can be sparser than
/// one of them at first sight; what it is mostly made of is there already: the sine of the angle
/// says so.
std::vector<Candidate> choose(const ColumnSearch& search,
                              const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!search.in_order) {
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return candidates[i].score; });
  }
  const Index k = search.basis.cols();
  std::vector<Candidate> chosen;
  MatrixXd span(search.basis.rows(), 0);  // orthonormal
  for (const std::size_t i : order) {
    VectorXd rest = search.basis * candidates[i].w;
    for (int pass = 0; pass < 2; ++pass) rest -= span * (span.transpose() * rest);
    const double sine = rest.norm();
    if (sine < search.independent) continue;
    chosen.push_back(candidates[i]);
    span.conservativeResize(Eigen::NoChange, span.cols() + 1);
    span.col(span.cols() - 1) = rest / sine;
    if (span.cols() == k) break;
  }
  return chosen;
}

/// Of solutions that are alike the sparsest one, by number.
std::vector<std::size_t> clusters(const ColumnSearch& search,
                                  const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return candidates[i].score; });
  MatrixXd kept(search.basis.rows(), static_cast<Index>(order.size()));
  std::vector<std::size_t> first;
  for (const std::size_t i : order) {
    const VectorXd s = search.basis * candidates[i].w;
    const auto n_kept = static_cast<Index>(first.size());
    if (n_kept > 0 && (kept.leftCols(n_kept).transpose() * s).cwiseAbs().maxCoeff() >= alike)
      continue;
    kept.col(n_kept) = s;
    first.push_back(i);
  }
  std::ranges::sort(first);
  return first;
}

MatrixXd side_by_side(const std::vector<Candidate>& chosen) {
  MatrixXd w(chosen[0].w.size(), static_cast<Index>(chosen.size()));
  for (std::size_t j = 0; j < chosen.size(); ++j) w.col(static_cast<Index>(j)) = chosen[j].w;
  return w;
}

double total_score(const std::vector<Candidate>& chosen) {
  return std::accumulate(chosen.begin(), chosen.end(), 0.0,
                         [](double sum, const Candidate& one) { return sum + one.score; });
}

/// Step 3: dual to each column; sums and differences of the starts of two variables; and dual to
/// the least sparse columns, which are the likeliest to be wrong, with random weights.
std::vector<Start> further_starts(const ColumnSearch& search, const std::vector<Candidate>& chosen,
                                  int round) {
  const Index n = search.basis.rows();
  const Index k = search.basis.cols();
  const VectorXd ones = VectorXd::Ones(n);
  std::vector<Start> starts;
  const MatrixXd w = side_by_side(chosen);
  const MatrixXd dual = linalg::pseudo_inverse_of_transpose(w);
  for (Index j = 0; j < dual.cols(); ++j) starts.push_back({dual.col(j), ones});
  RowRandom random(search.seed, Stream::restart,
                   (std::uint64_t{1} << 32U) + static_cast<std::uint64_t>(round));
  std::vector<Index> variables;
  for (std::size_t i = 0; i < search.explained.size(); ++i) {
    if (search.explained[i]) variables.push_back(static_cast<Index>(i));
  }
  const Index n_random = std::max(k, least_random);
  for (Index j = 0; j < n_random && variables.size() > 1; ++j) {
    const std::size_t first = random.below(variables.size());
    const std::size_t second = (first + 1 + random.below(variables.size() - 1)) % variables.size();
    const double sign = random.bernoulli(.5) ? 1 : -1;
    starts.push_back(
        {search.basis.row(variables[first]) + sign * search.basis.row(variables[second]), ones});
  }
  for (Index j = 0; j < n_random; ++j) {
    VectorXd weights(n);
    for (double& weight : weights) weight = least_weight - std::log(1 - random.uniform());
    starts.push_back({dual.col(dual.cols() - 1 - j % std::min(dual.cols(), n_suspects)), weights});
  }
  return starts;
}

/// Rounds are one stage to those who read of them.
void join_rounds(std::vector<Stage>& stages, std::size_t first, const std::string& name) {
  if (stages.size() <= first) return;
  Stage all = stages[first];
  all.name = name;
  for (std::size_t i = first + 1; i < stages.size(); ++i) {
    all.seconds += stages[i].seconds;
    all.units += stages[i].units;
    all.imbalance = std::max(all.imbalance, stages[i].imbalance);
  }
  stages.resize(first);
  stages.push_back(all);
}

/// Step 1: a program for each variable that the causes explain, and with `polish` the sparsest of
/// each cluster of their solutions made sparser.
std::vector<Candidate> solve_for_variables(const ColumnSearch& search, const Workers& workers,
                                           const std::vector<std::string>& names) {
  const VectorXd ones = VectorXd::Ones(search.basis.rows());
  std::vector<Start> starts;
  std::vector<std::size_t> variables;
  for (std::size_t i = 0; i < search.explained.size(); ++i) {
    if (!search.explained[i]) continue;
    starts.push_back({search.basis.row(static_cast<Index>(i)), ones});
    variables.push_back(i);
  }
  std::vector<Candidate> candidates =
      run_programs(search, workers, starts, {}, search.name, [&](std::size_t i) {
        return fmt::format("{} (variable '{}')", variables[i], names[variables[i]]);
      });
  if (!search.polish) return candidates;
  std::vector<Start> of_clusters;
  for (const std::size_t i : clusters(search, candidates)) of_clusters.push_back(starts[i]);
  const auto sparser =
      run_programs(search, workers, of_clusters, {true, {}}, search.name + "_sparser", {});
  candidates.insert(candidates.end(), sparser.begin(), sparser.end());
  return candidates;
}

/// Steps 2 and 3, round after round.
std::vector<Candidate> choose_in_rounds(const ColumnSearch& search, const Workers& workers,
                                        std::vector<Candidate> candidates) {
  std::vector<Candidate> chosen = choose(search, candidates);
  // Of one cause there is one vector.
  if (!search.polish || search.basis.cols() == 1 || chosen.empty()) return chosen;
  const std::size_t first_round = workers.stages.size();
  const int most_idle = idle_rounds(search.basis.rows());
  for (int round = 1, idle = 0; idle < most_idle && round <= most_rounds; ++round) {
    const auto found = run_programs(search, workers, further_starts(search, chosen, round),
                                    {true, search.basis * side_by_side(chosen)},
                                    fmt::format("{}_round_{}", search.name, round), {});
    candidates.insert(candidates.end(), found.begin(), found.end());
    const auto again = choose(search, candidates);
    const bool better =
        again.size() > chosen.size() || total_score(again) < total_score(chosen) - less_of_an_entry;
    idle = better ? 0 : idle + 1;
    chosen = again;
  }
  join_rounds(workers.stages, first_round, search.name + "_again");
  return chosen;
}

}  // namespace

MatrixXd find_columns(const ColumnSearch& search, const Workers& workers,
                      const std::vector<std::string>& names) {
  const Index k = search.basis.cols();
  const std::vector<Candidate> chosen =
      choose_in_rounds(search, workers, solve_for_variables(search, workers, names));
  if (static_cast<Index>(chosen.size()) < k) {
    throw InputError(fmt::format(
        "the linear programs have only {} independent solutions, {} causes were asked for: the "
        "columns of the loadings are too much alike; give fewer --causes",
        chosen.size(), k));
  }
  return side_by_side(chosen);
}

}  // namespace orrery::linear_latent
