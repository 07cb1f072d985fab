#include "families/categorical/network/joint_states.hpp"

#include <fmt/format.h>

#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

std::size_t count_states(const std::vector<std::size_t>& cardinalities) {
  double n = 1;  // as a real number: it may be beyond any integer
  for (const std::size_t cardinality : cardinalities) n *= static_cast<double>(cardinality);
  if (n <= static_cast<double>(JointStates::most)) return static_cast<std::size_t>(n);
  throw InputError(fmt::format(
      "{} causes have {:.6g} joint states, and sums over all of them are limited to {}: use fewer "
      "causes or causes with fewer states (`orrery learn sep` learns without such sums)",
      cardinalities.size(), n, JointStates::most));
}

}  // namespace

JointStates::JointStates(std::vector<std::size_t> cardinalities)
    : cardinalities_(std::move(cardinalities)), size_(count_states(cardinalities_)) {
  states_.reserve(size_ * cardinalities_.size());
  for (std::size_t joint = 0; joint < size_; ++joint) {
    std::size_t rest = joint;
    for (const std::size_t cardinality : cardinalities_) {
      states_.push_back(static_cast<std::uint8_t>(rest % cardinality));
      rest /= cardinality;
    }
  }
}

std::size_t JointStates::n_configurations(std::span<const std::uint32_t> parents) const {
  std::size_t n = 1;
  for (const std::uint32_t parent : parents) n *= cardinalities_[parent];
  return n;
}

std::vector<std::uint32_t> JointStates::configurations(
    std::span<const std::uint32_t> parents) const {
  std::vector<std::uint32_t> rows(size_, 0);
  for (std::size_t joint = 0; joint < size_; ++joint) {
    const auto state = states(joint);
    std::size_t place = 1;
    for (const std::uint32_t parent : parents) {
      rows[joint] += static_cast<std::uint32_t>(place * state[parent]);
      place *= cardinalities_[parent];
    }
  }
  return rows;
}

}  // namespace orrery::model
