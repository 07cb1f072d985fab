// Draws from the bound, their weights and what they are worth.
#include "model/bounded_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/numbers.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t batch = 4096;  // draws at a time
/// log(4 / delta), delta = 1e-4: half of it for each side.
constexpr double log_confidence = 10.596634733096073;

/// Maurer & Pontil 2009, Theorem 4, to both sides, of n numbers in an interval of this length.
double bernstein(double variance, double length, double n) {
  return std::sqrt(2 * variance * log_confidence / n) + 7 * length * log_confidence / (3 * (n - 1));
}

}  // namespace

/// The weight of the draw at hand; sets on_.
double BoundedSampling::weigh_draw() {
  const std::size_t n = is_exact_.size();
  std::ranges::copy(group_->fire, on_.begin());
  double log_weight = 0;
  for (const std::uint32_t k : drawn_) {
    const FindingGroup::Cause& cause = group_->causes[k];
    for (std::size_t l = cause.first_link; l < cause.end_link; ++l) {
      const auto& [finding, failure] = group_->links[l];
      on_[finding] = (1 - failure) + failure * on_[finding];
      if (is_exact_[finding] == 0) log_weight -= rise_[l];
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    if (is_exact_[a] == 0) log_weight += std::log(on_[a]) - log_base_[a];
  }
  return std::min(1.0, std::exp(log_weight));
}

double BoundedSampling::on_without(std::size_t cause, std::size_t finding) const {
  const std::size_t n = is_exact_.size();
  double on = group_->fire[finding];
  for (const std::uint32_t k : drawn_) {
    if (k == cause) continue;
    const double failure = failure_[k * n + finding];
    on = (1 - failure) + failure * on;
  }
  return on;
}

/// Of P(cause | the other causes of the draw, all findings).
double BoundedSampling::conditional_odds(std::size_t cause, bool is_present) const {
  const FindingGroup::Cause& of = group_->causes[cause];
  if (of.absent == 0) return infinity;
  double odds = of.present / of.absent;
  for (const auto& [finding, failure] : group_->links_of(of)) {
    const double inverse = is_present ? 1 / on_without(cause, finding) : inverse_[finding];
    odds *= failure + (1 - failure) * inverse;
  }
  return odds;
}

/// The causes of each draw of the batch, and the draws in the order of these: equal draws, of which
/// there are many where a few causes explain the findings, are looked at once.
void BoundedSampling::add_draws(std::size_t n) {
  first_drawn_.assign(n + 1, 0);
  for (std::size_t k = 0; k < group_->causes.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) first_drawn_[i + 1] += present_[k * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) first_drawn_[i + 1] += first_drawn_[i];
  all_drawn_.resize(first_drawn_[n]);
  std::vector<std::size_t> next(first_drawn_.begin(), first_drawn_.end() - 1);
  for (std::uint32_t k = 0; k < group_->causes.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (present_[k * n + i] != 0) all_drawn_[next[i]++] = k;
    }
  }
  const auto causes_of = [&](std::uint32_t i) {
    return std::span(all_drawn_).subspan(first_drawn_[i], first_drawn_[i + 1] - first_drawn_[i]);
  };
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return std::ranges::lexicographical_compare(causes_of(i), causes_of(j));
  });
  for (std::size_t i = 0; i < n;) {
    drawn_ = causes_of(order[i]);
    std::size_t end = i + 1;
    while (end < n && std::ranges::equal(causes_of(order[end]), drawn_)) ++end;
    add_draw(static_cast<double>(end - i));
    i = end;
  }
}

/// The draw at hand, which came up `times` times.
void BoundedSampling::add_draw(double times) {
  const double w = weigh_draw();
  if (!(w > 0)) return;
  sum_w_ += times * w;
  sum_ww_ += times * w * w;
  for (std::size_t a = 0; a < inverse_.size(); ++a) {
    inverse_[a] = 1 / on_[a];
    of_inverse_[a].add(times, w, inverse_[a]);
  }
  auto drawn = drawn_.begin();
  for (std::uint32_t k = 0; k < of_cause_.size(); ++k) {
    const bool is_present = drawn != drawn_.end() && *drawn == k;
    if (is_present) ++drawn;
    const double odds = conditional_odds(k, is_present);
    const double absent = 1 / (1 + odds);
    of_cause_[k].add(times, w, absent > 0 ? odds * absent : 1);
    sum_absent_[k] += times * w * absent;
  }
}

void BoundedSampling::run(const FindingGroup& group, const Limits& limits, RowRandom& random,
                          GroupPosterior& result) {
  prepare(group);
  fit_factored();
  choose_exact(limits);
  tighten();
  on_.resize(group.n_findings());
  inverse_.resize(group.n_findings());
  of_cause_.assign(group.causes.size(), {});
  sum_absent_.assign(group.causes.size(), 0);
  of_inverse_.assign(group.n_findings(), {});
  sum_w_ = sum_ww_ = 0;
  for (std::size_t done = 0; done < limits.n_samples; done += batch) {
    const std::size_t n = std::min<std::size_t>(batch, limits.n_samples - done);
    quickscore_.draw(random, n, present_);
    add_draws(n);
  }
  settle(limits.n_samples, result);
}

void BoundedSampling::settle(std::uint32_t n_samples, GroupPosterior& result) {
  result.resize(of_cause_.size(), of_inverse_.size());
  const auto n = static_cast<double>(n_samples);
  const double mean = sum_w_ / n;
  const double error = bernstein(std::max(0.0, sum_ww_ / n - mean * mean) * n / (n - 1), 1, n);
  if (!(mean > 0)) {  // no draw explains the findings: the bound is all that is known
    result.log_evidence = log_bound_;
    result.log_evidence_error = infinity;
    result.posterior = core_posterior_.posterior;
    result.absence = core_posterior_.absence;
    std::ranges::fill(result.posterior_error, 1.0);
    std::ranges::fill(result.inverse_error, infinity);
    result.effective_samples = std::numeric_limits<double>::min();
    return;
  }
  result.log_evidence = log_bound_ + std::log(mean);
  result.log_evidence_error = error < mean ? -std::log1p(-error / mean) : infinity;
  result.effective_samples = sum_w_ * sum_w_ / sum_ww_;
  const auto error_of = [&](const Sums& sums, double value, double length) {
    const double variance = (sums.wwxx - 2 * value * sums.wwx + value * value * sum_ww_) / n;
    return bernstein(std::max(0.0, variance) * n / (n - 1), length, n) / mean;
  };
  for (std::size_t k = 0; k < of_cause_.size(); ++k) {
    const double p = of_cause_[k].wx / sum_w_;
    result.posterior[k] = p;
    result.absence[k] = sum_absent_[k] / sum_w_;
    result.posterior_error[k] = std::min(std::max(p, 1 - p), error_of(of_cause_[k], p, 1));
  }
  for (std::size_t a = 0; a < of_inverse_.size(); ++a) {
    const double fire = group_->fire[a];
    result.inverse[a] = of_inverse_[a].wx / sum_w_;
    result.inverse_error[a] = error_of(of_inverse_[a], result.inverse[a], fire > 0 ? 1 / fire : 0);
  }
}

}  // namespace orrery::model
