// Log lines on stderr, rank 0 only, in harmony with the progress bar (a bar is wiped before a line
// is printed over it); all of them, whatever the level, in the file of --log too (log_file.hpp).
// "error:" and "warning:" are coloured on a terminal. Thread-safe.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace orrery::log {

/// quiet: errors only; normal: warnings and milestones; verbose: every stage's figures.
enum class Level { quiet, normal, verbose };

/// Sets what is printed. `speaks` is false on ranks other than 0: they print errors only.
void configure(Level level, bool speaks);
/// Nothing but errors is said, to the file of --log too, while it is on: what a part of the run
/// says of itself may not be what the run has to say. Returns what was before.
bool hush(bool is_on);
/// True if what goes to this descriptor may be coloured: a terminal of this process's own, and not
/// one that the user wants plain (NO_COLOR set and not empty, or TERM=dumb).
[[nodiscard]] bool shows_colours(int descriptor);
/// True if progress should be shown: this rank speaks and is not quiet.
[[nodiscard]] bool shows_progress();

/// Control characters (ASCII's and U+0080 to U+009F) as \x1b: a name out of a file could otherwise
/// clear the screen or hide what is wrong. Every line below goes through this.
[[nodiscard]] std::string printable(std::string_view text);

void write_error(std::string_view message);
void write_warning(std::string_view message);
void write_info(std::string_view message);
void write_verbose(std::string_view message);
/// Replaces the progress bar (terminal) or appends a time-stamped line (log file).
void write_progress(std::string_view message, bool is_terminal);
/// Wipes the progress bar, if one stands.
void wipe_progress();
/// On a terminal that has not changed for a second: draws the progress bar that stands again with
/// the time since it changed, or `idle` with that time where none stands.
void keep_moving(std::string_view idle);

template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write_error(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write_warning(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write_info(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void verbose(fmt::format_string<Args...> format, Args&&... args) {
  write_verbose(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace orrery::log
