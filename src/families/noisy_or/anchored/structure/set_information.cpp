#include "families/noisy_or/anchored/structure/set_information.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery::anchored {
namespace {

/// p log(p / q), 0 where p is.
double relative(double p, double q) { return p > 0 ? p * std::log(p / q) : 0; }

}  // namespace

double entropy(double on) { return -relative(on, 1) - relative(1 - on, 1); }

double information(std::span<const double> table, std::size_t member) {
  const std::size_t bit = std::size_t{1} << member;
  std::array<double, 2> own{};
  for (std::size_t cell = 0; cell < table.size(); ++cell) own[(cell & bit) != 0] += table[cell];
  double sum = 0;
  for_each_state_without(table.size(), bit, [&](std::size_t cell) {
    const double state = table[cell] + table[cell | bit];
    sum += relative(table[cell], state * own[0]) + relative(table[cell | bit], state * own[1]);
  });
  return std::max(sum, 0.0);  // rounding
}

double conditional_information(std::span<const double> table, std::size_t a, std::size_t b) {
  const std::size_t a_on = std::size_t{1} << a;
  const std::size_t b_on = std::size_t{1} << b;
  double sum = 0;
  for_each_state_without(table.size(), a_on | b_on, [&](std::size_t cell) {
    const double p00 = table[cell];
    const double p10 = table[cell | a_on];
    const double p01 = table[cell | b_on];
    const double p11 = table[cell | a_on | b_on];
    const double state = p00 + p10 + p01 + p11;
    if (state <= 0) return;
    sum += relative(p00, (p00 + p10) * (p00 + p01) / state) +
           relative(p10, (p00 + p10) * (p10 + p11) / state) +
           relative(p01, (p01 + p11) * (p00 + p01) / state) +
           relative(p11, (p01 + p11) * (p10 + p11) / state);
  });
  return std::max(sum, 0.0);
}

}  // namespace orrery::anchored
