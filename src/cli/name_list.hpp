// Lists of variables on the command line: "a,b,c", or @FILE with a name a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::cli {

/// The places among `names` of what `text` lists, in its order. Throws UsageError naming `option`
/// for a name that is not there, that stands twice in the list, or is of two variables; InputError
/// for a file that cannot be read.
std::vector<std::uint32_t> places_of_names(const std::string& option, const std::string& text,
                                           const std::vector<std::string>& names);

}  // namespace orrery::cli
