// How often progress is printed and how a line of it looks: what Progress and GapProgress share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace orrery {

/// Nothing is printed before the first interval has passed: short stages stay silent.
std::int64_t progress_interval_ns(bool is_terminal);

/// On a terminal one line that fits it, with a bar if the fraction is known; in a log a line with
/// the time.
void print_progress(const std::string& stage, std::optional<double> fraction,
                    const std::string& figures, bool is_terminal);

/// Columns of the terminal behind stderr, as they are now: the window may be resized.
std::size_t terminal_columns();

/// "3.2 steps/s".
std::string describe_rate(double per_second, const std::string& unit);

}  // namespace orrery
