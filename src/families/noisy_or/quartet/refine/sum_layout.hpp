// Where sums over rows stand in the array of a RowPass.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery::quartet {

/// Consecutive parts of an array of sums.
class SumLayout {
 public:
  std::size_t part(std::size_t size) {
    const std::size_t first = size_;
    size_ += size;
    return first;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

inline std::vector<double> slice(const std::vector<double>& sums, std::size_t first,
                                 std::size_t n) {
  const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace orrery::quartet
