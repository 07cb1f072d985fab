// Help: of orrery, of a command, of a topic; and lists of methods.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace orrery::commands {

/// A name and what it is: a command, a topic, a method.
struct Listed {
  std::string name;
  std::string summary;
};

/// What `orrery --help` shows.
std::string help_text();

/// `orrery help [COMMAND|TOPIC|LEARNER]`; `line` holds the words behind "help". Throws UsageError
/// for a word that is none of them.
void show_help(const cli::CommandLine& line, const parallel::Team& team);

/// --help of a command that has methods: its usage, they, and `end`; with --json one object.
void print_methods(const cli::CommandLine& line, const std::string& usage,
                   const std::vector<Listed>& methods, const std::string& end);

/// A short text that belongs to no single command.
struct Topic {
  std::string name;
  std::string summary;
  std::string (*text)();
};
const std::vector<Topic>& topics();

}  // namespace orrery::commands
