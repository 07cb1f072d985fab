// orrery learn METHOD DATA -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/learner_input.hpp"
#include "cli/learner_table.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/kernels/kernels.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

const learners::LearnerEntry& find_learner(const std::string& name) {
  std::string known;
  for (const learners::LearnerEntry* entry : learner_table()) {
    if (name == entry->name) return *entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry->name);
  }
  throw UsageError(fmt::format("\"{}\" is not a learner; this build has: {}", name, known));
}

void list_learners() {
  std::cout << "usage: orrery learn METHOD DATA -o FILE\n\n";
  for (const learners::LearnerEntry* entry : learner_table()) {
    std::cout << fmt::format("  {:9}{}\n", entry->name, entry->summary);
  }
  std::cout << "\nexample: orrery learn quartet data.h5 -o model.h5\n"
               "orrery learn METHOD --help lists a method's options\n";
}

learners::Plan make_plan(const learners::LearnerEntry& learner, const Arguments& arguments,
                         const parallel::Team& team, const std::string& data,
                         const std::string& moments) {
  std::size_t n_observed = 0;
  std::uint64_t n_samples = 0;
  if (data.empty()) {
    n_observed = load_network(moments, arguments.seed()).network.n_observed();
  } else {
    const store::SampleHeader header = store::read_sample_header(data);
    n_observed = header.n_observed;
    n_samples = header.n_samples;
  }
  return learner.plan(n_observed, n_samples, team.size(), arguments.threads(), arguments.values());
}

}  // namespace

void run_learn(const CommandLine& line, const parallel::Team& team) {
  if (line.words.empty() || line.words[0] == "--help" || line.words[0] == "-h") {
    if (team.is_root()) list_learners();
    if (line.words.empty()) throw UsageError("the method is missing");
    return;
  }
  const learners::LearnerEntry& learner = find_learner(line.words[0]);
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "the model, HDF5")(
      "moments", po::value<std::string>()->value_name("FILE"),
      "counts stored by `orrery moments`; or, without DATA, a NETWORK whose exact moments are "
      "learned from");
  learner.add_options(own);
  const Usage usage{fmt::format("orrery learn {} DATA -o FILE", learner.name),
                    learner.summary,
                    fmt::format("orrery learn {} data.h5 -o model.h5", learner.name),
                    {"data"}};
  const Arguments arguments(usage, own, {{line.words.begin() + 1, line.words.end()}, line.full},
                            team);
  if (arguments.helped()) return;
  const auto data = arguments.has("data") ? arguments.get<std::string>("data") : std::string();
  const auto moments =
      arguments.has("moments") ? arguments.get<std::string>("moments") : std::string();
  if (arguments.dry_run()) {
    const learners::Plan plan = make_plan(learner, arguments, team, data, moments);
    if (team.is_root()) print_plan(arguments, plan);
    return;
  }
  const std::string output = arguments.required("output");
  const Progress clock("learn", 0, "");
  store::RunInfo run = arguments.run_info(team);
  if (team.is_root()) OutputFile probe(output);  // refuse now what could not be written later
  const LearnerInput input = load_learner_input(team, data, moments, arguments.seed());
  run.stage_seconds["load_and_count_pairs"] = clock.seconds();
  log::verbose("{} rank(s) x {} thread(s), kernel {}", team.size(), arguments.threads(),
               kernels::active().name);
  const learners::LearnContext context{
      team,        arguments.threads(), arguments.seed(), *input.moments,
      input.names, input.samples.get(), run.stage_seconds};
  model::LearnedModel model = learner.learn(context, arguments.values());
  model.data_digest = input.digest;
  if (!team.is_root()) return;
  run.stage_seconds["total"] = clock.seconds();
  store::write_model(output, model, run);
  print_model_summary(arguments, model, output, clock.seconds());
}

}  // namespace orrery::cli
