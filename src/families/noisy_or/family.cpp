// Noisy-OR networks of hidden causes, which may depend on one another, and of which some may have
// anchors (Jernite, Halpern, Sontag 2013; Halpern, Horng, Sontag 2015): the line of the table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "model/anchored_generators.hpp"
#include "model/network_moments.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
extern const learning::LearnerEntry entry;
}
namespace orrery::variational_em {
extern const learning::LearnerEntry entry;
}
#ifdef ORRERY_HAVE_ANCHORED
namespace orrery::anchored {
extern const learning::LearnerEntry entry;
}
#endif

namespace orrery::noisy_or {

using family::typed;

std::string describe_kind(const LearnedModel& learned) {
  if (!learned.network.anchors().empty()) return "an anchored network";
  return learned.network.has_dependent_causes()
             ? "a noisy-OR network whose causes depend on one another"
             : "a noisy-OR network";
}

namespace {

std::vector<const learning::LearnerEntry*> learners() {
  return {&quartet::entry, &variational_em::entry,
#ifdef ORRERY_HAVE_ANCHORED
          &anchored::entry
#endif
  };
}

std::vector<std::string> variables(const LearnedModel& learned) {
  return learned.network.observed_names();
}

family::Size size(const LearnedModel& learned) {
  const model::NoisyOrNetwork& network = learned.network;
  return {network.n_causes(), "causes", network.edges().size() + network.cause_network().n_edges()};
}

std::unique_ptr<moments::MomentSource> exact_moments(const family::AnyModel& model,
                                                     const std::string& source) {
  (void)require_independent(model, source);
  return std::make_unique<model::NetworkMoments>(model.as<LearnedModel>()->network);
}

}  // namespace

const family::Family& family() {
  static const family::Family of_table{
      .name = "noisy_or",
      .type = typeid(LearnedModel),
      .describe = typed(describe_kind),
      .variables = typed(variables),
      .size = typed(size),
      .info = typed(info),
      .summary = typed(summary),
      .generators =
          fmt::format("{}, {}", model::generator_help(), model::anchored_generator_help()),
      .generate = generate,
      .fields = family::fields_of(fields),
      .renamed = typed(renamed),
      .groups = {"model", "anchored"},
      .json_formats = {"orrery-network-1", "orrery-anchored-1"},
      .other_json = read_published_layout,
      .formats = {{"csv", typed(to_csv), typed(strong_csv)}, {"anchors", typed(to_anchors)}},
      .graph = typed(graph),
      .discrete = typed(discrete),
      .imports = {{"edges", "not samples, but a network's edges, a line cause,variable,strength",
                   add_network_import_options, import_network}},
      .learners = learners(),
      .papers = {{"anchored", {"halpern2015"}},
                 {"params", {"halpern2013"}},
                 {"quartet", {"jernite2013"}},
                 {"vem", {"singliar2006"}}},
      .known = {add_known_options, load_known_parts},
      .exact_moments = exact_moments,
      .params = typed(learn_parameters_of),
      .planners =
          {{"quartet", "samples for quartet tests: what the theorems say of a network",
            "--network NETWORK",
            "Tells how many samples suffice, up to a constant, for quartet tests to learn a "
            "noisy-OR network (Jernite, Halpern, Sontag 2013, Theorems 1 and 2), and what of the "
            "network decides that. Far fewer do in practice: `orrery sample` and `orrery learn` "
            "tell.",
            "orrery plan quartet --network img --samples 10000", add_plan_options, plan}},
      .sample = {typed(sample), add_sample_options},
      .infer =
          {typed(infer), add_infer_options,
           "Of a noisy-OR network: the probability of the row, of each cause given the row, and "
           "the most probable explanations."},
      .evaluate =
          {typed(evaluate), add_evaluate_options,
           "Counts recovered causes (Hungarian matching on the worst |log failure ratio|; at "
           "most 1), matched ones (cosine of 1 - f), edges and errors; scores data and "
           "compares them with the model's predictions; shows the model's intervals, support "
           "and stability, and its weakest edges. Of an anchored network: edges among causes, "
           "divergence, errors of loadings, likelihood of data and of labels, the last-tag "
           "task.",
           typed(plan_evaluate)},
      .report = {typed(report), add_report_options,
                 "Of a noisy-OR network: its causes and what they switch on.", typed(plan_report)},
      .depth = {quartet_depth(), triplet_depth()},
  };
  return of_table;
}

}  // namespace orrery::noisy_or
