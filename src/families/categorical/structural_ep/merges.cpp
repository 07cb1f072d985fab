#include "families/categorical/structural_ep/merges.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::structural_ep {
namespace {

/// Of two causes' states: their mutual information over what the less certain of them could have.
double dependence(const CauseMoments& moments, std::size_t a, std::size_t b,
                  std::size_t cardinality, std::size_t n_causes, double n_rows) {
  const std::size_t n = n_causes * cardinality;
  double information = 0;
  double entropy_a = 0;
  double entropy_b = 0;
  for (std::size_t i = 0; i < cardinality; ++i) {
    const double p = moments.single[a * cardinality + i] / n_rows;
    const double q = moments.single[b * cardinality + i] / n_rows;
    if (p > 0) entropy_a -= p * std::log(p);
    if (q > 0) entropy_b -= q * std::log(q);
    for (std::size_t j = 0; j < cardinality; ++j) {
      const double both = moments.pair[(a * cardinality + i) * n + b * cardinality + j] / n_rows;
      const double other = moments.single[b * cardinality + j] / n_rows;
      if (both > 0) information += both * std::log(both / (p * other));
    }
  }
  return information / std::max(1e-9, std::min(entropy_a, entropy_b));
}

}  // namespace

void merge_causes(Start& start, const CauseMoments& moments, std::size_t cardinality,
                  double n_rows) {
  const std::size_t n = start.states.size();
  std::vector<std::size_t> n_children(n);
  for (const std::uint32_t k : start.sets) ++n_children[k];
  double most = -1;
  std::size_t keep = 0;
  std::size_t drop = 1;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const bool childless = n_children[a] == 0 || n_children[b] == 0;
      const double value = childless ? 2 : dependence(moments, a, b, cardinality, n, n_rows);
      if (value <= most) continue;
      most = value;
      keep = a;
      drop = b;
    }
  }
  if (n_children[keep] < n_children[drop]) start.states[keep] = start.states[drop];
  start.states[drop] = start.states.back();
  start.states.pop_back();
  for (std::uint32_t& k : start.sets) {
    if (k == drop) k = static_cast<std::uint32_t>(keep);
    if (k == n - 1) k = static_cast<std::uint32_t>(drop);
  }
}

}  // namespace orrery::structural_ep
