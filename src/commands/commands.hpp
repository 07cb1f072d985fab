// The commands, one per file. Each gets the words after its name and returns when its work is done;
// it throws orrery::Error otherwise.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {

struct Command {
  std::string name;
  std::string summary;
  void (*run)(const cli::CommandLine& line, const parallel::Team& team);
  /// Of the options that commands share, those without an effect on this one.
  std::vector<std::string> useless{};
};

void run_sample(const cli::CommandLine& line, const parallel::Team& team);
void run_import(const cli::CommandLine& line, const parallel::Team& team);
void run_split(const cli::CommandLine& line, const parallel::Team& team);
void run_cat(const cli::CommandLine& line, const parallel::Team& team);
void run_moments(const cli::CommandLine& line, const parallel::Team& team);
void run_learn(const cli::CommandLine& line, const parallel::Team& team);
void run_params(const cli::CommandLine& line, const parallel::Team& team);
void run_depth(const cli::CommandLine& line, const parallel::Team& team);
void run_plan(const cli::CommandLine& line, const parallel::Team& team);
void run_evaluate(const cli::CommandLine& line, const parallel::Team& team);
void run_infer(const cli::CommandLine& line, const parallel::Team& team);
void run_report(const cli::CommandLine& line, const parallel::Team& team);
void run_export(const cli::CommandLine& line, const parallel::Team& team);
void run_rename(const cli::CommandLine& line, const parallel::Team& team);
void run_info(const cli::CommandLine& line, const parallel::Team& team);
void run_cite(const cli::CommandLine& line, const parallel::Team& team);
void run_completion(const cli::CommandLine& line, const parallel::Team& team);
void run_manual(const cli::CommandLine& line, const parallel::Team& team);

/// What to cite for a learner, or for "params": the program and its papers, in one line.
std::string citation_of(const std::string& learner);

const std::vector<Command>& commands();
/// Runs the command that argv names, or shows help. Returns the exit code: 2 where there is no
/// command. Throws UsageError for an unknown one.
ExitCode run(int argc, char** argv, const parallel::Team& team);

/// "learn", "depth", ...
std::vector<std::string> command_names();
/// The command, if there is one of that name; else null.
const Command* find_command(const std::string& name);

}  // namespace orrery::commands
