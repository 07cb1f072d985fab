// `params`: priors, failures and leaks of a noisy-OR network whose edges are known (Halpern &
// Sontag 2013).
#include <fmt/format.h>

#include <utility>

#include "base/work_time.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/known_structure/known_structure.hpp"
#include "family/model_argument.hpp"
#include "family/model_run.hpp"
#include "family/shared_options.hpp"

namespace orrery::noisy_or {
namespace {

/// About 15 triple counts per edge, beside the tables of pairs.
learning::Plan make_plan(const model::NoisyOrNetwork& structure,
                         const learning::PlanContext& context) {
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
  learning::Plan plan;
  plan.memory = {{"pair_tables", 20.0 * static_cast<double>(m * m)}};
  plan.units = structure.n_causes();
  plan.unit = "causes a round";
  return plan;
}

}  // namespace

void learn_parameters_of(const model::LearnedModel& named, const Arguments& arguments,
                         const parallel::Team& team) {
  const family::MomentInputs inputs = family::moment_inputs(arguments);
  const std::string source = arguments.required("structure");
  const model::NoisyOrNetwork structure = require_independent(named, source).network;
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(arguments,
                    family::plan_model(arguments, team, inputs, [&](const auto& context) {
                      return make_plan(structure, context);
                    }));
    return;
  }
  auto checkpoints =
      family::open_checkpoints(arguments, team, inputs, learning::Input::bits, "params",
                               {family::identity_of("--structure", named)});
  family::run_model(arguments, team, inputs, std::move(checkpoints),
                    [&](const learning::LearnContext& context) {
                      const auto places = team.root_first([&] {
                        return places_in_data(structure, context.names, source,
                                              inputs.data.empty() ? inputs.moments : inputs.data);
                      });
                      return known_structure::learn_parameters(
                          context, align_to_data(structure, context.names, places));
                    });
}

}  // namespace orrery::noisy_or
