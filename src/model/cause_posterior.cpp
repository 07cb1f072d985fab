#include "model/cause_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "model/cause_chain.hpp"
#include "model/cause_states.hpp"
#include "model/cause_sums.hpp"
#include "model/numbers.hpp"
#include "model/row_findings.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
/// Multiply-adds a second, to say what a refused row would take.
constexpr double elimination_rate = 5e8;

constexpr std::size_t n_chains = 4;
constexpr std::size_t batches_of_chain = 8;
constexpr std::size_t n_batches = n_chains * batches_of_chain;
/// Student's t with 31 degrees of freedom leaves 0.0001 outside +-4.46.
constexpr double half_width = 4.46;
/// States that no draw came by weigh less than this, divided by the draws, with probability 0.9999:
/// (1 - w)^n = 0.0001.
constexpr double unseen = 9.22;

using Kind = CausePosterior::Contradiction::Kind;

}  // namespace

struct CausePosterior::State {
  CausePosteriorOptions options;
  RowFindings row;
  CauseSums sums;
  PosteriorMethod method = PosteriorMethod::exact;
  double log_evidence = 0, log_evidence_error = 0;
  double effective_draws = 0;
  std::optional<Contradiction> contradiction;
  std::vector<double> posterior, error, absence;
  std::vector<CauseChain> chains;
  std::vector<double> batch_means;           // n_batches rows of the free causes
  std::array<double, n_batches> passages{};  // means of P(a sweep leads to the target)
  MetStates met;
  std::vector<Explanation> explanations;

  State(const PreparedAnchored& network, const CausePosteriorOptions& with)
      : options(with), row(network) {}

  void refuse(const Contradiction& why);
  void take_known();
  bool sum_exactly(std::uint64_t number);
  void sample(std::uint64_t number);
  void explain_exactly(std::uint64_t number);
  bool start_chains(RowRandom& random);
  void take_evidence(double target_log_joint);
  void run_chains(RowRandom& random);
  void take_batches();
  [[noreturn]] void refuse_work(std::uint64_t number) const;
};

CausePosterior::CausePosterior(const PreparedAnchored& network,
                               const CausePosteriorOptions& options)
    : state_(std::make_unique<State>(network, options)) {}
CausePosterior::CausePosterior(CausePosterior&&) noexcept = default;
CausePosterior& CausePosterior::operator=(CausePosterior&&) noexcept = default;
CausePosterior::~CausePosterior() = default;

void CausePosterior::evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                              std::span<const std::uint64_t> missing,
                              std::span<const CauseState> known) {
  State& s = *state_;
  s.contradiction.reset();
  s.effective_draws = s.log_evidence_error = 0;
  s.explanations.clear();
  const std::size_t n = s.row.network().n_causes();
  s.posterior.assign(n, 0);
  s.error.assign(n, 0);
  s.absence.assign(n, 1);
  s.row.read(values, missing, known);
  if (s.row.contradiction()) {
    s.refuse(*s.row.contradiction());
    return;
  }
  s.take_known();
  if (!s.sum_exactly(row)) s.sample(row);
}

void CausePosterior::State::refuse(const Contradiction& why) {
  contradiction = why;
  method = PosteriorMethod::impossible;
  log_evidence = -infinity;
  log_evidence_error = 0;
  std::ranges::fill(posterior, not_known);
  std::ranges::fill(absence, not_known);
  std::ranges::fill(error, not_known);
}

void CausePosterior::State::take_known() {
  for (std::size_t i = 0; i < posterior.size(); ++i) {
    if (row.state(i) != CauseState::on) continue;
    posterior[i] = 1;
    absence[i] = 0;
  }
}

/// False if the row is to be sampled.
bool CausePosterior::State::sum_exactly(std::uint64_t number) {
  using Method = CausePosteriorOptions::Method;
  // Nothing to draw: that is exact whatever is asked for.
  if (options.method == Method::sample && !row.free().empty()) return false;
  const bool must = options.method == Method::exact;
  sums.plan(row);
  if (sums.work() > (must ? most_exact_work : options.max_work) ||
      sums.cells() > (must ? most_exact_cells : automatic_cells)) {
    if (must) refuse_work(number);
    return false;
  }
  sums.run();
  method = PosteriorMethod::exact;
  log_evidence = sums.log_evidence();
  if (log_evidence == -infinity) {
    refuse({Kind::causes_together, 0, 0});
    return true;
  }
  const auto shares = sums.marginals();
  for (std::size_t k = 0; k < shares.size(); ++k) {
    absence[row.free()[k]] = shares[k][0];
    posterior[row.free()[k]] = shares[k][1];
  }
  if (options.top > 0) explain_exactly(number);
  return true;
}

void CausePosterior::State::explain_exactly(std::uint64_t number) {
  constexpr std::size_t n_tries = 256;
  auto found = best_states(row, options.top, log_evidence, 4 * options.max_work);
  if (found) {
    explanations = std::move(*found);
    return;
  }
  RowRandom random(options.seed, Stream::inference, number);
  std::vector<std::uint8_t> values(row.free().size());
  CauseChain chain;
  chain.read(row);
  chain.start(values);
  met.clear();
  for (std::size_t i = 0; i < std::max<std::size_t>(n_tries, 4 * options.top); ++i) {
    sums.draw([&] { return random.uniform(); }, values);
    chain.move_to(values);
    met.meet(chain);
  }
  explanations = met.explain(row, options.top, log_evidence, true);
}

void CausePosterior::State::refuse_work(std::uint64_t number) const {
  // Not a UsageError: any rank may meet it, in the middle of the work.
  const double work = sums.work();
  throw InputError(fmt::format(
      "--method exact: row {} has {} positive findings that tie {} causes together, which would "
      "take {}; use --method auto, which samples such rows and states the error",
      number, row.findings().size(), row.free().size(),
      std::isinf(work)
          ? "tables of more than 2^27 entries"
          : fmt::format("{:.2g} operations ({}) and {} of memory", work,
                        format_duration(work / elimination_rate), format_bytes(8 * sums.cells()))));
}

// ------------------------------------------------------------------------------------- sampling

void CausePosterior::State::sample(std::uint64_t number) {
  method = PosteriorMethod::sampled;
  RowRandom random(options.seed, Stream::inference, number);
  if (!start_chains(random)) {
    refuse({Kind::none_found, 0, 0});
    return;
  }
  run_chains(random);
  take_batches();
  if (options.top > 0) explanations = met.explain(row, options.top, log_evidence, false);
}

/// From all causes off, all on, and two states by the toss of a coin; a chain that ends where
/// nothing can be goes on from another's state. False if all do.
bool CausePosterior::State::start_chains(RowRandom& random) {
  const std::size_t n = row.free().size();
  const std::size_t n_settle = std::max<std::size_t>(100, options.n_draws / 20);
  chains.resize(n_chains);
  std::vector<std::uint8_t> values(n);
  std::vector<std::size_t> failed;
  for (std::size_t c = 0; c < n_chains; ++c) {
    for (std::uint8_t& value : values) {
      value = c < 2 ? static_cast<std::uint8_t>(c)
                    : static_cast<std::uint8_t>(random.bernoulli(.5) ? 1 : 0);
    }
    chains[c].read(row);
    chains[c].start(values);
    if (!chains[c].settle(n_settle, random)) failed.push_back(c);
  }
  if (failed.size() == n_chains) return false;
  std::size_t from = 0;
  while (std::ranges::find(failed, from) != failed.end()) ++from;
  for (const std::size_t c : failed) {
    const std::vector<std::uint8_t> state(chains[from].values().begin(),
                                          chains[from].values().end());
    chains[c].start(state);
  }
  return true;
}

void CausePosterior::State::run_chains(RowRandom& random) {
  constexpr std::size_t sweeps_a_passage = 8;
  const std::size_t n = row.free().size();
  met.clear();
  for (CauseChain& chain : chains) met.meet(chain);
  const std::vector<std::uint8_t> target = met.best();
  const double target_log_joint = met.best_log_joint();
  std::vector<std::uint8_t> here;
  const std::size_t n_sweeps = std::max<std::size_t>(1, options.n_draws / n_batches);
  batch_means.assign(n_batches * n, 0);
  for (std::size_t batch = 0; batch < n_batches; ++batch) {
    CauseChain& chain = chains[batch / batches_of_chain];
    double* means = batch_means.data() + batch * n;
    chain.refresh();
    double passages_made = 0, n_passages = 0;
    for (std::size_t s = 0; s < n_sweeps; ++s) {
      chain.sweep(random);
      for (std::size_t k = 0; k < n; ++k) means[k] += chain.on()[k];
      if (options.top > 0) met.meet(chain);
      if (s % sweeps_a_passage != 0) continue;
      here.assign(chain.values().begin(), chain.values().end());
      passages_made += std::exp(chain.log_transition(target));
      ++n_passages;
      chain.move_to(here);
    }
    for (std::size_t k = 0; k < n; ++k) means[k] /= static_cast<double>(n_sweeps);
    passages[batch] = passages_made / n_passages;
  }
  take_evidence(target_log_joint);
}

/// P(row) = P(target, row) / P(target | row).
void CausePosterior::State::take_evidence(double target_log_joint) {
  double mean = 0, squares = 0;
  for (const double passage : passages) mean += passage / n_batches;
  for (const double passage : passages) squares += std::pow(passage - mean, 2);
  log_evidence = mean > 0 ? target_log_joint - std::log(mean) : not_known;
  log_evidence_error =
      mean > 0 ? half_width * std::sqrt(squares / (n_batches * (n_batches - 1))) / mean +
                     unseen / options.n_draws
               : not_known;
}

/// Means of the batches, and the larger of two standard errors: that of the batches, and that of
/// the chains, which sees that one of them stays where the others do not go. To the interval comes
/// what states that were never seen may weigh.
void CausePosterior::State::take_batches() {
  const std::size_t n = row.free().size();
  effective_draws = options.n_draws;
  for (std::size_t k = 0; k < n; ++k) {
    std::array<double, n_chains> of_chain{};
    double sum = 0;
    for (std::size_t b = 0; b < n_batches; ++b) {
      sum += batch_means[b * n + k];
      of_chain[b / batches_of_chain] += batch_means[b * n + k] / batches_of_chain;
    }
    const double mean = sum / n_batches;
    double batch_squares = 0, chain_squares = 0;
    for (std::size_t b = 0; b < n_batches; ++b) {
      batch_squares += std::pow(batch_means[b * n + k] - mean, 2);
    }
    for (const double one : of_chain) chain_squares += std::pow(one - mean, 2);
    const double variance = std::max(batch_squares / (n_batches * (n_batches - 1)),
                                     chain_squares / (n_chains * (n_chains - 1)));
    const std::uint32_t cause = row.free()[k];
    posterior[cause] = mean;
    absence[cause] = 1 - mean;
    error[cause] = std::min(1.0, half_width * std::sqrt(variance) + unseen / options.n_draws);
    if (variance > 0) effective_draws = std::min(effective_draws, mean * (1 - mean) / variance);
  }
}

PosteriorMethod CausePosterior::method() const noexcept { return state_->method; }
double CausePosterior::log_evidence() const noexcept { return state_->log_evidence; }
double CausePosterior::log_evidence_error() const noexcept { return state_->log_evidence_error; }
std::span<const Explanation> CausePosterior::explanations() const noexcept {
  return state_->explanations;
}
std::span<const double> CausePosterior::posterior() const noexcept { return state_->posterior; }
std::span<const double> CausePosterior::posterior_error() const noexcept { return state_->error; }
std::span<const double> CausePosterior::absence() const noexcept { return state_->absence; }
double CausePosterior::effective_draws() const noexcept { return state_->effective_draws; }
const std::optional<CausePosterior::Contradiction>& CausePosterior::contradiction() const noexcept {
  return state_->contradiction;
}

std::string describe(const CausePosterior::Contradiction& why, const NoisyOrNetwork& network) {
  const auto finding = [&] { return network.observed()[why.observed].name; };
  switch (why.kind) {
    case Kind::nothing_causes:
      return fmt::format(
          "'{}' is present, but nothing can cause it: its leak is 0, and each of its causes is "
          "ruled out by a finding that is absent",
          finding());
    case Kind::always_leaks:
      return fmt::format("'{}' is absent, but its leak is 1", finding());
    case Kind::known_cause:
      return fmt::format("'{}' is absent, but '{}' is known and never fails to cause it", finding(),
                         network.causes()[why.cause].name);
    case Kind::causes_together:
      return "no state of the causes that their network allows can cause these findings together";
    case Kind::none_found:
      break;
  }
  return "none of the states that were sampled can cause these findings together";
}

namespace {

double log_odds(double present, double absent) {
  constexpr double most = 700;
  return std::clamp(std::log(present) - std::log(absent), -most, most);
}

/// `inference` is a RowInference or a CausePosterior; `may_weigh(a, positive)`: whether the finding
/// can concern the cause at all.
template <class Inference, class MayWeigh>
CauseEvidence weigh(const Cause& cause_itself, Inference& inference, std::uint64_t row,
                    std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                    std::size_t cause, std::size_t n_observed, const MayWeigh& may_weigh) {
  inference.evaluate(row, values, missing);
  const double present = inference.posterior()[cause], absent = inference.absence()[cause];
  CauseEvidence evidence{
      log_odds(cause_itself.prior, 1 - cause_itself.prior), log_odds(present, absent), {}};
  std::vector<std::uint64_t> fewer_values(values.begin(), values.end());
  std::vector<std::uint64_t> more_missing(missing.begin(), missing.end());
  more_missing.resize(values.size(), 0);
  for (std::uint32_t a = 0; a < n_observed; ++a) {
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    const bool positive = (values[a / 64] & bit) != 0;
    if ((more_missing[a / 64] & bit) != 0 || !may_weigh(a, positive)) continue;
    fewer_values[a / 64] &= ~bit;
    more_missing[a / 64] |= bit;
    inference.evaluate(row, fewer_values, more_missing);
    const double weight =
        evidence.log_odds - log_odds(inference.posterior()[cause], inference.absence()[cause]);
    if (std::abs(weight) > 1e-9) evidence.findings.push_back({a, positive, weight});
    if (positive) fewer_values[a / 64] |= bit;
    more_missing[a / 64] &= ~bit;
  }
  std::ranges::stable_sort(evidence.findings, [](const FindingWeight& a, const FindingWeight& b) {
    return a.weight > b.weight;
  });
  return evidence;
}

}  // namespace

CauseEvidence weigh_findings(const NoisyOrNetwork& network, RowInference& inference,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause) {
  return weigh(
      network.causes()[cause], inference, row, values, missing, cause, network.n_observed(),
      [&](std::uint32_t a, bool positive) { return positive || network.failure(cause, a) < 1; });
}

CauseEvidence weigh_findings(const NoisyOrNetwork& network, CausePosterior& posterior,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause) {
  // Causes depend on one another: what concerns one concerns all.
  return weigh(network.causes()[cause], posterior, row, values, missing, cause,
               network.n_observed(), [](std::uint32_t, bool) { return true; });
}

}  // namespace orrery::model
