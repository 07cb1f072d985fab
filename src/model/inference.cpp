#include "orrery/model/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "model/bounded_sampling.hpp"
#include "model/group_states.hpp"
#include "model/numbers.hpp"
#include "model/quickscore.hpp"
#include "model/row_groups.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

/// Multiply-adds a second, to say what a refused row would take.
constexpr double quickscore_rate = 1e9;

}  // namespace

struct RowInference::State {
  const InferenceNetwork* network;
  InferenceOptions options;
  RowGroups groups;
  Quickscore quickscore;
  CauseEnumeration enumeration;
  BoundedSampling sampling;
  ExplanationSearch search;
  GroupPosterior of_group;

  double log_evidence = 0;
  double log_evidence_error = 0;
  double effective_samples = 0;
  InferenceMethod method = InferenceMethod::exact;
  std::optional<Contradiction> contradiction;
  std::vector<double> posterior, posterior_error, absence;
  std::vector<double> inverse, inverse_error;  // a finding
  std::vector<double> log_group;               // a group: its evidence
  std::vector<Explanation> explanations;

  State(const InferenceNetwork& of, const InferenceOptions& with)
      : network(&of), options(with), groups(of) {}

  void refuse();
  void solve(std::uint64_t row, std::size_t g, RowRandom& random);
  [[noreturn]] void refuse_work(std::uint64_t row, const FindingGroup& group, double work) const;
  void take(std::size_t g);
  void settle_lone(const RowGroups::Touched& cause);
  void explain();
  void fill_search(std::span<const std::uint32_t> findings);
  void combine(double log_total);
  void flip_factored();
};

void RowInference::State::refuse() {
  contradiction = groups.contradiction();
  method = InferenceMethod::impossible;
  log_evidence = -infinity;
  std::ranges::fill(posterior, std::numeric_limits<double>::quiet_NaN());
}

void RowInference::State::refuse_work(std::uint64_t row, const FindingGroup& group,
                                      double work) const {
  // Not a UsageError: any rank may meet it, in the middle of the work.
  throw InputError(fmt::format(
      "--method exact: row {} has {} positive findings that {} causes connect, which would take "
      "{:.2g} operations ({}){}; use --method auto, which samples such rows and states the error",
      row, group.n_findings(), group.causes.size(), work, format_duration(work / quickscore_rate),
      quickscore.cells() > most_exact_cells && group.n_findings() <= Quickscore::max_findings
          ? fmt::format(" and {} of memory", format_bytes(8 * quickscore.cells()))
          : ""));
}

/// By whichever exact sum is cheaper, or by sampling.
void RowInference::State::solve(std::uint64_t row, std::size_t g, RowRandom& random) {
  using Method = InferenceOptions::Method;
  const FindingGroup& group = groups.group(g);
  const bool must = options.method == Method::exact;
  const double may_work = must ? most_exact_work : options.max_work;
  const double may_hold = must ? most_exact_cells : automatic_cells;
  if (options.method != Method::sample) {
    const bool can_score = quickscore.plan(group) && quickscore.cells() <= may_hold;
    const double scoring = can_score ? quickscore.work() : infinity;
    const double enumerating = CauseEnumeration::work(group);
    if (std::min(scoring, enumerating) <= may_work) {
      if (scoring <= enumerating) {
        quickscore.run(of_group);
      } else {
        enumeration.run(group, of_group);
      }
      return;
    }
    if (must) {
      double cheapest = enumerating;
      if (group.n_findings() <= Quickscore::max_findings) {
        cheapest = std::min(cheapest, quickscore.work());
      }
      refuse_work(row, group, cheapest);
    }
  }
  const std::size_t most =
      options.method == Method::sample ? group.n_findings() / 2 : group.n_findings();
  // Its own exact sums need not be large: more draws would pay better.
  sampling.run(group, {options.max_work / 64, automatic_cells, options.n_samples, most}, random,
               of_group);
  method = InferenceMethod::sampled;
  effective_samples = effective_samples == 0
                          ? of_group.effective_samples
                          : std::min(effective_samples, of_group.effective_samples);
}

void RowInference::State::take(std::size_t g) {
  const FindingGroup& group = groups.group(g);
  log_evidence += of_group.log_evidence;
  log_evidence_error += of_group.log_evidence_error;
  log_group[g] = of_group.log_evidence;
  for (std::size_t k = 0; k < group.causes.size(); ++k) {
    posterior[group.causes[k].cause] = of_group.posterior[k];
    posterior_error[group.causes[k].cause] = of_group.posterior_error[k];
    absence[group.causes[k].cause] = of_group.absence[k];
  }
  const auto findings = groups.findings(g);
  for (std::size_t l = 0; l < findings.size(); ++l) {
    inverse[findings[l]] = of_group.inverse[l];
    inverse_error[findings[l]] = of_group.inverse_error[l];
  }
}

/// A cause outside the groups. With one positive finding a: P(a on) = 1 - q_rest (1 - p s) t, so
/// P(cause | row) = p (s (1 - p) E[1 / P(a on)] + f) / (1 - p s).
void RowInference::State::settle_lone(const RowGroups::Touched& cause) {
  double& p = posterior[cause.cause];
  if (cause.n_links() == 0 || cause.present == 0) {
    p = cause.present;
    absence[cause.cause] = cause.absent;
  } else if (cause.n_links() == 1) {
    const auto& [finding, failure] = groups.links(cause).front();
    const double off = cause.absent + cause.present * failure;
    const double rise = cause.present * (1 - failure) * cause.absent / off;
    p = cause.absent == 0 ? 1
                          : std::min(1.0, rise * inverse[finding] + cause.present * failure / off);
    const double unneeded = 1 - cause.present * (1 - failure) * inverse[finding];
    absence[cause.cause] =
        cause.absent == 0 ? 0 : std::clamp(cause.absent * unneeded / off, 0.0, 1.0);
    posterior_error[cause.cause] =
        cause.absent == 0 || inverse_error[finding] == 0
            ? 0
            : std::min(std::max(p, 1 - p), rise * inverse_error[finding]);
  }
}

// ----------------------------------------------------------------------------------- explanations

/// Of the state as a whole; explanations[i].log_probability is relative to the pieces' evidence.
void RowInference::State::explain() {
  explanations.assign(1, {});
  const std::size_t n = groups.positives().size();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!groups.is_alone(i)) continue;
    fill_search(std::span(&i, 1));
    combine(std::log(groups.fire(i)));
  }
  for (std::size_t g = 0; g < groups.n_groups(); ++g) {
    fill_search(groups.findings(g));
    combine(log_group[g]);
  }
  flip_factored();
}

/// The causes with links to these findings, and no others.
void RowInference::State::fill_search(std::span<const std::uint32_t> findings) {
  search.clear();
  std::vector<std::uint32_t> place(groups.positives().size(), ~std::uint32_t{0});
  for (std::uint32_t l = 0; l < findings.size(); ++l) {
    place[findings[l]] = l;
    search.leak.push_back(network->leak(groups.positives()[findings[l]]));
  }
  for (const RowGroups::Touched& cause : groups.touched()) {
    if (cause.n_links() == 0 || cause.present == 0) continue;
    const auto links = groups.links(cause);
    if (place[links.front().finding] == ~std::uint32_t{0}) continue;
    const std::size_t first = search.links.size();
    for (const auto& link : links) search.links.push_back({place[link.finding], link.failure});
    search.causes.push_back(
        {cause.cause, std::log(cause.absent), std::log(cause.present), first, search.links.size()});
  }
}

/// The best states of the pieces so far, each with each of the best of the next piece.
void RowInference::State::combine(double log_total) {
  search.run(options.top);
  std::vector<Explanation> combined;
  for (const Explanation& so_far : explanations) {
    for (const auto& state : search.best()) {
      Explanation both = so_far;
      both.log_probability += state.log_weight - log_total;
      both.present.insert(both.present.end(), state.present.begin(), state.present.end());
      both.proven = both.proven && search.proven();
      combined.push_back(std::move(both));
    }
  }
  std::ranges::stable_sort(combined, [](const Explanation& a, const Explanation& b) {
    return a.log_probability > b.log_probability;
  });
  if (combined.size() > options.top) combined.resize(options.top);
  explanations = std::move(combined);
}

/// Causes without a positive finding: each takes its likelier value; only the top - 1 cheapest
/// flips can be in one of the best states.
void RowInference::State::flip_factored() {
  struct Flip {
    double log_ratio;  // of the less likely value to the likelier
    std::uint32_t cause;
  };
  std::vector<Flip> flips;
  std::vector<std::uint8_t> has_link(network->n_causes(), 0);
  for (const RowGroups::Touched& cause : groups.touched()) {
    if (cause.n_links() > 0 && cause.present > 0) has_link[cause.cause] = 1;
  }
  std::vector<std::uint32_t> always;
  double log_always = 0;
  for (std::uint32_t c = 0; c < network->n_causes(); ++c) {
    if (has_link[c] != 0) continue;
    const double p = posterior[c];
    if (p > .5) always.push_back(c);
    log_always += std::log(std::max(p, 1 - p));
    const double less = std::min(p, 1 - p);
    if (less > 0) flips.push_back({std::log(less) - std::log(std::max(p, 1 - p)), c});
  }
  const std::size_t kept = std::min<std::size_t>(flips.size(), options.top - 1);
  std::ranges::partial_sort(
      flips, flips.begin() + static_cast<std::ptrdiff_t>(kept), [](const Flip& a, const Flip& b) {
        return a.log_ratio > b.log_ratio || (a.log_ratio == b.log_ratio && a.cause < b.cause);
      });
  flips.resize(kept);
  for (Explanation& explanation : explanations) {
    explanation.log_probability += log_always;
    explanation.present.insert(explanation.present.end(), always.begin(), always.end());
    std::ranges::sort(explanation.present);
  }
  for (const Flip& flip : flips) {
    const std::size_t n = explanations.size();
    for (std::size_t i = 0; i < n; ++i) {
      Explanation flipped = explanations[i];
      flipped.log_probability += flip.log_ratio;
      const auto place = std::ranges::lower_bound(flipped.present, flip.cause);
      if (place != flipped.present.end() && *place == flip.cause) {
        flipped.present.erase(place);
      } else {
        flipped.present.insert(place, flip.cause);
      }
      explanations.push_back(std::move(flipped));
    }
    std::ranges::stable_sort(explanations, [](const Explanation& a, const Explanation& b) {
      return a.log_probability > b.log_probability;
    });
    if (explanations.size() > options.top) explanations.resize(options.top);
  }
}

// --------------------------------------------------------------------------------------- the page

RowInference::RowInference(const InferenceNetwork& network, const InferenceOptions& options)
    : state_(std::make_unique<State>(network, options)) {}
RowInference::RowInference(RowInference&&) noexcept = default;
RowInference& RowInference::operator=(RowInference&&) noexcept = default;
RowInference::~RowInference() = default;

void RowInference::evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                            std::span<const std::uint64_t> missing) {
  State& s = *state_;
  const auto silent = s.network->silent_posterior();
  s.posterior.assign(silent.begin(), silent.end());
  s.posterior_error.assign(silent.size(), 0);
  s.absence.assign(s.network->silent_absence().begin(), s.network->silent_absence().end());
  s.log_evidence_error = s.effective_samples = 0;
  s.method = InferenceMethod::exact;
  s.contradiction.reset();
  s.explanations.clear();
  s.groups.read(values, missing);
  if (s.groups.contradiction()) {
    s.refuse();
    return;
  }
  const std::size_t n = s.groups.positives().size();
  s.log_evidence = s.groups.log_factored();
  s.inverse.assign(n, 1);
  s.inverse_error.assign(n, 0);
  s.log_group.assign(s.groups.n_groups(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (s.groups.is_alone(i)) s.inverse[i] = 1 / s.groups.fire(i);
  }
  RowRandom random(s.options.seed, Stream::inference, row);
  for (std::size_t g = 0; g < s.groups.n_groups(); ++g) {
    s.solve(row, g, random);
    s.take(g);
  }
  for (const RowGroups::Touched& cause : s.groups.touched()) s.settle_lone(cause);
  if (s.options.top > 0) s.explain();
}

double RowInference::log_evidence() const noexcept { return state_->log_evidence; }
double RowInference::log_evidence_error() const noexcept { return state_->log_evidence_error; }
InferenceMethod RowInference::method() const noexcept { return state_->method; }
double RowInference::effective_samples() const noexcept { return state_->effective_samples; }
std::span<const double> RowInference::posterior() const noexcept { return state_->posterior; }
std::span<const double> RowInference::posterior_error() const noexcept {
  return state_->posterior_error;
}
std::span<const double> RowInference::absence() const noexcept { return state_->absence; }
std::span<const Explanation> RowInference::explanations() const noexcept {
  return state_->explanations;
}
const std::optional<RowInference::Contradiction>& RowInference::contradiction() const noexcept {
  return state_->contradiction;
}

}  // namespace orrery::model
