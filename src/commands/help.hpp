// Help: of orrery, of a command, of a topic; and lists of methods.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/help.hpp"

namespace orrery::commands {

using cli::Listed;

/// What `orrery --help` shows.
std::string help_text();

/// `orrery help [COMMAND|TOPIC|LEARNER]`; `line` holds the words behind "help". Throws UsageError
/// for a word that is none of them.
void show_help(const cli::CommandLine& line, const parallel::Team& team);

/// --help of a command that has methods: its usage, they, an example, and `end`; with --json one
/// object.
void show_methods(const cli::CommandLine& line, const cli::Usage& usage,
                  const std::vector<Listed>& methods, const std::string& end);

/// What orrery is, in a line.
inline constexpr const char* purpose = "finds the hidden causes behind tables of data";
/// The same in some paragraphs.
extern const char* const program_description;
/// Commands that a newcomer begins with, a line each.
extern const char* const first_example;

/// The methods of `orrery learn`, of all families.
std::vector<Listed> listed_learners();

/// A short text that belongs to no single command.
struct Topic {
  std::string name;
  std::string summary;
  std::string (*text)();
};
const std::vector<Topic>& topics();

/// What a program ends with, and a variable of the environment that it heeds.
struct ExitStatus {
  int code;
  const char* meaning;
};
const std::vector<ExitStatus>& exit_statuses();
struct Variable {
  const char* name;
  const char* meaning;
};
const std::vector<Variable>& environment();

}  // namespace orrery::commands
