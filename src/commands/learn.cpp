// orrery learn METHOD DATA -o FILE
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options/options_description.hpp>
#include <utility>

#include "base/log_file.hpp"
#include "base/typed_words.hpp"
#include "cli/arguments.hpp"
#include "cli/help.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/help.hpp"
#include "family/model_run.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

/// A learner, and whose.
struct Method {
  const family::Family* family;
  const learning::LearnerEntry* learner;
};

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const family::Family* family : family::families()) {
    for (const learning::LearnerEntry* learner : family->learners) {
      methods.push_back({family, learner});
    }
  }
  return methods;
}

Method find_method(const std::string& name) {
  std::vector<std::string> known;
  for (const Method& method : all_methods()) {
    if (name == method.learner->name) return method;
    known.emplace_back(method.learner->name);
  }
  for (const family::AbsentPart& part : family::absent_parts()) {
    if (name == part.learner) throw UsageError(family::says_absent(part));
  }
  throw UsageError(fmt::format(
      "\"{}\" is not a learner{}; write the method before the options: orrery learn METHOD DATA -o "
      "FILE; this build has: {}",
      name, did_you_mean(name, known), fmt::join(known, ", ")));
}

void list_learners(const cli::CommandLine& line) {
  show_methods(line,
               {"learn",
                "METHOD DATA -o FILE",
                "Finds hidden causes. `orrery help choosing` and `orrery help learners` say which "
                "method is for which data.",
                "orrery learn quartet data.h5 -o model.h5",
                {"method", "data"}},
               listed_learners(),
               "`orrery learn METHOD --help` lists a method's options and their defaults\n");
}

bool takes_network(const learning::LearnerEntry& learner) {
  return learner.moments == learning::TakesMoments::network ||
         learner.moments == learning::TakesMoments::both;
}

/// What a learner learns, and of which data.
std::string description_of(const learning::LearnerEntry& learner) {
  const auto [holds, option] = learner.input == learning::Input::bits ? std::pair{"bits", ""}
                               : learner.input == learning::Input::numbers
                                   ? std::pair{"numbers", " --numeric"}
                                   : std::pair{"categories", " --categorical"};
  return fmt::format("Learns {}. DATA holds {}: `orrery import{}` makes it of a table.",
                     learner.summary, holds, option);
}

/// The data of the example are of the kind that the learner takes.
cli::Usage usage_of(const learning::LearnerEntry& learner) {
  const char* const data = learner.input == learning::Input::bits      ? "data.h5"
                           : learner.input == learning::Input::numbers ? "numbers.h5"
                                                                       : "answers.h5";
  const std::string needs = *learner.needs == '\0' ? "" : fmt::format("{} ", learner.needs);
  const std::string given = *learner.example == '\0' ? "" : fmt::format("{} ", learner.example);
  return {fmt::format("learn {}", learner.name),
          fmt::format("{} {}-o FILE", takes_network(learner) ? "DATA|--moments NETWORK" : "DATA",
                      needs),
          description_of(learner),
          fmt::format("orrery learn {} {} {}-o model.h5", learner.name, data, given),
          {"data"},
          {"output", "checkpoint"},
          family::is_generator};
}

/// A learner that counts for itself.
void learn_from_data(const learning::LearnerEntry& learner, const cli::Arguments& arguments,
                     const parallel::Team& team, const family::MomentInputs& inputs,
                     const std::vector<std::pair<std::string, std::string>>& result_options) {
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(
        arguments,
        family::plan_data_model(arguments, team, inputs, learner.input, [&](const auto& context) {
          return learner.plan_data(context, arguments.values());
        }));
    return;
  }
  std::vector<learning::OptionFile> named;
  if (learner.files != nullptr) named = learner.files(arguments.values());
  family::run_data_model(arguments, team, inputs, learner.input,
                         family::open_checkpoints(arguments, team, inputs, learner.input,
                                                  learner.name, result_options, named),
                         [&](const learning::DataContext& context) {
                           return learner.learn_data(context, arguments.values());
                         });
}

}  // namespace

void run_learn(const cli::CommandLine& line, const parallel::Team& team) {
  if (line.words.empty()) {
    throw UsageError("the method is missing; `orrery learn --help` lists them");
  }
  if (cli::is_help(line.words[0])) {
    if (team.is_root()) list_learners(line);
    return;
  }
  const Method method = find_method(line.words[0]);
  const learning::LearnerEntry& learner = *method.learner;
  const family::KnownOptions& known_options = method.family->known;
  po::options_description own("Options");
  family::add_model_options(own, learner.moments);
  family::add_checkpoint_options(own);
  family::add_time_limit_option(own);
  own.add_options()(
      "memory", po::value<std::string>()->value_name("SIZE"),
      "memory per rank, such as 4GiB; samples that do not fit are divided among the ranks by rows, "
      "or read from the file again for each count (default: no limit)");
  own.add_options()("ranks", po::value<std::string>()->value_name("N,..."),
                    "when it is over, or with --dry-run: tell how long it takes on so many ranks");
  learner.add_options(own);
  if (learner.takes_known_parts) known_options.add_options(own);
  const cli::Arguments arguments(usage_of(learner), own, line.without_first(), team);
  if (arguments.helped()) return;
  (void)cli::asked_ranks(arguments);
  if (team.is_root()) log::add_to_file("cite", citation_of(learner.name));
  if (!takes_network(learner) && !arguments.has("moments")) (void)arguments.required("data");
  const family::MomentInputs inputs = family::moment_inputs(arguments);
  auto result_options = learner.result_options(inputs.data.empty(), arguments.values());
  family::KnownInput known;
  if (learner.takes_known_parts) {
    known = known_options.load(arguments, team, family::variable_names(team, arguments, inputs));
    result_options.insert(result_options.end(), known.identity.begin(), known.identity.end());
  }
  if (learner.learn_data != nullptr) {
    learn_from_data(learner, arguments, team, inputs, result_options);
    return;
  }
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(arguments,
                    family::plan_model(arguments, team, inputs, [&](const auto& context) {
                      return learner.plan(context, arguments.values());
                    }));
    return;
  }
  family::run_model(arguments, team, inputs,
                    family::open_checkpoints(arguments, team, inputs, learner.input, learner.name,
                                             result_options),
                    [&](learning::LearnContext context) {
                      context.known = known.given();
                      return learner.learn(context, arguments.values());
                    });
}

}  // namespace orrery::commands
