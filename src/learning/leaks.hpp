// The leak that counts leave to a variable once its causes are subtracted off.
#pragma once

#include <algorithm>
#include <cstdint>

namespace orrery::learning {

/// `off`: the share of rows in which the variable is off, divided by what its causes make of it
/// (Eq. 3 of Jernite, Halpern, Sontag 2013); noise may push it out of [0, 1]. From n_samples rows
/// the leak is held half a row inside (0, 1): a leak of 0 would call a row impossible because no
/// row like it was seen. Exact moments (n_samples 0) may have leaks of 0 and 1.
[[nodiscard]] inline double leak_of(double off, std::uint64_t n_samples) {
  const double least = n_samples > 0 ? 0.5 / static_cast<double>(n_samples) : 0;
  return std::clamp(1 - off, least, 1 - least);
}

}  // namespace orrery::learning
