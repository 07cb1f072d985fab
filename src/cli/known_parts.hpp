// --structure, --start, --forbid and --require: what the user knows before anything is learned.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

void add_known_options(boost::program_options::options_description& options);

struct KnownInput {
  learners::KnownParts parts;
  /// Each option and the digest of what it names ("none" if it was not given): the result depends
  /// on it. Empty if none was given.
  std::vector<std::pair<std::string, std::string>> identity;

  [[nodiscard]] const learners::KnownParts* given() const {
    return identity.empty() ? nullptr : &parts;
  }
};

/// What the options say of data with variables of these names; the same at every rank. Throws
/// InputError: a network of other data; a line that is no edge, has a name that nobody has (the
/// nearest ones are said), or contradicts another. Collective.
KnownInput load_known_parts(const Arguments& arguments, const parallel::Team& team,
                            const std::vector<std::string>& names);

}  // namespace orrery::cli
