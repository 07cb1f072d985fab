// A table of many causes that is searched and sorted on the page. Without scripts it is a table.
#pragma once

#include <cstddef>
#include <string>

#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

/// The field to type into; hidden until the script is there.
std::string search_box();
/// For the row of a cause, an attribute with all of its children, for the script to search.
std::string searched_children(const model::NoisyOrNetwork& network, std::size_t cause);
/// The script, and the names of the observed variables that it reads. Comes last on the page.
std::string search_script(const model::NoisyOrNetwork& network);

}  // namespace orrery::noisy_or
