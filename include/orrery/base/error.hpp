// The errors a user can cause or meet, and the exit code that each ends the program with.
// Programmer mistakes are assertions, not errors.
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

/// Process exit codes: a contract with scripts and job managers.
enum class ExitCode : int {
  done = 0,
  usage = 2,
  bad_input = 3,
  environment = 4,
  checkpointed = 75
};

/// Base of all errors shown to a user. The message says what, where (file, row, column),
/// both values, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// A command line that cannot be obeyed (exit code 2).
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// A file whose content cannot be used (exit code 3).
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(ExitCode::bad_input, message) {}
};

/// Disk full, no permission, a lost rank (exit code 4).
struct EnvironmentError : Error {
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

}  // namespace orrery
