#include "cli/model_run.hpp"

#include <fmt/ranges.h>

#include "cli/learner_input.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/progress.hpp"
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

Shape input_shape(const MomentInputs& inputs, std::uint64_t seed) {
  if (inputs.data.empty()) return {0, load_network(inputs.moments, seed).network.n_observed()};
  const store::SampleHeader header = store::read_sample_header(inputs.data);
  return {header.n_samples, header.n_observed};
}

void run_model(const Arguments& arguments, const parallel::Team& team, const MomentInputs& inputs,
               const std::string& structure, learners::Checkpoints checkpoints,
               const Learn& learn) {
  const std::string output =
      arguments.output({inputs.data, network_file(inputs.moments), network_file(structure)});
  const Progress clock("total", 0, "");
  store::RunInfo run = arguments.run_info(team);
  if (team.is_root()) OutputFile probe(output);
  log::verbose("{} rank(s) x {} thread(s) on {}, kernel {}", team.size(), arguments.threads(),
               fmt::join(run.hosts, ", "), run.kernel);
  const LearnerInput input = load_learner_input(team, arguments, inputs, checkpoints, run.stages);
  const learners::LearnContext context{
      team,        arguments.threads(),        arguments.seed(),          input.moments(),
      input.names, input.samples.matrix.get(), input.samples.memory_left, run.stages,
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
