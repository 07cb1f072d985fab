// Manual pages, made of the same tables as --help: of orrery, of each command, learner and topic.
#pragma once

#include <string>
#include <vector>

#include "parallel/team.hpp"

namespace orrery::commands {

struct ManualPage {
  std::string name;  ///< "orrery-learn-quartet"
  int section = 1;   ///< 1: commands, 5: files, 7: all else
  std::string summary;
  std::string text;  ///< roff, see man(7)
};

/// All pages: orrery's, those of commands and methods, those of topics.
std::vector<ManualPage> manual_pages(const parallel::Team& team);

}  // namespace orrery::commands
