#include "model/qmr_parameters.hpp"

#include <cmath>
#include <numbers>

namespace orrery::model {
namespace {

double log_normal_within(double median, double sigma, double low, double high, RowRandom& random) {
  while (true) {
    const double value = log_normal(median, sigma, random);
    if (value >= low && value <= high) return value;
  }
}

}  // namespace

std::size_t class_of_rank(double rank) {
  double until = 0;
  for (std::size_t i = 0; i + 1 < class_share.size(); ++i) {
    until += class_share[i];
    if (rank < until) return i;
  }
  return class_share.size() - 1;
}

double log_normal(double median, double sigma, RowRandom& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));  // Box and Muller
  const double normal = radius * std::cos(2 * std::numbers::pi * random.uniform());
  return median * std::exp(sigma * normal);
}

double draw_prior(RowRandom& random) { return log_normal_within(0.0015, 1, 0.0002, 0.06, random); }

double draw_leak(RowRandom& random) { return log_normal_within(0.001, 1, 0.0001, 0.02, random); }

RowRandom cause_parameters(std::uint64_t seed, std::uint32_t cause) {
  return {seed, Stream::parameters, cause};
}

RowRandom observed_parameters(std::uint64_t seed, std::uint32_t observed) {
  constexpr std::uint64_t first_row = std::uint64_t{1} << 41U;
  return {seed, Stream::parameters, first_row + observed};
}

}  // namespace orrery::model
