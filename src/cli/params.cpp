// orrery params DATA --structure NETWORK -o FILE
#include <fmt/format.h>

#include <utility>

#include "cli/checkpoint_options.hpp"
#include "cli/commands.hpp"
#include "cli/model_run.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/learners/known_structure.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

/// About 15 triple counts an edge, beside the tables of pairs.
learners::Plan make_plan(const model::NoisyOrNetwork& structure,
                         const learners::PlanContext& context) {
  constexpr int n_measured = 20;
  const std::size_t m = context.moments.n_observed();
  const double begin = thread_seconds();
  double sum = 0;
  for (std::size_t i = 0; i < n_measured; ++i) {
    sum += context.moments.triple(i % m, (i + 1) % m, (i + 2) % m);
  }
  const double of_one = sum >= 0 ? (thread_seconds() - begin) / n_measured : 0;
  const auto edges = static_cast<double>(structure.edges().size());
  context.timing.shared("causes", edges * 15 * of_one * context.scale);
  learners::Plan plan;
  plan.memory = {{"pair_tables", 20.0 * static_cast<double>(m * m)}};
  plan.units = structure.n_causes();
  plan.unit = "causes a round";
  return plan;
}

}  // namespace

void run_params(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("structure", po::value<std::string>()->value_name("NETWORK"),
                    "the known edges: a network file or generator; its probabilities are not used");
  add_model_options(own);
  add_checkpoint_options(own);
  const Arguments arguments({"params",
                             "DATA --structure NETWORK -o FILE",
                             "Learns priors, failures and leaks of a noisy-OR network whose edges "
                             "are known (Halpern & Sontag 2013).",
                             "orrery params data.h5 --structure img -o model.h5",
                             {"data"}},
                            own, line, team);
  if (arguments.helped()) return;
  const MomentInputs inputs = moment_inputs(arguments);
  const std::string source = arguments.required("structure");
  const model::LearnedModel named = load_network(team, source, arguments.seed());
  const model::NoisyOrNetwork& structure = named.network;
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    print_plan(arguments, plan_model(arguments, team, inputs, [&](const auto& context) {
                 return make_plan(structure, context);
               }));
    return;
  }
  auto checkpoints = open_checkpoints(arguments, team, inputs, learners::Input::bits, "params",
                                      {identity_of("--structure", named)});
  run_model(
      arguments, team, inputs, std::move(checkpoints), [&](const learners::LearnContext& context) {
        const auto places = team.root_first([&] {
          return places_in_data(structure, context.names, source,
                                inputs.data.empty() ? inputs.moments : inputs.data);
        });
        return learners::learn_parameters(context, align_to_data(structure, context.names, places));
      });
}

}  // namespace orrery::cli
