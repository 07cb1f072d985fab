// Purpose: where the table of a set of variables stands.
// Method: the sets of a size in colexicographic order are numbered by the combinatorial number
//         system: the number of {c_1 < ... < c_s} is sum_i C(c_i, i).
// Cost: O(s) a look-up.
#include "orrery/model/subset_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 27U;  // 1 GiB

/// C(n, k). Each division is exact: what is divided is C(n, i + 1) (i + 1).
template <class Number>
Number binomial(std::size_t n, std::size_t k) noexcept {
  if (k > n) return 0;
  Number product = 1;
  for (std::size_t i = 0; i < k; ++i) {
    product = product * static_cast<Number>(n - i) / static_cast<Number>(i + 1);
  }
  return product;
}

}  // namespace

std::size_t SubsetTables::n_cells(std::size_t n_variables, std::size_t order) noexcept {
  double cells = 0;  // in floating point, where it cannot overflow; exact as far as it is of use
  for (std::size_t s = 1; s <= order; ++s) {
    cells += binomial<double>(n_variables, s) * static_cast<double>(std::size_t{1} << s);
  }
  return cells <= static_cast<double>(most_cells) ? static_cast<std::size_t>(cells)
                                                  : std::numeric_limits<std::size_t>::max();
}

SubsetTables::SubsetTables(std::size_t n_variables, std::size_t order)
    : n_(n_variables), order_(order) {
  if (order < 1 || order > max_order) {
    throw InputError(
        fmt::format("tables of sets of up to {} variables: 1 to {} is needed", order, max_order));
  }
  const std::size_t n = n_cells(n_variables, order);
  if (n > most_cells) {
    throw InputError(fmt::format(
        "tables of all sets of up to {} of {} variables have more than {} numbers; take a lower "
        "order or fewer variables",
        order, n_variables, most_cells));
  }
  for (std::size_t s = 1; s < order; ++s) first_[s + 1] = first_[s] + (n_sets(s) << s);
  cells_.assign(n, 0);
}

std::size_t SubsetTables::n_sets(std::size_t size) const noexcept {
  return size == 0 || size > order_ ? 0 : binomial<std::size_t>(n_, size);
}

std::size_t SubsetTables::offset(std::span<const std::uint32_t> set) const noexcept {
  assert(!set.empty() && set.size() <= order_ && set.back() < n_);
  assert(std::ranges::adjacent_find(set, std::ranges::greater_equal{}) == set.end());
  std::size_t number = 0;
  for (std::size_t i = 0; i < set.size(); ++i) number += binomial<std::size_t>(set[i], i + 1);
  return first_[set.size()] + (number << set.size());
}

std::span<double> SubsetTables::table(std::span<const std::uint32_t> set) noexcept {
  return {cells_.data() + offset(set), std::size_t{1} << set.size()};
}

std::span<const double> SubsetTables::table(std::span<const std::uint32_t> set) const noexcept {
  return {cells_.data() + offset(set), std::size_t{1} << set.size()};
}

double SubsetTables::on(std::uint32_t variable) const noexcept {
  return cells_[2 * std::size_t{variable} + 1];
}

}  // namespace orrery::model
