// Noise rates of anchors without labels (Halpern, Horng, Sontag 2015, Sec. 3.3): from two anchors
// of one cause (App. B, Eq. (12)), and of an anchor that is never on without its cause from a
// classifier (Elkan, Noto 2008).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

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

// Noise of an anchor that is never on without its cause: P(A = 1 | Y = 1) from a classifier of the
// anchor (Elkan, Noto 2008, "Learning classifiers from only positive and unlabeled data", Sec. 3,
// estimator e_1; Halpern, Horng, Sontag 2015, Sec. 3.3, setting 2).
//
// P(A = 1 | x) = P(A = 1 | Y = 1) P(Y = 1 | x), so where x leaves no doubt that the cause is
// present the classifier's probability is the rate sought. e_1 is its average over rows whose
// anchor is on; it is too small by the doubt that x leaves there, which the error does not show.

struct PositiveRate {
  double on = 0;
  double error = 0;  ///< of the average alone
};

/// One an anchor of the list. Each half of the rows (every other word of 64) is judged by a
/// classifier that is trained on the other. Throws InputError naming an anchor that is on in fewer
/// than 20 rows of a half. Cost: two logistic regressions per anchor. Collective.
std::vector<PositiveRate> estimate_positive_rates(const learning::Workers& workers,
                                                  const Observations& observed,
                                                  const std::vector<std::size_t>& anchors);

}  // namespace orrery::anchored
