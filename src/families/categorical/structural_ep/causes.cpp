#include "families/categorical/structural_ep/causes.hpp"

#include <algorithm>

namespace orrery::structural_ep {

CauseMoments cause_moments(Approximation& approximation) {
  const Shape& shape = approximation.shape();
  const std::size_t n = shape.n_causes * shape.cardinality;
  const auto sums = approximation.rows().sum(
      n + n * n, [&](std::size_t row, int thread, std::span<double> sums_of) {
        approximation.beliefs(thread).gather(approximation.view(row), false);
        const auto q = approximation.beliefs(thread).causes();
        for (std::size_t a = 0; a < n; ++a) {
          sums_of[a] += q[a];
          for (std::size_t b = 0; b < n; ++b) sums_of[n + a * n + b] += q[a] * q[b];
        }
      });
  CauseMoments moments;
  moments.single.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(n));
  moments.pair.assign(sums.begin() + static_cast<std::ptrdiff_t>(n), sums.end());
  return moments;
}

std::vector<std::vector<std::uint8_t>> cause_states(Approximation& approximation) {
  const Shape& shape = approximation.shape();
  const std::size_t j_all = shape.cardinality;
  std::vector<std::vector<std::uint8_t>> states(
      shape.n_causes, std::vector<std::uint8_t>(approximation.rows().size()));
  approximation.rows().for_each([&](std::size_t row, int thread) {
    RowBeliefs& of_row = approximation.beliefs(thread);
    of_row.gather(approximation.view(row), false);
    for (std::size_t k = 0; k < shape.n_causes; ++k) {
      const auto of_cause = of_row.causes().subspan(k * j_all, j_all);
      states[k][row] =
          static_cast<std::uint8_t>(std::ranges::max_element(of_cause) - of_cause.begin());
    }
  });
  return states;
}

std::size_t hold_causes(Approximation& approximation, double certainty) {
  const Shape& shape = approximation.shape();
  const std::size_t j_all = shape.cardinality;
  const auto sums =
      approximation.rows().sum(1, [&](std::size_t row, int thread, std::span<double> sum) {
        approximation.beliefs(thread).gather(approximation.view(row), false);
        const auto q = approximation.beliefs(thread).causes();
        for (std::size_t k = 0; k < shape.n_causes; ++k) {
          for (std::size_t j = 0; j < j_all; ++j) {
            if (q[k * j_all + j] <= certainty) continue;
            approximation.hold_cause(row, k, static_cast<std::uint8_t>(j));
            sum[0] += 1;
          }
        }
      });
  return static_cast<std::size_t>(sums[0]);
}

}  // namespace orrery::structural_ep
