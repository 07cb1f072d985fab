// Parameters of singly-coupled variables.
//
//   paper                 code                          Jernite, Halpern, Sontag 2013
//   M1 = P(b, c, a=0)     off                           Eq. (2)
//   M2 = P(b, c, a=1)     on
//   l1 < l2               low, high                     eigenvalues of M2 M1^-1
//   R                     cpmi                          Sec. 2.2
//   p_{A | x off}         posterior                     Eqs. (4), (5)
#include "orrery/moments/mixture.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::moments {
namespace {

/// P(b, c | given mask of offs) as a table: row b off/on, column c off/on.
Eigen::Matrix2d table(double none, double b_off, double c_off, double both_off) {
  Eigen::Matrix2d joint;
  joint << both_off, b_off - both_off, c_off - both_off, none - b_off - c_off + both_off;
  return joint;
}

std::optional<MixtureView> fit_view(const TripletMoments& negative, std::size_t k) {
  const std::size_t a = std::size_t{1} << k;
  const std::size_t b = std::size_t{1} << ((k + 1) % 3);
  const std::size_t c = std::size_t{1} << ((k + 2) % 3);
  const Eigen::Matrix2d off =
      table(negative[a], negative[a | b], negative[a | c], negative[a | b | c]);
  const Eigen::Matrix2d on = table(negative[0], negative[b], negative[c], negative[b | c]) - off;
  const double determinant = off.determinant();
  if (determinant == 0) return std::nullopt;
  const Eigen::Matrix2d ratio = on * off.inverse();
  const double half_trace = ratio.trace() / 2;
  const double discriminant = half_trace * half_trace - on.determinant() / determinant;
  if (!(discriminant > 0)) return std::nullopt;
  const double low = half_trace - std::sqrt(discriminant);
  const double high = half_trace + std::sqrt(discriminant);
  if (!(1 + low > 0)) return std::nullopt;
  // p_X = (1 + l2) / (l2 - l1) 1'(M2 - l1 M1)1, f_{X,a} = (1 + l1) / (1 + l2).       Eq. (2)
  const MixtureView view{(1 + high) / (high - low) * (on.sum() - low * off.sum()),
                         (1 + low) / (1 + high)};
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

}  // namespace orrery::moments
