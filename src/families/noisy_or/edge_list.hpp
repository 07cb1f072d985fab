// Edges by names, as a user writes them: a line per edge.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace orrery::noisy_or {

struct EdgeLine {
  std::string cause;
  std::string observed;
  std::size_t number = 0;  ///< of the line, from 1
};

/// Lines "cause,variable", blanks around the names ignored; the first comma separates, so that a
/// variable's name may have one. Empty lines and lines that begin with # are skipped. Throws
/// InputError naming `path`, the line and what stands there.
std::vector<EdgeLine> parse_edge_list(const std::string& text, const std::string& path);

/// The names most like `name` (edit distance), quoted: "'fever' or 'fear'".
std::string nearest_names(const std::string& name, const std::set<std::string>& known);

}  // namespace orrery::noisy_or
