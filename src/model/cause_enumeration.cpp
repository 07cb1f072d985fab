#include "model/cause_enumeration.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace orrery::model
