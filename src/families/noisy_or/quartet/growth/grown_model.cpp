// Growth as a step of the quartet learner: with its checkpoints, its progress, its model.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/grown.hpp"
#include "families/noisy_or/quartet/growth/growth.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "learning/stages.hpp"

namespace orrery::quartet {

GrownModel grow(const learning::LearnContext& context, State& state) {
  learning::StageWatch watch(context.stages, "growth");
  SearchProgress progress("growth");
  GrowthState begun;
  if (!state.growth.empty()) {
    begun = GrowthState::unpack(state.growth, context.moments.n_observed());
  }
  const Growth* running = nullptr;
  GrowthOptions options;
  options.pause = [&] {
    if (running == nullptr) return;
    state.growth = running->state().pack();
    keep(context, context.checkpoints.pause_now(context.team), state);
    progress.pass(running->state().fit.grown.n_causes(),
                  std::isfinite(running->score()) ? std::optional(running->score()) : std::nullopt);
  };
  Growth growth(*context.rows, context.moments, options, std::move(begun));
  running = &growth;
  try {
    growth.run();
  } catch (const learning::TimeUp&) {  // what there is
  }
  watch.add(context.team, {}, 1);
  GrownModel grown;
  const GrownFit& fit = growth.state().fit;
  std::vector<std::string> cause_names;
  for (std::size_t c = 0; c < fit.grown.n_causes(); ++c) {
    cause_names.push_back(fmt::format("cause{}", c));
    model::Provenance origin;
    origin.depth = 0;
    origin.statistic = growth.state().z[c];
    grown.model.provenance.push_back(origin);
  }
  grown.model.network = to_network(fit.grown, cause_names, context.names);
  grown.model.learner = "quartet";
  grown.model.n_samples = context.rows->n_rows();
  grown.score = growth.score();
  return grown;
}

double score_as_grown(const model::NoisyOrNetwork& network, double log_likelihood, double n_rows) {
  double n_parameters = static_cast<double>(network.n_causes());
  for (const model::Edge& edge : network.edges()) {
    if (1 - edge.failure > constants::growth::least_strength) n_parameters += 1;
  }
  return log_likelihood - n_parameters * .5 * std::log(n_rows);
}

}  // namespace orrery::quartet
