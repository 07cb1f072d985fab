#pragma once

#include <cstdint>
#include <vector>

namespace orrery::moments {

/// A mask of all variables, up to 64.
inline const std::vector<std::uint64_t> everything(1, ~std::uint64_t{0});

}  // namespace orrery::moments
