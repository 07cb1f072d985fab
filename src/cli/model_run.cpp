#include "cli/model_run.hpp"

#include <fmt/ranges.h>

#include <utility>

#include "cli/learner_input.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/model/network_moments.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {

namespace po = boost::program_options;

void add_model_options(po::options_description& options) {
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                        "the model, HDF5")(
      "moments", po::value<std::string>()->value_name("FILE"),
      "counts stored by `orrery moments`; or, without DATA, a NETWORK whose exact moments are "
      "learned from");
}

MomentInputs moment_inputs(const Arguments& arguments) {
  MomentInputs inputs{arguments.text("data"), arguments.text("moments")};
  if (inputs.data.empty() && inputs.moments.empty()) {
    throw UsageError(
        "DATA is missing; give a file of `orrery import` or `orrery sample` (or "
        "--moments NETWORK, to learn from exact moments)");
  }
  return inputs;
}

namespace {

/// What the learner holds beside program and bits, if that is more than loading takes.
void add_learning(learners::Plan& plan, learners::Parts parts, const learners::Parts& learning) {
  parts.insert(parts.end(), learning.begin(), learning.end());
  learners::raise_memory(plan, std::move(parts));
}

}  // namespace

learners::Plan plan_model(const Arguments& arguments, const parallel::Team& team,
                          const MomentInputs& inputs, const PlanLearning& learning) {
  const learners::Means means = learners::means_of(team, arguments.threads());
  learners::Timing timing(means);
  timing.waits("start", means.start_seconds);
  learners::Plan plan;
  learners::Plan learned;
  if (inputs.data.empty()) {
    const double begin = thread_seconds();
    const model::LearnedModel network = load_network(inputs.moments, arguments.seed());
    const model::NetworkMoments moments(network.network);
    timing.alone("load", thread_seconds() - begin);
    learned = learning({means, moments, 1, timing});
    add_learning(plan, learners::memory_of_program(means), learned.memory);
  } else {
    const learners::Pilot pilot = learners::load_pilot(inputs.data, means, timing);
    learned = learning({means, *pilot.moments, pilot.scale, timing});
    learners::raise_memory(plan, learners::memory_to_load(pilot, means));
    learners::raise_memory(plan, learners::memory_to_count_pairs(pilot, means));
    learners::Parts parts = learners::memory_of_program(means);
    parts.emplace_back("bits", pilot.bits_bytes);
    const auto m = static_cast<double>(pilot.moments->n_observed());
    if (pilot.missing) parts.emplace_back("pair_tables_of_mask", 28 * m * m);
    add_learning(plan, std::move(parts), learned.memory);
  }
  plan.units = learned.units;
  plan.unit = learned.unit;
  timing.into(plan);
  return plan;
}

void run_model(const Arguments& arguments, const parallel::Team& team, const MomentInputs& inputs,
               const std::vector<std::string>& others, learners::Checkpoints checkpoints,
               const Learn& learn) {
  std::vector<std::string> files{inputs.data, network_file(inputs.moments)};
  files.insert(files.end(), others.begin(), others.end());
  const std::string output = arguments.output(files);
  const Progress clock("total", 0, "");
  store::RunInfo run = arguments.run_info(team);
  if (team.is_root()) OutputFile probe(output);
  log::verbose("{} rank(s) x {} thread(s) on {}, kernel {}", team.size(), arguments.threads(),
               fmt::join(run.hosts, ", "), run.kernel);
  const LearnerInput input = load_learner_input(team, arguments, inputs, checkpoints, run.stages);
  const learners::LearnContext context{team,
                                       arguments.threads(),
                                       arguments.seed(),
                                       input.moments(),
                                       input.names,
                                       input.samples.complete(),
                                       input.samples.rows.get(),
                                       input.samples.memory_left,
                                       run.stages,
                                       checkpoints};
  model::LearnedModel model = learn(context);
  model.data_digest = input.digest;
  run.bytes_read = bytes_read(team);
  if (!team.is_root()) return;
  run.stages.push_back({"total", clock.seconds()});
  log_stages(run);
  store::write_model(output, model, run);
  checkpoints.remove();
  print_model_summary(arguments, model, output, clock.seconds());
}

}  // namespace orrery::cli
