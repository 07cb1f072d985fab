// Durations and sizes as people write them.
#pragma once

#include <string>

namespace orrery::cli {

/// "90", "90s", "5min", "2h", "1d" in seconds. Throws UsageError naming `option`.
double parse_duration(const std::string& option, const std::string& text);
/// "1000000", "64M" (10^6), "64MiB" (2^20), K, G, T alike, in bytes. Throws UsageError.
double parse_size(const std::string& option, const std::string& text);

}  // namespace orrery::cli
