// The log of --log FILE: what a run was, said and took, beside its output. Lines with the time are
// added to the end of the file as they come, each by one write, so that a run that is killed leaves
// all that it had said, and several runs may share a file.
#pragma once

#include <filesystem>
#include <string_view>

namespace orrery::log {

/// From now on the log goes to the end of `path`, which is made if it is not there. The rank that
/// `speaks` opens it at once; the others only if an error befalls them. Throws UsageError if the
/// file holds anything but such a log, EnvironmentError if it cannot be opened.
void open_file(const std::filesystem::path& path, bool speaks);

/// Adds "TIME KIND: message", or "TIME message" without a kind; nothing where no file is open. That
/// the file cannot be written any more is said once, as a warning; the run goes on. Thread-safe.
void add_to_file(std::string_view kind, std::string_view message);
/// The same with a file that this rank has not opened yet.
void add_error_to_file(std::string_view message);
/// How far a stage is: at most once a minute.
void add_progress_to_file(std::string_view message);

/// The last line: the exit code and the time since open_file.
void end_file(int exit_code);
/// The last line where a signal ends the process. Async-signal-safe.
void end_file_by_signal(int signal) noexcept;

}  // namespace orrery::log
