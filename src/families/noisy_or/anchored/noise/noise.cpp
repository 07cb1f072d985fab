#include "families/noisy_or/anchored/noise/noise.hpp"

#include <cstddef>

namespace orrery::anchored {
namespace {

/// Applies the 2 x 2 matrix that `matrix` gives of each member along that member's axis.
template <class Matrix>  // std::array<double, 4>(const Rates&): rows of the matrix
void along_axes(std::span<double> table, std::span<const Rates> rates, const Matrix& matrix) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::array<double, 4> m = matrix(rates[i]);
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
      if ((cell & bit) != 0) continue;
      const double off = table[cell];
      const double on = table[cell | bit];
      table[cell] = m[0] * off + m[1] * on;
      table[cell | bit] = m[2] * off + m[3] * on;
    }
  }
}

}  // namespace

void apply_noise(std::span<double> table, std::span<const Rates> rates) {
  along_axes(table, rates, [](const Rates& r) {
    return std::array{1 - r[0], 1 - r[1], r[0], r[1]};
  });
}

void apply_transposed_noise(std::span<double> table, std::span<const Rates> rates) {
  along_axes(table, rates, [](const Rates& r) {
    return std::array{1 - r[0], r[0], 1 - r[1], r[1]};
  });
}

void remove_noise(std::span<double> table, std::span<const Rates> rates) {
  along_axes(table, rates, [](const Rates& r) {
    const double determinant = r[1] - r[0];
    return std::array{r[1] / determinant, (r[1] - 1) / determinant, -r[0] / determinant,
                      (1 - r[0]) / determinant};
  });
}

}  // namespace orrery::anchored
