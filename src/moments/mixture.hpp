// The two-class mixture behind a singly-coupled triplet, and one more child of its class.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "moments/joint_table.hpp"

namespace orrery::moments {

/// Eq. (2) of Jernite et al. 2013 with the k-th variable in the role of `a`.
struct MixtureView {
  double prior = 0;    ///< p_X, in (0, 1)
  double failure = 0;  ///< f_{X,a}, in [0, 1): X is on in the class in which `a` is rarer off
};
/// The three views of a triplet; a view is empty where the decomposition is not real (b and c
/// independent, complex eigenvalues, a probability below 0, a prior outside (0, 1)): the triplet is
/// then no mixture.
std::array<std::optional<MixtureView>, 3> fit_mixture(const TripletMoments& negative);

/// Median (mean of the middle two for an even number); `values` must not be empty.
double median(std::span<const double> values);

/// CPMI(a, b | x) = P(ab|x) / (P(a|x) P(b|x)), everything off; triplet order a, b, x (Sec. 2.2).
double conditional_mutual_information(const TripletMoments& negative);
/// PMI(a, b) = P(ab) / (P(a) P(b)), everything off; of the first two variables.
double mutual_information(const TripletMoments& negative);
/// PMI(a, b) - CPMI(a, b | x): positive iff the three share a parent (Lemma 2). NaN if a
/// probability is 0.
double information_gap(const TripletMoments& negative);

/// f_{A,x} from R = CPMI(a, b | x), where A alone couples a and b (Eqs. 5 and 6); in [0, 1].
/// prior < 1/2. Estimates beyond the ends are set to the ends: R below 1 means 0; R above what
/// p_{A|x off} = p_A allows means 1 (no edge).
double failure_from_information(double cpmi, double prior, double failure_a, double failure_b);

}  // namespace orrery::moments
