// ssTV of triples: the greatest total variation between two trees' distributions of three signs.
#pragma once

#include <array>
#include <cstdint>

#include "orrery/model/sign_tree.hpp"

namespace orrery::sign_tree {

/// L^(3) of Eq. (14).
struct TripleDistance {
  double distance = 0;
  std::array<std::uint32_t, 3> triple{};  ///< that attains it, ascending
  /// Sum of the three pairs' |differences| of moments: of triples at one distance (all that share
  /// the worst pair may be) the one with the greatest sum is told, then the first in order.
  double sum = 0;
};
/// Exact, of two trees of the same three variables or more with means of 0. O(p^2), and O(p) for
/// each pair whose moments differ by two thirds or more of the greatest difference; O(p) memory per
/// thread, by the OpenMP threads of the caller.
TripleDistance triple_distance(const model::SignTree& one, const model::SignTree& other);

}  // namespace orrery::sign_tree
