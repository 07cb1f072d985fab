// --structure, --start, --forbid and --require: what the user knows before anything is learned.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "family/family.hpp"
#include "parallel/team.hpp"

namespace orrery::noisy_or {

void add_known_options(boost::program_options::options_description& options);

/// What the options say of data with variables of these names; the same at every rank. Throws
/// InputError: a network of other data; a line that is no edge, has a name that nobody has (the
/// nearest ones are said), or contradicts another. Collective.
family::KnownInput load_known_parts(const cli::Arguments& arguments, const parallel::Team& team,
                                    const std::vector<std::string>& names);

}  // namespace orrery::noisy_or
