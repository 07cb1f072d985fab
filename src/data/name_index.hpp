// Names to numbers: 0, 1, 2 and so on, in the order in which the names came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::data {

/// A hash table with open addressing. Memory: the letters of every name, and 24 to 40 bytes more.
class NameIndex {
 public:
  /// The number of no name.
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// `none` if the name was not added.
  [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept;
  /// The number of the name; the next one if it is new. At most `none` names.
  std::uint32_t add(std::string_view name);

  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// Valid until the next name is added.
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const noexcept {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {letters_.data() + begin, ends_[number] - begin};
  }
  /// What is held.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  [[nodiscard]] static std::uint64_t hash(std::string_view name) noexcept {
    return std::hash<std::string_view>{}(name);
  }

 private:
  struct Slot {
    std::uint32_t number = none;
    std::uint32_t hash = 0;  // its upper half: names are compared where it agrees
  };

  /// Where the name is, or would be.
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint64_t hash) const noexcept;
  void grow();

  std::string letters_;            // of all names, one after the other
  std::vector<std::size_t> ends_;  // of each name in letters_
  std::vector<Slot> slots_;        // a power of two, at most half of them in use
};

}  // namespace orrery::data
