#include "orrery/model/finding_weights.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::model {
namespace {

double log_odds(double present, double absent) {
  constexpr double most = 700;
  return std::clamp(std::log(present) - std::log(absent), -most, most);
}

}  // namespace

CauseEvidence weigh_findings(const NoisyOrNetwork& network, RowInference& inference,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause) {
  inference.evaluate(row, values, missing);
  CauseEvidence evidence{log_odds(network.causes()[cause].prior, 1 - network.causes()[cause].prior),
                         log_odds(inference.posterior()[cause], inference.absence()[cause]),
                         {}};
  std::vector<std::uint64_t> fewer_values(values.begin(), values.end());
  std::vector<std::uint64_t> more_missing(missing.begin(), missing.end());
  more_missing.resize(values.size(), 0);
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    const bool positive = (values[a / 64] & bit) != 0;
    if ((more_missing[a / 64] & bit) != 0) continue;
    if (!positive && network.failure(cause, a) == 1) continue;
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

}  // namespace orrery::model
