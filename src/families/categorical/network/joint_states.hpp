// Numbers of joint states of a few categorical causes: cause 0 changes fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::model {

/// Memory: K S bytes for K causes with S joint states.
class JointStates {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16U;

  /// Throws InputError if the causes have more than `most` joint states, saying how many. A cause
  /// has 1 to 64 states; without causes there is one joint state.
  explicit JointStates(std::vector<std::size_t> cardinalities);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::size_t>& cardinalities() const noexcept {
    return cardinalities_;
  }
  /// State of each cause in a joint state; of n_causes.
  [[nodiscard]] std::span<const std::uint8_t> states(std::size_t joint) const noexcept {
    return std::span(states_).subspan(joint * cardinalities_.size(), cardinalities_.size());
  }
  /// Rows of a table with these parents (rising numbers of causes).
  [[nodiscard]] std::size_t n_configurations(std::span<const std::uint32_t> parents) const;
  /// The table's row in each joint state: the first parent's state changes fastest.
  [[nodiscard]] std::vector<std::uint32_t> configurations(
      std::span<const std::uint32_t> parents) const;

 private:
  std::vector<std::size_t> cardinalities_;
  std::size_t size_ = 1;
  std::vector<std::uint8_t> states_;  // size_ x causes
};

}  // namespace orrery::model
