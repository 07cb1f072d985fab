// Rows in groups of eight, side by side: entry e of a row stands beside entry e of the other seven,
// so that one vector has an entry of eight rows (row_update.hpp).
#pragma once

#include <cstddef>

namespace orrery::structural_ep {

inline constexpr std::size_t row_lanes = 8;

/// Groups of so many rows; the last one may have lanes without a row.
[[nodiscard]] inline constexpr std::size_t n_groups(std::size_t n_rows) noexcept {
  return (n_rows + row_lanes - 1) / row_lanes;
}

/// The numbers of one row of a group.
class LaneSpan {
 public:
  LaneSpan() = default;
  LaneSpan(double* first, std::size_t size) noexcept : first_(first), size_(size) {}

  [[nodiscard]] double& operator[](std::size_t i) const noexcept { return first_[i * row_lanes]; }
  [[nodiscard]] double* data() const noexcept { return first_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] LaneSpan subspan(std::size_t first, std::size_t size) const noexcept {
    return {first_ + first * row_lanes, size};
  }
  void fill(double value) const noexcept {
    for (std::size_t i = 0; i < size_; ++i) (*this)[i] = value;
  }

 private:
  double* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace orrery::structural_ep
