// Noise rates of an anchor by a classifier of it (Halpern, Horng, Sontag 2015, Sec. 3.3, settings 2
// and 3), without labels and without a second anchor. x: all columns but the cause's own anchors.
// Since an anchor depends on its cause alone (Definition 1),
//   P(A = 1 | x) = off + (on - off) P(Y = 1 | x),
// so that the rates are what the classifier says where x leaves no doubt of the cause.
//
// Positive only (Elkan, Noto 2008, Sec. 3, estimator e_1): off = 0, and `on` is the mean of
// P(A = 1 | x) over rows whose anchor is on. It is too small by the doubt that x leaves there,
// which the error does not show.
//
// Mutually irreducible (Menon, van Rooyen, Ong, Williamson 2015: the range of the class
// probabilities; Scott, Blanchard, Handy 2013): some rows surely have the cause and some surely
// lack it, so that off = min_x P(A = 1 | x) and on = max_x P(A = 1 | x). The classifier only ranks
// the rows: what it extrapolates to the ends of the range is no estimate of the rates. Of groups of
// 32, 64, 128 ... rows at one end of the ranking, that whose share of rows with A = 1 is surely
// the most extreme (by its confidence limit) gives the rate. A share that is most extreme in the
// smallest group has not levelled off, and is refused: then no group is known to be without doubt.
// Where x leaves doubt in all rows the shares level off too, and the rates come out too close
// together, which nothing in A and x can show; find_contradictions() may.
//
// Both judge each half of the rows (every other word of 64) by a classifier of the other half.
#pragma once

#include <cstddef>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

namespace orrery::anchored {

struct ClassifierRates {
  double off = 0;
  double on = 0;
  double off_error = 0;  ///< of the shares alone
  double on_error = 0;
};

/// One an anchor of the list. Throws InputError naming an anchor that is on in fewer than 20 rows
/// of a half. Cost: two logistic regressions per anchor. Collective.
std::vector<ClassifierRates> estimate_positive_rates(const learning::Workers& workers,
                                                     const Observations& observed,
                                                     const std::vector<std::size_t>& anchors);

/// The same; throws InputError as well for a rate that does not level off. Cost: two logistic
/// regressions per anchor, and a sort of the rows. Memory: 16 bytes per row.
std::vector<ClassifierRates> estimate_irreducible_rates(const learning::Workers& workers,
                                                        const Observations& observed,
                                                        const std::vector<std::size_t>& anchors);

/// The group of the first `least`, 2 `least`, 4 `least` ... of `is_on` whose share of true has the
/// highest lower confidence limit (Wilson 1927, 3 standard errors); the largest of equal ones.
struct TopGroup {
  double share = 0;
  double error = 0;        ///< as if one more had been true and one more false
  std::size_t n_rows = 0;  ///< 0: fewer than `least` rows
};
TopGroup surest_top_group(const std::vector<bool>& is_on, std::size_t least);

}  // namespace orrery::anchored
