// What a cause is called where people read of it: "cause 3: space, nasa, orbit", by its strongest
// children, unless somebody gave it a name. Names in files stay as they are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::report {

/// Children in a title.
inline constexpr std::size_t most_titling_children = 3;

/// True of a name that a learner counts up: "cause3", "cause 3", "h1", "h2_1".
bool is_automatic_name(std::string_view name);

/// `children` are the names of the strongest children, the strongest first; the first three count.
/// "cause3" with them: "cause 3: space, nasa, orbit"; without any: "cause 3". A name that is not
/// automatic stays.
std::string title_of_cause(std::string_view name, std::span<const std::string> children);

/// The titles of all causes of a network. Children are those of strength 1 - failure above 0.05, by
/// falling strength; of equals the earlier variable is first.
std::vector<std::string> titles_of_causes(const model::NoisyOrNetwork& network);
/// The title of one of them.
std::string title_of_cause(const model::NoisyOrNetwork& network, std::size_t cause);

}  // namespace orrery::report
