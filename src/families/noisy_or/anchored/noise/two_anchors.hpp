// Noise rates of two anchors of one cause, without labels (Halpern, Horng, Sontag 2015, Sec. 3.3
// and App. B, Eq. (12)).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"

namespace orrery::anchored {

// Noise of two anchors of one cause, from third views (Halpern, Horng, Sontag 2015, App. B, Eq.
// (12)).
//
// P(W1, W2, X) is a mixture of two product distributions. Its central moments are, with v = pi (1 -
// pi) and d = P(on | present) - P(on | absent) of each,
//   C12 = d1 d2 v,  C1x = d1 dx v,  C2x = d2 dx v,  C12x = d1 d2 dx v (1 - 2 pi),
// so s = C12x / sqrt(C12 C1x C2x) = (1 - 2 pi) / sqrt(v) gives pi, d1^2 v = C12 C1x / C2x gives d1,
// and so on: the closed form of the 2 x 2 x 2 decomposition.
//
// Every other column that goes with both anchors is a third view; they are averaged by their
// precision, and that they agree is the test of the assumption.

/// P(on | absent), P(on | present) of W1, then of W2.
using PairRates = std::array<double, 4>;

/// P(W1), P(W2), P(X), and of pairs and all three together.
struct ViewMoments {
  double w1, w2, x, w1_w2, w1_x, w2_x, all;
};
/// Nothing where the covariances have signs that no cause gives, or one of them is 0.
[[nodiscard]] std::optional<PairRates> decompose(const ViewMoments& moments);

struct TwoAnchors {
  std::vector<PairRates> rates;  ///< a view (of the rows)
  PairRates errors{};
  std::size_t n_third_views = 0;
  double disagreement = 0;     ///< largest (estimate - average) / error over third views and rates;
                               ///< exact moments: in units of 1e-6
  std::uint32_t odd_view = 0;  ///< its column
};

/// Counts by the calling thread. `w1`, `w2`: observed variables. n_third_views is 0 if no column
/// goes with both. Cost: 4 m counts over all rows.
TwoAnchors estimate_two_anchors(const Observations& observed, std::uint32_t w1, std::uint32_t w2);

}  // namespace orrery::anchored
