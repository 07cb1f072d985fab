// Models of every family for tests of files: names to be escaped, parameters next to 0 and 1, and
// what learners may tell or leave out.
#pragma once

#include <vector>

#include "family/table.hpp"

namespace orrery::family {

/// The first five are of five kinds.
std::vector<AnyModel> examples();

}  // namespace orrery::family
