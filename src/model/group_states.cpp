#include "model/group_states.hpp"

#include <algorithm>
#include <cmath>

#include "model/numbers.hpp"

namespace orrery::model {

double CauseEnumeration::work(const FindingGroup& group) noexcept {
  const auto n = static_cast<double>(group.causes.size());
  // Scaled numbers cost some four multiply-adds each.
  return std::exp2(n) * 4 * (n + 2 * static_cast<double>(group.n_findings()));
}

void CauseEnumeration::run(const FindingGroup& group, GroupPosterior& result) {
  group_ = &group;
  const std::size_t n_causes = group.causes.size();
  const std::size_t n_findings = group.n_findings();
  result.resize(n_causes, n_findings);
  on_.resize((n_causes + 1) * n_findings);
  std::ranges::copy(group.fire, on_.begin());
  present_.assign(n_causes, 0);
  total_ = ScaledReal();
  posterior_.assign(n_causes, ScaledReal());
  absence_.assign(n_causes, ScaledReal());
  inverse_.assign(n_findings, ScaledReal());
  descend(0, ScaledReal(1));
  result.log_evidence = total_.log();
  if (total_.is_zero()) return;
  const auto over_total = [&](const ScaledReal& sum) {
    return sum.is_zero() ? 0 : std::exp(sum.log() - result.log_evidence);
  };
  const auto probability = [&](const ScaledReal& sum) { return std::min(1.0, over_total(sum)); };
  std::ranges::transform(posterior_, result.posterior.begin(), probability);
  std::ranges::transform(absence_, result.absence.begin(), probability);
  std::ranges::transform(inverse_, result.inverse.begin(), over_total);
}

void CauseEnumeration::descend(std::size_t k, const ScaledReal& weight) {
  if (weight.is_zero()) return;
  if (k == present_.size()) {
    settle(weight);
    return;
  }
  const std::size_t n = group_->n_findings();
  const FindingGroup::Cause& cause = group_->causes[k];
  const double* on = on_.data() + k * n;
  double* next = on_.data() + (k + 1) * n;
  std::copy_n(on, n, next);
  ScaledReal absent = weight;
  descend(k + 1, absent *= cause.absent);
  for (const auto& [finding, failure] : group_->links_of(cause)) {
    next[finding] = (1 - failure) + failure * on[finding];
  }
  // The recursion above wrote on deeper rows alone: the others still are copies of `on`.
  present_[k] = 1;
  ScaledReal present = weight;
  descend(k + 1, present *= cause.present);
  present_[k] = 0;
}

void CauseEnumeration::settle(ScaledReal weight) {
  const std::size_t n = group_->n_findings();
  const double* on = on_.data() + present_.size() * n;
  for (std::size_t a = 0; a < n; ++a) weight *= on[a];
  if (weight.is_zero()) return;
  total_ += weight;
  for (std::size_t k = 0; k < present_.size(); ++k) {
    (present_[k] != 0 ? posterior_ : absence_)[k] += weight;
  }
  for (std::size_t a = 0; a < n; ++a) {
    ScaledReal share = weight;
    inverse_[a] += share *= ScaledReal(1 / on[a]);
  }
}

namespace {

/// Stands for a leak of 0 while states that leave the finding unexplained are gone through.
constexpr double least_leak = 1e-40;

/// log of a product of probabilities, a logarithm a few hundred digits.
double log_product(const std::vector<double>& factors) {
  double sum = 0;
  double product = 1;
  for (const double factor : factors) {
    product *= factor;
    if (product < 1e-200) {
      sum += std::log(product);
      product = 1;
    }
  }
  return sum + std::log(product);
}

}  // namespace

double ExplanationSearch::threshold() const noexcept {
  return best_.size() < top_ ? -infinity : best_.back().log_weight;
}

/// The included causes as a state, if it is among the best and possible.
void ExplanationSearch::offer(const Depth& at, double log_weight) {
  if (!(log_weight > threshold())) return;
  for (std::size_t a = 0; a < leak.size(); ++a) {
    if (at.on[a] == least_leak) return;
  }
  State state{log_weight, {}};
  for (const std::uint32_t k : included_) state.present.push_back(causes[k].cause);
  std::ranges::sort(state.present);
  const auto heavier = [](const State& a, const State& b) { return a.log_weight > b.log_weight; };
  best_.insert(std::ranges::upper_bound(best_, state, heavier), state);
  if (best_.size() > top_) best_.pop_back();
}

void ExplanationSearch::include(std::uint32_t cause, const std::vector<double>& on,
                                std::vector<double>& next) const {
  next = on;
  for (std::size_t l = causes[cause].first_link; l < causes[cause].end_link; ++l) {
    const auto& [finding, failure] = links[l];
    next[finding] = (1 - failure) + failure * on[finding];
  }
}

void ExplanationSearch::run(std::size_t top) {
  top_ = top;
  n_nodes_ = 0;
  proven_ = true;
  best_.clear();
  included_.clear();
  if (depths_.size() < causes.size() + 2) depths_.resize(causes.size() + 2);
  Depth& root = depths_[0];
  root.on = leak;
  for (double& on : root.on) on = std::max(on, least_leak);
  double log_prior = 0;
  std::vector<Open> open;
  for (std::uint32_t k = 0; k < causes.size(); ++k) {
    const Cause& cause = causes[k];
    if (cause.log_absent == -infinity) {  // in every state
      log_prior += cause.log_present;
      included_.push_back(k);
      const std::vector<double> on = root.on;
      include(k, on, root.on);
    } else {
      log_prior += cause.log_absent;
      if (cause.log_present > -infinity) open.push_back({k, cause.log_present - cause.log_absent});
    }
  }
  root.log_on = log_product(root.on);
  offer(root, log_prior + root.log_on);
  list_open(0, open, log_prior);
  visit(0, log_prior);
}

/// Those of the candidates that may be in one of the best states, the most promising first.
void ExplanationSearch::list_open(std::size_t depth, std::span<const Open> candidates,
                                  double log_prior) {
  Depth& at = depths_[depth];
  at.open.clear();
  double sum = 0;  // of the worths above 0
  for (const Open& candidate : candidates) {
    const Cause& cause = causes[candidate.cause];
    double gain = 0;
    double product = 1;
    for (std::size_t l = cause.first_link; l < cause.end_link; ++l) {
      const auto& [finding, failure] = links[l];
      product *= failure + (1 - failure) / at.on[finding];
      if (product > 1e200) {
        gain += std::log(product);
        product = 1;
      }
    }
    at.open.push_back({candidate.cause, candidate.log_odds, gain + std::log(product)});
    sum += std::max(0.0, at.open.back().log_odds + at.open.back().gain);
  }
  const double least = threshold() - log_prior - at.log_on;
  std::erase_if(at.open, [&](const Open& open) {
    const double worth = open.log_odds + open.gain;
    return !(worth + sum - std::max(0.0, worth) > least);
  });
  std::ranges::sort(at.open, [](const Open& a, const Open& b) {
    const double of_a = a.log_odds + a.gain;
    const double of_b = b.log_odds + b.gain;
    return of_a > of_b || (of_a == of_b && a.cause < b.cause);
  });
  sum_suffixes(at);
}

void ExplanationSearch::sum_suffixes(Depth& at) const {
  at.reach = at.on;
  for (std::size_t k = at.open.size(); k-- > 0;) {
    Open& open = at.open[k];
    for (std::size_t l = causes[open.cause].first_link; l < causes[open.cause].end_link; ++l) {
      double& on = at.reach[links[l].finding];
      on = (1 - links[l].failure) + links[l].failure * on;
    }
    open.log_reach = log_product(at.reach);
    const bool is_last = k + 1 == at.open.size();
    for (std::size_t t = 0; t < n_shares; ++t) {
      const double worth = open.log_odds + static_cast<double>(t) / (n_shares - 1) * open.gain;
      open.sum[t] = std::max(0.0, worth) + (is_last ? 0 : at.open[k + 1].sum[t]);
      open.largest[t] = is_last ? worth : std::max(worth, at.open[k + 1].largest[t]);
    }
  }
}

/// No state with open[k] (and none before it) and at least one after it weighs more. `log_weight`:
/// of the state with open[k] and none after it.
double ExplanationSearch::bound_below(const Depth& at, std::size_t k, double log_weight) const {
  if (k + 1 == at.open.size()) return -infinity;
  const Open& after = at.open[k + 1];
  const double gain_of_all = at.open[k].log_reach - at.log_on - at.open[k].gain;
  double least = infinity;
  for (std::size_t t = 0; t < n_shares; ++t) {
    const double share = static_cast<double>(t) / (n_shares - 1);
    least = std::min(least, (1 - share) * gain_of_all +
                                (after.largest[t] > 0 ? after.sum[t] : after.largest[t]));
  }
  return log_weight + least;
}

void ExplanationSearch::visit(std::size_t depth, double log_prior) {
  Depth& at = depths_[depth];
  Depth& next = depths_[depth + 1];
  for (std::size_t k = 0; k < at.open.size(); ++k) {
    const Open& open = at.open[k];
    const double log_weight = log_prior + at.log_on + open.log_odds + open.gain;
    const double below = bound_below(at, k, log_weight);
    const bool descends = below > threshold();
    if (!descends && !(log_weight > threshold())) continue;
    if (++n_nodes_ > max_nodes) {
      proven_ = false;
      return;
    }
    included_.push_back(open.cause);
    include(open.cause, at.on, next.on);
    next.log_on = log_product(next.on);
    const double log_prior_with = log_prior + open.log_odds;
    offer(next, log_prior_with + next.log_on);
    if (descends) {
      list_open(depth + 1, std::span(at.open).subspan(k + 1), log_prior_with);
      visit(depth + 1, log_prior_with);
    }
    included_.pop_back();
  }
}

}  // namespace orrery::model
