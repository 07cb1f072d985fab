// Probability tables of every small set of binary variables: what is recovered of hidden causes,
// and what is counted of their anchors (Halpern, Horng, Sontag 2015, Sec. 3: mu_Z, |Z| <= K).
//
// Memory: sum over s <= order of C(n, s) 2^s numbers: n = 50 with order 3 takes 160,000.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::model {

class SubsetTables {
 public:
  static constexpr std::size_t max_order = 6;

  SubsetTables() = default;
  /// Cells of the tables of all sets; the largest number there is, if they are more than 2^27.
  /// `order` is 1 to max_order.
  [[nodiscard]] static std::size_t n_cells(std::size_t n_variables, std::size_t order) noexcept;
  /// Every cell 0. `order` is 1 to max_order; sets larger than n do not exist.
  /// Throws InputError beyond 2^27 cells, and for another order.
  SubsetTables(std::size_t n_variables, std::size_t order);

  [[nodiscard]] std::size_t n_variables() const noexcept { return n_; }
  [[nodiscard]] std::size_t order() const noexcept { return order_; }
  /// 0 where there is no table: of a size of 0, or more than order() or n_variables().
  [[nodiscard]] std::size_t n_sets(std::size_t size) const noexcept;
  /// Place of a set's first cell in cells(): by size, then in colexicographic order (the largest
  /// member varies slowest). `set` rises strictly.
  [[nodiscard]] std::size_t offset(std::span<const std::uint32_t> set) const noexcept;
  /// 2^|set| cells; bit i of a cell's number is the value of set[i].
  [[nodiscard]] std::span<double> table(std::span<const std::uint32_t> set) noexcept;
  [[nodiscard]] std::span<const double> table(std::span<const std::uint32_t> set) const noexcept;
  [[nodiscard]] std::span<double> cells() noexcept { return cells_; }
  [[nodiscard]] std::span<const double> cells() const noexcept { return cells_; }
  /// P(variable = 1).
  [[nodiscard]] double on(std::uint32_t variable) const noexcept;

  /// The sets of a size in the order of their offsets.
  template <class Use>  // void(std::span<const std::uint32_t> set)
  void for_each_set(std::size_t size, const Use& use) const;

  bool operator==(const SubsetTables&) const = default;

 private:
  std::size_t n_ = 0;
  std::size_t order_ = 0;
  std::array<std::size_t, max_order + 1> first_{};  // cell of the sets of a size
  std::vector<double> cells_;
};

template <class Use>
void SubsetTables::for_each_set(std::size_t size, const Use& use) const {
  if (size == 0 || size > order_ || size > n_) return;
  std::vector<std::uint32_t> set(size);
  for (std::size_t i = 0; i < size; ++i) set[i] = static_cast<std::uint32_t>(i);
  while (true) {
    use(std::span<const std::uint32_t>(set));
    // The next set in colexicographic order: the lowest member that can rise does.
    std::size_t i = 0;
    while (i + 1 < size && set[i] + 1 == set[i + 1]) ++i;
    if (i + 1 == size && set[i] + 1 == n_) return;
    ++set[i];
    for (std::size_t j = 0; j < i; ++j) set[j] = static_cast<std::uint32_t>(j);
  }
}

}  // namespace orrery::model
