#pragma once

#include <cstddef>

namespace orrery::model {

/// The sign of a variable of a tree, whose tables have places 0 and 1.
constexpr double sign_of(std::size_t value) { return value == 1 ? 1 : -1; }

}  // namespace orrery::model
