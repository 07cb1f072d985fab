// Values of options as people write them: durations, sizes, and lists of variables, which are
// "a,b,c", or @FILE with a name per line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::cli {

/// "90", "90s", "5min", "2h", "1d" in seconds. Throws UsageError naming `option`.
double parse_duration(const std::string& option, const std::string& text);
/// "1000000", "64M" (10^6), "64MiB" (2^20), K, G, T alike, in bytes. Throws UsageError.
double parse_size(const std::string& option, const std::string& text);

/// The places among `names` of what `text` lists, in its order. Throws UsageError naming `option`
/// for a name that is not there, that stands twice in the list, or is of two variables; InputError
/// for a file that cannot be read.
std::vector<std::uint32_t> places_of_names(const std::string& option, const std::string& text,
                                           const std::vector<std::string>& names);

}  // namespace orrery::cli
