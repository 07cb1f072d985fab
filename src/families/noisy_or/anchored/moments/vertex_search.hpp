// States of the variables at which a linear function of their tables is low, by local search: no
// promise that a state is best, but any that lies below the present point is a step down for
// Frank-Wolfe, in every polytope that holds the marginal one, at a thousandth of a program's cost.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

struct FoundState {
  std::vector<std::uint8_t> state;
  double value = 0;  ///< of the form
};

struct VertexSearch {
  std::size_t n_starts = 200;
  std::size_t n_kept = 60;
};

/// The best states found, distinct, lowest first (ties: by state). Starts are drawn with P(1) =
/// `on`, every fourth evenly; from each, single flips, then pairs of them, as long as one gains.
/// `round` numbers the call, for the draws. Cost a start: some n flips of n C(ones, K - 1).
std::vector<FoundState> search_vertices(const ProductBasis& basis, const LinearForm& form,
                                        std::span<const double> on, std::uint64_t round,
                                        const VertexSearch& search);

}  // namespace orrery::anchored
