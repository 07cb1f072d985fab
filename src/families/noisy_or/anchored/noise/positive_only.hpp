// Noise of an anchor that is never on without its cause: P(A = 1 | Y = 1) from a classifier of the
// anchor (Elkan, Noto 2008, "Learning classifiers from only positive and unlabeled data", Sec. 3,
// estimator e_1; Halpern, Horng, Sontag 2015, Sec. 3.3, setting 2).
//
// P(A = 1 | x) = P(A = 1 | Y = 1) P(Y = 1 | x), so where x leaves no doubt that the cause is
// present the classifier's probability is the rate sought. e_1 is its average over rows whose
// anchor is on; it is too small by the doubt that x leaves there, which the error does not show.
#pragma once

#include <cstddef>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

namespace orrery::anchored {

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
