// Parameters of singly-coupled variables, and what learned causes do to moments.
//
//   paper                 code                          Jernite, Halpern, Sontag 2013
//   M1 = P(b, c, a=0)     off                           Eq. (2)
//   M2 = P(b, c, a=1)     both - off
//   l1 < l2               1 / off_without - 1,          eigenvalues of M2 M1^-1
//                         1 / off_with - 1
//   R                     cpmi                          Sec. 2.2
//   p_{A | x off}         posterior                     Eqs. (4), (5)
#include "moments/negative_moments.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::moments {
namespace {

constexpr double rounding = 1e-12;           // a probability this small may be 0
constexpr double least_determinant = 1e-15;  // below: independent but for rounding

/// P(b, c | given mask of offs) as a table: row b off/on, column c off/on.
Eigen::Matrix2d table(double none, double b_off, double c_off, double both_off) {
  Eigen::Matrix2d joint;
  joint << both_off, b_off - both_off, c_off - both_off, none - b_off - c_off + both_off;
  return joint;
}

double determinant_of(const Eigen::Matrix2d& m) { return m(0, 0) * m(1, 1) - m(1, 0) * m(0, 1); }

// The eigenvalues mu of M1 (M1 + M2)^-1 are P(a off | class), and 1 + l = 1 / mu: unlike l they
// stay finite where M1 is singular, at f_{X,a} = 0.
std::optional<MixtureView> fit_view(const TripletMoments& negative, std::size_t k) {
  const std::size_t a = std::size_t{1} << k;
  const std::size_t b = std::size_t{1} << ((k + 1) % 3);
  const std::size_t c = std::size_t{1} << ((k + 2) % 3);
  const Eigen::Matrix2d off =
      table(negative[a], negative[a | b], negative[a | c], negative[a | b | c]);
  const Eigen::Matrix2d both = table(negative[0], negative[b], negative[c], negative[b | c]);
  // det(off - mu both) = 0.
  const double mixed = off(0, 0) * both(1, 1) - off(0, 1) * both(1, 0) +
                       (off(1, 1) * both(0, 0) - off(1, 0) * both(0, 1));
  const double determinant = determinant_of(both);
  if (!(std::abs(determinant) > least_determinant)) return std::nullopt;
  const double half_sum = mixed / (2 * determinant);
  const double product = determinant_of(off) / determinant;
  const double discriminant = half_sum * half_sum - product;
  if (!(discriminant > 0)) return std::nullopt;
  const double off_without = half_sum + std::sqrt(discriminant);  // X off: a is likelier off
  double off_with = product / off_without;                        // X on
  if (std::abs(off_with) < rounding) off_with = 0;
  if (!(off_without > 0 && off_with >= 0)) return std::nullopt;
  // f_{X,a} = (1 + l1) / (1 + l2); p_X = (1 + l2) / (l2 - l1) 1'(M2 - l1 M1)1, so that
  // P(a off) = (1 - p_X) mu1 + p_X mu2.                                                  Eq. (2)
  const MixtureView view{(off_without - negative[a]) / (off_without - off_with),
                         off_with / off_without};
  if (!(view.prior > 0 && view.prior < 1)) return std::nullopt;
  return view;
}

}  // namespace

std::array<std::optional<MixtureView>, 3> fit_mixture(const TripletMoments& negative) {
  return {fit_view(negative, 0), fit_view(negative, 1), fit_view(negative, 2)};
}

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double mutual_information(const TripletMoments& negative) {
  return negative[3] / (negative[1] * negative[2]);
}

double conditional_mutual_information(const TripletMoments& negative) {
  return negative[7] * negative[4] / (negative[5] * negative[6]);
}

double information_gap(const TripletMoments& negative) {
  return mutual_information(negative) - conditional_mutual_information(negative);
}

double failure_from_information(double cpmi, double prior, double failure_a, double failure_b) {
  // R (f_a - 1)(f_b - 1) z^2 + [R (f_a + f_b - 2) - (f_a f_b - 1)] z + R - 1 = 0.     Eq. (5)
  const double square = cpmi * (failure_a - 1) * (failure_b - 1);
  const double linear = cpmi * (failure_a + failure_b - 2) - (failure_a * failure_b - 1);
  const double constant = cpmi - 1;
  const double discriminant = linear * linear - 4 * square * constant;
  if (!(discriminant >= 0)) return 1;
  // The smaller root. linear < 0 wherever R is attainable; this form does not cancel.
  const double root = std::sqrt(discriminant);
  const double posterior =
      linear < 0 ? 2 * constant / (-linear + root) : (-linear - root) / (2 * square);
  if (!(posterior > 0)) return 0;
  if (posterior >= prior) return 1;
  return posterior * (1 - prior) / (prior * (1 - posterior));  // Eq. (6)
}

void Subtraction::add(double prior, std::span<const double> failures, double prior_error,
                      std::span<const double> failure_errors) {
  priors_.push_back(prior);
  failures_.insert(failures_.end(), failures.begin(), failures.end());
  prior_errors_.push_back(prior_error);
  failure_errors_.insert(failure_errors_.end(), failure_errors.begin(), failure_errors.end());
  failure_errors_.resize(failures_.size(), 0.0);
}

double Subtraction::factor(std::span<const std::size_t> set) const {
  double product = 1;
  for (std::size_t cause = 0; cause < n_causes(); ++cause) {
    double failures = 1;
    for (const std::size_t x : set) failures *= failure(cause, x);
    product *= cause_factor(priors_[cause], failures);
  }
  return product;
}

void Subtraction::factors(std::initializer_list<std::size_t> set, std::size_t first,
                          std::span<double> factors) const {
  std::fill(factors.begin() + static_cast<std::ptrdiff_t>(first), factors.end(), 1.0);
  for (std::size_t cause = 0; cause < n_causes(); ++cause) {
    double failures = 1;
    for (const std::size_t x : set) failures *= failure(cause, x);
    const double absent = 1 - priors_[cause];
    const double scale = priors_[cause] * failures;
    const double* row = failures_.data() + cause * n_observed_;
    for (std::size_t d = first; d < n_observed_; ++d) factors[d] *= absent + scale * row[d];
  }
}

TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members) {
  return adjusted_triplet(moments, learned, members,
                          moments.triple(members[0], members[1], members[2]));
}

TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members, double triple) {
  const auto [a, b, c] = members;
  return {1,
          moments.single(a) / learned.factor({a}),
          moments.single(b) / learned.factor({b}),
          moments.pair(a, b) / learned.factor({a, b}),
          moments.single(c) / learned.factor({c}),
          moments.pair(a, c) / learned.factor({a, c}),
          moments.pair(b, c) / learned.factor({b, c}),
          triple / learned.factor({a, b, c})};
}

QuartetMoments adjusted_quartet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 4>& members) {
  const auto [a, b, c, d] = members;
  const TripletMoments abc = adjusted_triplet(moments, learned, {a, b, c});
  const TripletMoments abd = adjusted_triplet(moments, learned, {a, b, d});
  const TripletMoments acd = adjusted_triplet(moments, learned, {a, c, d});
  const TripletMoments bcd = adjusted_triplet(moments, learned, {b, c, d});
  return {1,      abc[1], abc[2], abc[3],
          abc[4], abc[5], abc[6], abc[7],
          abd[4], abd[5], abd[6], abd[7],
          acd[6], acd[7], bcd[7], moments.quartet(a, b, c, d) / learned.factor({a, b, c, d})};
}

}  // namespace orrery::moments
