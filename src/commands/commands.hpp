// The commands, one per file. Each gets the words after its name and returns when its work is done;
// it throws orrery::Error otherwise.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace orrery::commands {

struct Command {
  const char* name;
  const char* summary;
  void (*run)(const cli::CommandLine& line, const parallel::Team& team);
};

void run_sample(const cli::CommandLine& line, const parallel::Team& team);
void run_import(const cli::CommandLine& line, const parallel::Team& team);
void run_moments(const cli::CommandLine& line, const parallel::Team& team);
void run_learn(const cli::CommandLine& line, const parallel::Team& team);
void run_params(const cli::CommandLine& line, const parallel::Team& team);
void run_depth(const cli::CommandLine& line, const parallel::Team& team);
void run_plan(const cli::CommandLine& line, const parallel::Team& team);
void run_evaluate(const cli::CommandLine& line, const parallel::Team& team);
void run_infer(const cli::CommandLine& line, const parallel::Team& team);
void run_report(const cli::CommandLine& line, const parallel::Team& team);
void run_export(const cli::CommandLine& line, const parallel::Team& team);
void run_info(const cli::CommandLine& line, const parallel::Team& team);

const std::vector<Command>& commands();
/// Runs the command that argv names. Throws UsageError for an unknown one.
void run(int argc, char** argv, const parallel::Team& team);

}  // namespace orrery::commands
