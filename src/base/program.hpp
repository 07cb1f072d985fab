// Another program of the system, run to its end: what it is given and what it says stay in memory,
// so that no file is left behind, whatever ends the run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Where on the PATH the executable file `name` is; empty: nowhere. An empty entry of the PATH is
/// the current directory, as in a shell.
[[nodiscard]] std::filesystem::path find_program(std::string_view name);

/// What `program` writes to its standard output, given `input` as its standard input; no shell is
/// between. It runs in a process group of its own, so that a terminal's Ctrl-C is for this process
/// alone to answer, and it ends when an exception passes. Throws EnvironmentError, with the last
/// line of its standard error, if it cannot be started, is ended by a signal, or says that it
/// failed.
std::string run_program(const std::filesystem::path& program,
                        const std::vector<std::string>& arguments, std::string_view input);

/// Kills what run_program has under way in this process. Async-signal-safe: for handlers of signals
/// that end it, where no destructor runs. (Where even these do not run, the program ends at its
/// next line, which nobody reads.)
void kill_programs() noexcept;

}  // namespace orrery
