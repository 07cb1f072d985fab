#include "families/sign_tree/hidden_tree/sign_pair.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::hidden_tree {

ObservedMoments observed_moments(const Cells& cells) {
  const double n = cells.n + 1.0;
  const double a_on = (cells.a_on + .5) / n;
  const double b_on = (cells.b_on + .5) / n;
  const double both_on = (cells.both_on + .25) / n;
  return {2 * a_on - 1, 2 * b_on - 1, 1 - 2 * (a_on + b_on - 2 * both_on)};
}

double hidden_mean(double observed, double crossover, std::uint64_t n, std::size_t& moved) {
  const double mean = observed / (1 - 2 * crossover);
  const double most = 1 - 1 / (static_cast<double>(n) + 1);
  if (std::abs(mean) <= most) return mean;
  ++moved;
  return std::clamp(mean, -most, most);
}

double hidden_moment(double observed, double crossover, double mean_a, double mean_b,
                     std::size_t& moved) {
  const double keep = 1 - 2 * crossover;
  const double moment = observed / (keep * keep);
  const double least = std::abs(mean_a + mean_b) - 1;
  const double most = 1 - std::abs(mean_a - mean_b);
  if (moment >= least && moment <= most) return moment;
  ++moved;
  return std::clamp(moment, least, most);
}

double FreeWeights::operator()(const Cells& cells) const {
  if (cells.n == 0) return 0;
  const ObservedMoments observed = observed_moments(cells);
  std::size_t moved = 0;
  const double a = hidden_mean(observed.a, crossover, cells.n, moved);
  const double b = hidden_mean(observed.b, crossover, cells.n, moved);
  const double ab = hidden_moment(observed.ab, crossover, a, b, moved);
  double information = 0;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) {
      const double cell = (1 + x * a + y * b + x * y * ab) / 4;
      const double independent = (1 + x * a) * (1 + y * b) / 4;
      if (cell > 0) information += cell * std::log(cell / independent);
    }
  }
  return information;
}

}  // namespace orrery::hidden_tree
