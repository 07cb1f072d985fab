// orrery params DATA --structure NETWORK -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/commands.hpp"
#include "cli/learner_input.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/learners/known_structure.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

/// The structure with its variables in the order of the data: by name if both have the same names,
/// else by position.
model::NoisyOrNetwork align(const model::NoisyOrNetwork& structure,
                            const std::vector<std::string>& names, const std::string& source) {
  if (structure.n_observed() != names.size()) {
    throw InputError(fmt::format("{}: {} observed variables, but the data have {}", source,
                                 structure.n_observed(), names.size()));
  }
  std::map<std::string, std::uint32_t> position;
  for (std::size_t x = 0; x < names.size(); ++x) {
    position[names[x]] = static_cast<std::uint32_t>(x);
  }
  const bool by_name = position.size() == names.size() &&
                       std::ranges::all_of(structure.observed(), [&](const auto& observed) {
                         return position.contains(observed.name);
                       });
  if (!by_name) return structure;
  std::vector<model::Observed> observed(names.size());
  std::vector<model::Edge> edges = structure.edges();
  for (const auto& variable : structure.observed()) observed[position[variable.name]] = variable;
  for (auto& edge : edges) edge.observed = position[structure.observed()[edge.observed].name];
  return {structure.causes(), std::move(observed), std::move(edges)};
}

}  // namespace

void run_params(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("structure", po::value<std::string>()->value_name("NETWORK"),
                    "the known edges: a network file or generator; its probabilities are not used")(
      "moments", po::value<std::string>()->value_name("FILE"),
      "counts stored by `orrery moments`; or, without DATA, a NETWORK with exact moments")(
      "output,o", po::value<std::string>()->value_name("FILE"), "the model, HDF5");
  const Arguments arguments(
      {"orrery params DATA --structure NETWORK -o FILE",
       "Learns priors, failures and leaks of a noisy-OR network whose edges are known "
       "(Halpern & Sontag 2013).",
       "orrery params data.h5 --structure img -o model.h5",
       {"data"}},
      own, line, team);
  if (arguments.helped()) return;
  const auto data = arguments.has("data") ? arguments.get<std::string>("data") : std::string();
  const auto moments =
      arguments.has("moments") ? arguments.get<std::string>("moments") : std::string();
  const std::string source = arguments.required("structure");
  const model::NoisyOrNetwork structure = load_network(source, arguments.seed()).network;
  if (arguments.dry_run()) {
    learners::Plan plan;
    const auto m = static_cast<double>(structure.n_observed());
    const double rows =
        data.empty() ? 0 : static_cast<double>(store::read_sample_header(data).n_samples);
    plan.memory_bytes = m * rows / 8 + 20 * m * m;
    plan.units = structure.n_causes();
    plan.unit = "causes a round";
    // 15 triple counts an edge, three words read a word of the result.
    plan.seconds = (m * m * rows / 2 / 8e11) + static_cast<double>(structure.edges().size()) * 15 *
                                                   rows / 64 * 1e-9 /
                                                   (team.size() * arguments.threads());
    if (team.is_root()) print_plan(arguments, plan);
    return;
  }
  const std::string output = arguments.required("output");
  const Progress clock("params", 0, "");
  store::RunInfo run = arguments.run_info(team);
  if (team.is_root()) OutputFile probe(output);
  const LearnerInput input = load_learner_input(team, data, moments, arguments.seed());
  const learners::LearnContext context{
      team,        arguments.threads(), arguments.seed(), *input.moments,
      input.names, input.samples.get(), run.stage_seconds};
  model::LearnedModel model =
      learners::learn_parameters(context, align(structure, input.names, source));
  model.data_digest = input.digest;
  if (!team.is_root()) return;
  run.stage_seconds["total"] = clock.seconds();
  store::write_model(output, model, run);
  print_model_summary(arguments, model, output, clock.seconds());
}

}  // namespace orrery::cli
