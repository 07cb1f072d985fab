// orrery learn METHOD DATA -o FILE
#include <fmt/format.h>

#include <iostream>

#include "cli/checkpoint_options.hpp"
#include "cli/commands.hpp"
#include "cli/known_parts.hpp"
#include "cli/learner_input.hpp"
#include "cli/learner_table.hpp"
#include "cli/model_run.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

const learners::LearnerEntry& find_learner(const std::string& name) {
  std::string known;
  for (const learners::LearnerEntry* entry : learner_table()) {
    if (name == entry->name) return *entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry->name);
  }
  throw UsageError(fmt::format(
      "\"{}\" is not a learner; write the method before the options: orrery learn METHOD DATA -o "
      "FILE; this build has: {}",
      name, known));
}

void list_learners() {
  std::cout << "usage: orrery learn METHOD DATA -o FILE\n\n";
  for (const learners::LearnerEntry* entry : learner_table()) {
    std::cout << fmt::format("  {:9}{}\n", entry->name, entry->summary);
  }
  std::cout << "\nexample: orrery learn quartet data.h5 -o model.h5\n"
               "`orrery learn METHOD --help` lists a method's options and their defaults\n";
}

/// A learner that counts for itself.
void learn_from_data(const learners::LearnerEntry& learner, const Arguments& arguments,
                     const parallel::Team& team, const MomentInputs& inputs,
                     const std::vector<std::pair<std::string, std::string>>& result_options) {
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    print_plan(arguments,
               plan_data_model(arguments, team, inputs, learner.input, [&](const auto& context) {
                 return learner.plan_data(context, arguments.values());
               }));
    return;
  }
  std::vector<learners::OptionFile> named;
  if (learner.files != nullptr) named = learner.files(arguments.values());
  run_data_model(
      arguments, team, inputs, learner.input,
      open_checkpoints(arguments, team, inputs, learner.input, learner.name, result_options, named),
      [&](const learners::DataContext& context) {
        return learner.learn_data(context, arguments.values());
      });
}

}  // namespace

void run_learn(const CommandLine& line, const parallel::Team& team) {
  if (line.words.empty()) {
    throw UsageError("the method is missing; `orrery learn --help` lists them");
  }
  if (line.words[0] == "--help" || line.words[0] == "-h") {
    if (team.is_root()) list_learners();
    return;
  }
  const learners::LearnerEntry& learner = find_learner(line.words[0]);
  po::options_description own("Options");
  add_model_options(own);
  add_checkpoint_options(own);
  add_time_limit_option(own);
  own.add_options()(
      "memory", po::value<std::string>()->value_name("SIZE"),
      "memory of a rank, such as 4GiB; samples that do not fit are dealt to the ranks "
      "in slices of rows, or read from the file for every count (default: no limit)");
  learner.add_options(own);
  if (learner.takes_known_parts) add_known_options(own);
  const Usage usage{fmt::format("learn {}", learner.name),
                    "DATA -o FILE",
                    learner.summary,
                    fmt::format("orrery learn {} data.h5 -o model.h5", learner.name),
                    {"data"}};
  const Arguments arguments(usage, own, {{line.words.begin() + 1, line.words.end()}, line.full},
                            team);
  if (arguments.helped()) return;
  const MomentInputs inputs = moment_inputs(arguments);
  auto result_options = learner.result_options(inputs.data.empty(), arguments.values());
  KnownInput known;
  if (learner.takes_known_parts) {
    known = load_known_parts(arguments, team, variable_names(team, arguments, inputs));
    result_options.insert(result_options.end(), known.identity.begin(), known.identity.end());
  }
  if (learner.learn_data != nullptr) {
    learn_from_data(learner, arguments, team, inputs, result_options);
    return;
  }
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    print_plan(arguments, plan_model(arguments, team, inputs, [&](const auto& context) {
                 return learner.plan(context, arguments.values());
               }));
    return;
  }
  run_model(arguments, team, inputs,
            open_checkpoints(arguments, team, inputs, learner.input, learner.name, result_options),
            [&](learners::LearnContext context) {
              context.known = known.given();
              return learner.learn(context, arguments.values());
            });
}

}  // namespace orrery::cli
