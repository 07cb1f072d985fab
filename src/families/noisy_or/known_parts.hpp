// --structure, --start, --forbid and --require: what the user knows before anything is learned.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "family/family.hpp"
#include "parallel/team.hpp"

namespace orrery::noisy_or {

/// An edge by names, as a user writes it in a file: a line per edge.
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

void add_known_options(boost::program_options::options_description& options);

/// What the options say of data with variables of these names; the same at every rank. Throws
/// InputError: a network of other data; a line that is no edge, has a name that nobody has (the
/// nearest ones are said), or contradicts another. Collective.
family::KnownInput load_known_parts(const cli::Arguments& arguments, const parallel::Team& team,
                                    const std::vector<std::string>& names);

}  // namespace orrery::noisy_or
