// The help pages of all commands and of their methods: what manual pages and completion are made
// of.
#pragma once

#include <string>
#include <vector>

#include "cli/help.hpp"
#include "parallel/team.hpp"

namespace orrery::commands {

/// Of each command in the order of `orrery --help`, each of its methods behind it.
std::vector<cli::HelpPage> help_pages(const parallel::Team& team);

/// What a command is, in the words of `orrery --help`; of "learn quartet" those of the method.
std::string summary_of(const cli::HelpPage& page, const std::vector<cli::HelpPage>& all);

/// The generators of networks as somebody begins to type them: "img", "con:", "tree:chain:".
std::vector<std::string> generator_choices();

/// The words between backquotes, as in "`orrery help import` lists".
std::vector<std::string> quoted_commands(const std::string& text);

}  // namespace orrery::commands
