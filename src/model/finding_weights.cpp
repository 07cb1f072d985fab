#include "model/finding_weights.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::model {
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
