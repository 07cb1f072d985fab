// What Jernite, Halpern, Sontag 2013 make of negative moments: joint tables of four variables, the
// mixture behind a triplet, and the moments with learned causes subtracted off.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "moments/moment_source.hpp"

namespace orrery::moments {

// Joint tables of four binary variables from their negative moments, and back.
//
// Sets of the four variables are masks: bit k stands for the k-th variable. negative[S] = P(all of
// S off), negative[0] = 1; cells[S] = P(exactly S off, the others on).

using QuartetMoments = std::array<double, 16>;
using TripletMoments = std::array<double, 8>;  ///< the same of three variables
using QuartetCells = std::array<double, 16>;

/// Inclusion-exclusion over supersets (Moebius transform): 32 subtractions.
inline QuartetCells cells_from_negative(QuartetMoments negative) {
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) negative[set] -= negative[set | bit];
    }
  }
  return negative;
}

/// The reverse: sums over supersets.
inline QuartetMoments negative_from_cells(QuartetCells cells) {
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) cells[set] += cells[set | bit];
    }
  }
  return cells;
}

/// The factor of one cause in a negative moment: 1 - p + p * (product of its failures over the
/// set). Dividing by it subtracts the cause off (Jernite et al. 2013, Eq. 3).
inline double cause_factor(double prior, double failure_product) {
  return 1 - prior + prior * failure_product;
}

// The two-class mixture behind a singly-coupled triplet, and one more child of its class.

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

// The learned causes, as divisors of negative moments, and the moments with these causes subtracted
// off: JOINT and ADJUST of Jernite, Halpern, Sontag 2013 (Algorithm 1, lines 4 and 5; Eq. 3).

class Subtraction {
 public:
  explicit Subtraction(std::size_t n_observed) : n_observed_(n_observed) {}

  /// `failures`: m values, 1 where there is no edge. The errors are standard errors (m values a
  /// cause; left out: exact).
  void add(double prior, std::span<const double> failures, double prior_error = 0,
           std::span<const double> failure_errors = {});

  [[nodiscard]] std::size_t n_causes() const noexcept { return priors_.size(); }
  [[nodiscard]] bool empty() const noexcept { return priors_.empty(); }
  [[nodiscard]] double prior(std::size_t cause) const noexcept { return priors_[cause]; }
  [[nodiscard]] double failure(std::size_t cause, std::size_t observed) const noexcept {
    return failures_[cause * n_observed_ + observed];
  }
  /// Standard errors; 0 where the parameter is exact.
  [[nodiscard]] double prior_error(std::size_t cause) const noexcept {
    return prior_errors_[cause];
  }
  [[nodiscard]] double failure_error(std::size_t cause, std::size_t observed) const noexcept {
    return failure_errors_[cause * n_observed_ + observed];
  }
  /// Product over causes of 1 - p + p * (product of failures over `set`): divide the moment of
  /// `set` by it. O(causes * |set|).
  [[nodiscard]] double factor(std::span<const std::size_t> set) const;
  [[nodiscard]] double factor(std::initializer_list<std::size_t> set) const {
    return factor(std::span(set.begin(), set.size()));
  }
  /// factors[d] = factor(set + {d}) for first <= d < m. O(causes * (m - first)).
  void factors(std::initializer_list<std::size_t> set, std::size_t first,
               std::span<double> factors) const;

 private:
  std::size_t n_observed_;
  std::vector<double> priors_;
  std::vector<double> failures_;  // causes x m
  std::vector<double> prior_errors_;
  std::vector<double> failure_errors_;  // causes x m
};

/// P(S off) for the sets S of `members`, divided by the factors of the learned causes; bit k of a
/// set's mask is members[k]. One triple moment.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members);
/// The same with that triple moment given.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members, double triple);
/// The same for four variables. Four triple moments and one quartet moment.
QuartetMoments adjusted_quartet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 4>& members);

/// The leak that counts leave to a variable once its causes are subtracted off. `off`: the share of
/// rows in which the variable is off, divided by what its causes make of it (Eq. 3 of Jernite,
/// Halpern, Sontag 2013); noise may push it out of [0, 1]. From n_samples rows the leak is held
/// half a row inside (0, 1): a leak of 0 would call a row impossible because no row like it was
/// seen. Exact moments (n_samples 0) may have leaks of 0 and 1.
[[nodiscard]] inline double leak_of(double off, std::uint64_t n_samples) {
  const double least = n_samples > 0 ? 0.5 / static_cast<double>(n_samples) : 0;
  return std::clamp(1 - off, least, 1 - least);
}

}  // namespace orrery::moments
