// The error of a file that could not be written.
#pragma once

#include <filesystem>
#include <string>

namespace orrery {

/// Throws EnvironmentError: `path`: cannot `step`: `why`, and the remedy.
[[noreturn]] void throw_unwritten(const std::filesystem::path& path, const std::string& step,
                                  const std::string& why);

}  // namespace orrery
