// What `orrery --version` says of the program.
#pragma once

#include <string>
#include <vector>

namespace orrery::commands {

/// "orrery 1.0.0"; with --verbose (-v) among the words also what it was built from and with, which
/// libraries it found, and what it can do here. --json: one object. Throws UsageError if
/// ORRERY_KERNEL names no kernel of this machine.
std::string version_text(const std::vector<std::string>& words);

}  // namespace orrery::commands
