#include "families/noisy_or/anchored/moments/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "orrery/base/error.hpp"

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

namespace {

using model::SubsetTables;
using SetView = std::span<const std::uint32_t>;

void check_rates(const AnchorTables& anchors) {
  const std::size_t n = anchors.observed.n_variables();
  if (anchors.rates.size() != n) {
    throw InputError(fmt::format("anchors' rates: {} pairs for {} causes; give one per cause",
                                 anchors.rates.size(), n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto [off, on] = anchors.rates[i];
    if (off >= 0 && off <= 1 && on >= 0 && on <= 1 && off != on) continue;
    throw InputError(
        fmt::format("anchor of cause {}: P(1|0) = {} and P(1|1) = {}; they must be "
                    "probabilities that differ",
                    i, off, on));
  }
}

void check_tables(const SubsetTables& observed) {
  for (std::size_t size = 1; size <= observed.order(); ++size) {
    observed.for_each_set(size, [&](SetView set) {
      double sum = 0;
      for (const double cell : observed.table(set)) sum += cell >= 0 ? cell : std::nan("");
      if (std::abs(sum - 1) < 1e-6) return;
      throw InputError(
          fmt::format("table of the anchors of causes {}: cells of sum {}; they must "
                      "be probabilities of sum 1",
                      fmt::join(set, ", "), sum));
    });
  }
}

double divergence(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  }
  return sum;
}

}  // namespace

double recover_single(double observed_on, const std::array<double, 2>& rates) {
  return std::clamp((observed_on - rates[0]) / (rates[1] - rates[0]), 0.0, 1.0);
}

SubsetTables independent_tables(std::span<const double> on, std::size_t order) {
  SubsetTables tables(on.size(), order);
  for (std::size_t size = 1; size <= order; ++size) {
    tables.for_each_set(size, [&](SetView set) {
      const std::span<double> table = tables.table(set);
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        table[cell] = 1;
        for (std::size_t i = 0; i < size; ++i) {
          table[cell] *= ((cell >> i) & 1U) != 0 ? on[set[i]] : 1 - on[set[i]];
        }
      }
    });
  }
  return tables;
}

Objective::Objective(const AnchorTables& anchors, double regularise)
    : anchors_(anchors), regularise_(regularise) {
  check_rates(anchors);
  check_tables(anchors.observed);
  if (!(regularise >= 0 && std::isfinite(regularise))) {
    throw InputError(fmt::format("regulariser {}: it must be a number of at least 0", regularise));
  }
  std::vector<double> on(anchors.rates.size());
  for (std::uint32_t i = 0; i < on.size(); ++i) {
    on[i] = recover_single(anchors.observed.on(i), anchors.rates[i]);
  }
  independent_ = independent_tables(on, anchors.observed.order());
}

std::vector<std::array<double, 2>> Objective::rates_of(SetView set) const {
  std::vector<std::array<double, 2>> rates;
  for (const std::uint32_t member : set) rates.push_back(anchors_.rates[member]);
  return rates;
}

double Objective::value(const SubsetTables& moments) const {
  double sum = 0;
  std::vector<double> shown;
  for (std::size_t size = 1; size <= moments.order(); ++size) {
    moments.for_each_set(size, [&](SetView set) {
      const auto table = moments.table(set);
      shown.assign(table.begin(), table.end());
      apply_noise(shown, rates_of(set));
      sum += divergence(anchors_.observed.table(set), shown);
      if (regularise_ > 0) sum += regularise_ * divergence(independent_.table(set), table);
    });
  }
  return sum;
}

SubsetTables Objective::gradient(const SubsetTables& moments) const {
  SubsetTables result = moments;
  for (std::size_t size = 1; size <= moments.order(); ++size) {
    moments.for_each_set(size, [&](SetView set) {
      const auto table = result.table(set);
      const auto rates = rates_of(set);
      const auto observed = anchors_.observed.table(set);
      apply_noise(table, rates);
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        table[cell] = observed[cell] > 0 ? -observed[cell] / table[cell] : 0;  // KL to R mu
      }
      apply_transposed_noise(table, rates);
      if (regularise_ == 0) return;
      const auto independent = independent_.table(set);
      const auto at = moments.table(set);
      for (std::size_t cell = 0; cell < table.size(); ++cell) {
        if (independent[cell] > 0) table[cell] -= regularise_ * independent[cell] / at[cell];
      }
    });
  }
  return result;
}

}  // namespace orrery::anchored
