#include "families/noisy_or/anchored/loadings/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "families/noisy_or/anchored/moments/frequencies.hpp"

namespace orrery::anchored {
namespace {

constexpr double failure_rounding = 1e-7;

struct Test {
  double p;
  std::uint32_t variable;
  std::uint32_t cause;
  auto operator<=>(const Test&) const = default;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> significant_edges(std::span<const double> values,
                                                          std::size_t n_observed,
                                                          std::size_t n_causes,
                                                          const Observations& observed,
                                                          double alpha) {
  const bool exact = observed.n_samples == 0;
  std::vector<bool> is_anchor(n_observed, false);
  for (const model::Anchor& anchor : observed.anchors) is_anchor[anchor.observed] = true;
  std::vector<Test> tests;
  for (std::uint32_t j = 0; j < n_observed; ++j) {
    if (is_anchor[j]) continue;
    for (std::uint32_t i = 0; i < n_causes; ++i) {
      const double failure = values[2 * (j * n_causes + i)];
      const double error = values[2 * (j * n_causes + i) + 1];
      double p = 1;
      if (std::isfinite(failure) && failure < 1) {
        const double t =
            error > 0 ? (1 - failure) / error : std::numeric_limits<double>::infinity();
        if (exact) {
          p = failure < 1 - failure_rounding ? 0 : 1;
        } else if (!std::isnan(error)) {
          p = tail_probability(t, observed.n_samples) / 2;
        }
      }
      tests.push_back({p, j, i});
    }
  }
  std::ranges::sort(tests);
  std::size_t n_kept = 0;
  for (std::size_t r = 0; r < tests.size(); ++r) {
    const double limit = alpha * static_cast<double>(r + 1) / static_cast<double>(tests.size());
    if (tests[r].p <= limit) n_kept = r + 1;
  }
  std::vector<std::vector<std::uint32_t>> kept(n_observed);
  for (std::size_t r = 0; r < n_kept; ++r) kept[tests[r].variable].push_back(tests[r].cause);
  for (auto& causes : kept) std::ranges::sort(causes);
  return kept;
}

}  // namespace orrery::anchored
