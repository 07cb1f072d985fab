// The commands, one a file. Each gets the words after its name and returns when its work is done;
// it throws orrery::Error otherwise.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"

namespace orrery::cli {

struct Command {
  const char* name;
  const char* summary;
  void (*run)(const CommandLine& line, const parallel::Team& team);
};

void run_sample(const CommandLine& line, const parallel::Team& team);
void run_import(const CommandLine& line, const parallel::Team& team);
void run_moments(const CommandLine& line, const parallel::Team& team);
void run_learn(const CommandLine& line, const parallel::Team& team);
void run_params(const CommandLine& line, const parallel::Team& team);
void run_depth(const CommandLine& line, const parallel::Team& team);
void run_plan(const CommandLine& line, const parallel::Team& team);
void run_evaluate(const CommandLine& line, const parallel::Team& team);
void run_infer(const CommandLine& line, const parallel::Team& team);
void run_report(const CommandLine& line, const parallel::Team& team);
void run_export(const CommandLine& line, const parallel::Team& team);
void run_info(const CommandLine& line, const parallel::Team& team);

const std::vector<Command>& commands();
/// Runs the command that argv names. Throws UsageError for an unknown one.
void run(int argc, char** argv, const parallel::Team& team);

}  // namespace orrery::cli
