// Which loadings are anchors.
#pragma once

#include <algorithm>
#include <utility>

#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// True if the edge leads from a cause to an anchor of its own. O(log anchors): they are sorted.
inline bool is_anchor(const model::NoisyOrNetwork& network, const model::Edge& edge) {
  const auto pair_of = [](const model::Anchor& anchor) {
    return std::pair(anchor.cause, anchor.observed);
  };
  return std::ranges::binary_search(network.anchors(), std::pair(edge.cause, edge.observed), {},
                                    pair_of);
}

}  // namespace orrery::noisy_or
