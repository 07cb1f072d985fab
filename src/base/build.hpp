// Which sources this program was built from.
#pragma once

#include <string>

namespace orrery {

/// What git said of the sources when the program was linked.
struct Sources {
  std::string commit = "unknown";  ///< "0123abc", "0123abc+changes"; or unknown: no git, a tarball
  std::string date{};              ///< of the commit, or of the build without git: "2026-01-31"
};

/// A program says it once, before all else; see cmake/OrreryCommit.cmake.
void set_sources(const Sources& sources);
[[nodiscard]] const Sources& sources();

/// Defined in the source that CMake generates for the programs that know it.
Sources sources_of_this_build();

}  // namespace orrery
