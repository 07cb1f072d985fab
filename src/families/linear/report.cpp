// `report` for linear networks.
#include <optional>

#include "families/linear/commands.hpp"
#include "families/linear/page/page.hpp"
#include "family/shared_options.hpp"

namespace orrery::linear {

learning::Plan plan_report(const LearnedLinear& learned, const Arguments&) {
  const model::LinearNetwork& network = learned.network;
  const auto cells = static_cast<double>(network.n_observed() * (network.n_causes() + 1));
  return {1e6 + 400 * cells, network.n_causes(), "causes", 2e-6 * cells};
}

std::string report(const LearnedLinear& learned, const Arguments& arguments,
                   const parallel::Team& /*team*/) {
  LinearReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes of numbers");
  input.source = family::source_of(arguments);
  const std::optional<LearnedLinear> truth = load_true_linear(arguments, learned.network);
  std::optional<LinearScores> scores;
  if (truth) {
    scores = score_linear(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  return linear_html_report(input);
}

}  // namespace orrery::linear
