#include "families/noisy_or/anchored/structure/sampling_noise.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
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

namespace {

double critical_value(double freedom, double alpha) {
  using boost::math::chi_squared_distribution;
  return quantile(complement(chi_squared_distribution<double>(freedom), alpha));
}

/// The four cells of a and b in a state of the others.
struct Square {
  std::size_t cell;
  std::size_t a_on;
  std::size_t b_on;
  double state;  ///< P(state of the others)
  double a;      ///< P(a = 1 | state)
  double b;
};

Square square_at(std::span<const double> table, std::size_t cell, std::size_t a, std::size_t b) {
  Square square{cell, std::size_t{1} << a, std::size_t{1} << b, 0, 0, 0};
  const double both = table[cell | square.a_on | square.b_on];
  const double a_alone = table[cell | square.a_on];
  const double b_alone = table[cell | square.b_on];
  square.state = table[cell] + a_alone + b_alone + both;
  if (square.state > 0) {
    square.a = (a_alone + both) / square.state;
    square.b = (b_alone + both) / square.state;
  }
  return square;
}

std::vector<Square> squares_of(std::span<const double> table, std::size_t a, std::size_t b) {
  std::vector<Square> squares;
  for_each_state_without(
      table.size(), (std::size_t{1} << a) | (std::size_t{1} << b),
      [&](std::size_t cell) { squares.push_back(square_at(table, cell, a, b)); });
  return squares;
}

/// The table in which a and b are independent given the others, and which is else the same.
std::vector<double> without_dependence(std::vector<double> table,
                                       const std::vector<Square>& squares) {
  for (const Square& s : squares) {
    table[s.cell] = s.state * (1 - s.a) * (1 - s.b);
    table[s.cell | s.a_on] = s.state * s.a * (1 - s.b);
    table[s.cell | s.b_on] = s.state * (1 - s.a) * s.b;
    table[s.cell | s.a_on | s.b_on] = s.state * s.a * s.b;
  }
  return table;
}

/// Neither a nor b is certain there.
double spread(const Square& s) { return s.state * s.a * (1 - s.a) * s.b * (1 - s.b); }

}  // namespace

SamplingNoise::SamplingNoise(double n_samples, std::span<const std::array<double, 2>> rates)
    : n_samples_(n_samples) {
  for (const auto& [off, on] : rates) {
    Axis axis{};
    const double det = on - off;
    axis.to_anchor = {1 - off, 1 - on, off, on};
    axis.inverse = {on / det, (on - 1) / det, -off / det, (1 - off) / det};
    for (std::size_t i = 0; i < 4; ++i) axis.inverse_squared[i] = axis.inverse[i] * axis.inverse[i];
    axis.inverse_transposed = {axis.inverse[0], axis.inverse[2], axis.inverse[1], axis.inverse[3]};
    axes_.push_back(axis);
  }
}

std::vector<double> SamplingNoise::along(std::span<const std::uint32_t> set,
                                         std::span<const double> cells,
                                         Matrix Axis::*matrix) const {
  std::vector<double> out(cells.begin(), cells.end());
  for (std::size_t member = 0; member < set.size(); ++member) {
    const Matrix& m = axes_[set[member]].*matrix;
    const std::size_t bit = std::size_t{1} << member;
    for_each_state_without(out.size(), bit, [&](std::size_t cell) {
      const double off = out[cell];
      const double on = out[cell | bit];
      out[cell] = m[0] * off + m[1] * on;
      out[cell | bit] = m[2] * off + m[3] * on;
    });
  }
  return out;
}

std::vector<double> SamplingNoise::above_noise(std::span<const std::uint32_t> set,
                                               std::span<const double> table) const {
  const std::vector<double> anchors = along(set, table, &Axis::to_anchor);
  const std::vector<double> squares = along(set, anchors, &Axis::inverse_squared);
  std::vector<double> floored(table.begin(), table.end());
  double sum = 0;
  for (std::size_t cell = 0; cell < floored.size(); ++cell) {
    const double variance = std::max(0.0, squares[cell] - table[cell] * table[cell]) / n_samples_;
    floored[cell] = std::max({table[cell], std::sqrt(variance), 1 / n_samples_});
    sum += floored[cell];
  }
  for (double& cell : floored) cell /= sum;
  return floored;
}

double SamplingNoise::parameters(std::span<const std::uint32_t> set, std::span<const double> table,
                                 std::size_t child) const {
  if (axes_.empty()) return static_cast<double>(table.size()) / 2;
  const std::vector<double> p = above_noise(set, table);
  const std::vector<double> q = along(set, p, &Axis::to_anchor);
  const std::size_t bit = std::size_t{1} << child;
  std::vector<double> contrast(table.size());
  double sum = 0;
  for_each_state_without(table.size(), bit, [&](std::size_t cell) {
    const double state = p[cell] + p[cell | bit];
    const double on = p[cell | bit] / state;
    std::fill(contrast.begin(), contrast.end(), 0);
    contrast[cell] = -on;
    contrast[cell | bit] = 1 - on;
    const std::vector<double> w = along(set, contrast, &Axis::inverse_transposed);
    double variance = 0;
    for (std::size_t i = 0; i < q.size(); ++i) variance += q[i] * w[i] * w[i];
    sum += variance / (state * on * (1 - on));
  });
  return sum;
}

std::array<double, 2> SamplingNoise::traces(std::span<const std::uint32_t> set,
                                            std::span<const double> table, std::size_t a,
                                            std::size_t b) const {
  const std::vector<double> above = above_noise(set, table);
  const std::vector<Square> squares = squares_of(above, a, b);
  const std::vector<double> p = without_dependence(above, squares);
  const std::vector<double> q = along(set, p, &Axis::to_anchor);
  std::vector<std::vector<double>> w;
  for (const Square& s : squares) {
    std::vector<double> contrast(table.size(), 0);
    const double scale = 1 / std::sqrt(spread(s));
    contrast[s.cell] = scale * s.a * s.b;
    contrast[s.cell | s.a_on] = -scale * (1 - s.a) * s.b;
    contrast[s.cell | s.b_on] = -scale * s.a * (1 - s.b);
    contrast[s.cell | s.a_on | s.b_on] = scale * (1 - s.a) * (1 - s.b);
    w.push_back(along(set, contrast, &Axis::inverse_transposed));
  }
  std::array<double, 2> traces{};
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < w.size(); ++j) {
      double covariance = 0;
      for (std::size_t k = 0; k < q.size(); ++k) covariance += q[k] * w[i][k] * w[j][k];
      if (i == j) traces[0] += covariance;
      traces[1] += covariance * covariance;
    }
  }
  return traces;
}

IndependenceTest SamplingNoise::test(std::span<const std::uint32_t> set,
                                     std::span<const double> table, std::size_t a, std::size_t b,
                                     double alpha) const {
  IndependenceTest test;
  test.statistic = 2 * n_samples_ * conditional_information(table, a, b);
  if (axes_.empty()) {
    // States that do not occur, or in which a or b is certain, test nothing.
    const std::vector<Square> squares = squares_of(table, a, b);
    const auto freedom = std::count_if(squares.begin(), squares.end(),
                                       [](const Square& s) { return spread(s) > 0; });
    if (freedom > 0) test.critical = critical_value(static_cast<double>(freedom), alpha);
    return test;
  }
  const auto [mean, square] = traces(set, table, a, b);
  test.critical = square / mean * critical_value(mean * mean / square, alpha);
  return test;
}

}  // namespace orrery::anchored
