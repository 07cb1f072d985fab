// Growth's end: causes go that are worth too little, and causes that stand for "one of these
// others".
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/growth.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// A cause that stands for "one of these": the causes that hardly come without it, if together they
/// are on in most of the rows that it is on in.
std::vector<std::size_t> heirs_of(std::size_t cause, const SumPlaces& at,
                                  const std::vector<double>& sums) {
  std::vector<std::size_t> heirs;
  double covered = 0;
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    if (c == cause) continue;
    const double both = sums[at.together + pair_index(std::min(c, cause), std::max(c, cause))];
    if (both < constants::growth::least_implied * sums[at.present + c]) continue;
    heirs.push_back(c);
    covered += both;
  }
  if (covered < constants::growth::least_covered * sums[at.present + cause]) heirs.clear();
  return heirs;
}

/// Without `cause`, whose children its heirs have instead.
Grown dissolved(const Grown& grown, std::size_t cause, const std::vector<std::size_t>& heirs) {
  Grown fewer = grown;
  for (const std::size_t heir : heirs) {
    for (std::size_t a = 0; a < grown.n_observed(); ++a) {
      fewer.failures[heir][a] = std::max(grown.failures[heir][a] * grown.failures[cause][a],
                                         constants::growth::least_failure);
    }
  }
  fewer.remove(cause);
  return fewer;
}

}  // namespace

/// Without the edges that do not pay; true if there were any.
bool Growth::drop_edges(const SumPlaces& at, const std::vector<double>& sums, Grown& fewer) const {
  const double price = .5 * std::log(n_rows_);
  bool changed = false;
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    for (std::size_t a = 0; a < at.n_observed; ++a) {
      double& failure = fewer.failures[c][a];
      if (failure >= 1 || sums[at.loss + c * at.n_observed + a] > price) continue;
      failure = 1;
      changed = true;
    }
  }
  return changed;
}

/// Of the causes that are worth too little the one of least worth for its cost. One, since two of
/// them may each explain what the other does.
std::optional<std::size_t> Growth::weakest(const SumPlaces& at, const std::vector<double>& sums,
                                           const Grown& grown) const {
  const std::vector<double> priors = grown.causes.marginals();
  const double much =
      constants::growth::least_worth_share * (sums[SumPlaces::log_likelihood] - state_.independent);
  std::optional<std::size_t> weakest;
  double least = constants::growth::least_worth;
  for (std::size_t c = 0; c < at.n_causes; ++c) {
    const double worth = sums[at.cause_loss + c] + n_rows_ * std::log1p(-priors[c]);
    const double cost = .5 * std::log(n_rows_) * static_cast<double>(1 + grown.n_children(c));
    if (worth >= much || worth >= least * cost) continue;
    least = worth / cost;
    weakest = c;
  }
  return weakest;
}

/// Without the edges that do not pay, the causes that are left with few, and one that is not worth
/// keeping; true if there were any.
bool Growth::prune_step() {
  if (state_.fit.grown.n_causes() == 0) return false;
  GrowthState next = state_;
  Grown& fewer = next.fit.grown;
  const SumPlaces at{fewer.n_causes(), fewer.n_observed(), rows_.may_miss(), true, false};
  if (options_.pause) options_.pause();
  const std::vector<double> sums = expect(rows_, fewer, options_.settle_beam, at);
  bool changed = state_.step < constants::growth::most_prune_steps && drop_edges(at, sums, fewer);
  const std::optional<std::size_t> weak = weakest(at, sums, fewer);
  for (std::size_t c = fewer.n_causes(); c-- > 0;) {
    if (c != weak && fewer.n_children(c) >= constants::refinement::least_children) continue;
    fewer.remove(c);
    next.z.erase(next.z.begin() + static_cast<std::ptrdiff_t>(c));
    changed = true;
  }
  if (!changed) return false;
  next.fit = fit(rows_, std::move(fewer), fit_options(options_.full_passes, n_rows_));
  ++next.step;
  state_ = std::move(next);
  return true;
}

/// Growth finds the children that two causes share first, as those of a cause of their own, and
/// then the two without these children. Tries to give the children to the two, for the next cause
/// that looks like that; false if there is none.
bool Growth::dissolve_step() {
  const Grown& grown = state_.fit.grown;
  const SumPlaces at{grown.n_causes(), grown.n_observed(), rows_.may_miss()};
  if (options_.pause) options_.pause();
  const std::vector<double> sums = expect(rows_, grown, options_.beam, at);
  auto cause = static_cast<std::size_t>(state_.step);
  std::vector<std::size_t> heirs;
  for (; cause < at.n_causes; ++cause) {
    heirs = heirs_of(cause, at, sums);
    if (!heirs.empty()) break;
  }
  if (heirs.empty()) return false;
  GrownFit without =
      fit(rows_, dissolved(grown, cause, heirs), fit_options(2 * options_.full_passes, n_rows_));
  const double gain = score(without, n_rows_) - score();
  log::verbose("cause {} left to {} others: gains {:.1f}", cause, heirs.size(), gain);
  state_.step = static_cast<int>(cause) + 1;
  if (gain > 0) {
    state_.fit = std::move(without);
    state_.z.erase(state_.z.begin() + static_cast<std::ptrdiff_t>(cause));
    --state_.step;  // another one has its place
  }
  return true;
}

}  // namespace orrery::quartet
