#include "commands/help_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "family/table.hpp"

namespace orrery::commands {
namespace {

cli::HelpPage help_page_of(const Command& command, const std::vector<std::string>& words,
                           const parallel::Team& team) {
  cli::HelpPage found;
  command.run({words, "", command.useless, [&](const cli::HelpPage& page) { found = page; }}, team);
  if (found.usage.command.empty()) {
    throw std::logic_error(fmt::format("orrery {} does not hand its help on", command.name));
  }
  return found;
}

/// The names in a family's list of generators, "a (what a is), b:K, c (what b and c are)".
void add_generators(const std::string& list, std::vector<std::string>& names) {
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const bool is_end = i == list.size() || (depth == 0 && list.compare(i, 2, ", ") == 0);
    if (is_end) {
      name = cli::word_before_capitals(name.substr(0, name.find(' ')));
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      name.clear();
      ++i;
    } else {
      depth += list[i] == '(' ? 1 : list[i] == ')' ? -1 : 0;
      name += list[i];
    }
  }
}

}  // namespace

std::vector<cli::HelpPage> help_pages(const parallel::Team& team) {
  std::vector<cli::HelpPage> pages;
  for (const Command& command : commands()) {
    pages.push_back(help_page_of(command, {"--help"}, team));
    const std::vector<Listed> methods = pages.back().methods;
    for (const Listed& method : methods) {
      pages.push_back(help_page_of(command, {method.name, "--help"}, team));
    }
  }
  return pages;
}

std::string summary_of(const cli::HelpPage& page, const std::vector<cli::HelpPage>& all) {
  if (const Command* command = find_command(page.usage.command)) return command->summary;
  for (const cli::HelpPage& parent : all) {
    for (const Listed& method : parent.methods) {
      if (page.usage.command == parent.usage.command + " " + method.name) return method.summary;
    }
  }
  return page.usage.description;
}

std::vector<std::string> generator_choices() {
  std::vector<std::string> names;
  for (const family::Family* family : family::families()) {
    add_generators(family->generators, names);
  }
  return names;
}

std::vector<std::string> quoted_commands(const std::string& text) {
  std::vector<std::string> commands;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    commands.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return commands;
}

}  // namespace orrery::commands
