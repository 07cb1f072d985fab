// Names that one may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Those of `names` for which `name` may be a slip: of other case, a few letters off, or with more
/// before or behind it. The nearest first, three at most.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names);

}  // namespace orrery
