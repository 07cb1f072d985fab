#include "families/noisy_or/quartet/refine/composites.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

using Strengths = std::vector<double>;

double cosine(const Strengths& a, const Strengths& b) {
  const auto product = [](const Strengths& x, const Strengths& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const double scale = std::sqrt(product(a, a) * product(b, b));
  return scale > 0 ? product(a, b) / scale : 0;
}

}  // namespace

bool has_composite(const model::NoisyOrNetwork& network) {
  const std::size_t n = network.n_causes();
  std::vector<Strengths> strengths;
  for (std::size_t u = 0; u < n; ++u) {
    strengths.push_back(network.dense_failures(u));
    for (double& one : strengths.back()) one = 1 - one;
  }
  for (std::size_t u = 0; u < n; ++u) {
    std::vector<std::size_t> parts;
    for (std::size_t v = 0; v < n; ++v) {
      const double alike = cosine(strengths[u], strengths[v]);
      if (v != u && alike > 1 - constants::refinement::most_alike_to_part &&
          alike < constants::refinement::most_alike_to_part) {
        parts.push_back(v);
      }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Strengths both = strengths[parts[i]];
        for (std::size_t a = 0; a < both.size(); ++a) {
          both[a] = 1 - (1 - both[a]) * (1 - strengths[parts[j]][a]);
        }
        if (cosine(strengths[u], both) > constants::refinement::least_alike_to_both) return true;
      }
    }
  }
  return false;
}

}  // namespace orrery::quartet
