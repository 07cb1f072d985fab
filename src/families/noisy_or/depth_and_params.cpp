// The commands on networks whose structure is known: `depth`, which causes perfect tests could
// learn (--test quartet|triplet), and `params`, which learns the parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/known_structure/known_structure.hpp"
#include "family/model_run.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "model/learnability.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseLearnability;
using model::NoisyOrNetwork;

struct Count {
  std::size_t causes = 0;
  std::size_t edges = 0;
};

// The paper's Table 1. Edges to a variable that is always on are never learned.
struct DepthTable {
  std::vector<Count> at_depth;
  Count never;

  DepthTable(const NoisyOrNetwork& network, const std::vector<CauseLearnability>& causes)
      : never{0, network.edges().size()} {
    for (const CauseLearnability& cause : causes) {
      if (cause.depth == CauseLearnability::never) {
        ++never.causes;
        continue;
      }
      const auto depth = static_cast<std::size_t>(cause.depth);
      at_depth.resize(std::max(at_depth.size(), depth + 1));
      ++at_depth[depth].causes;
      at_depth[depth].edges += cause.n_children;
      never.edges -= cause.n_children;
    }
  }
};

std::string describe_overlaps(const NoisyOrNetwork& network, const CauseLearnability& cause) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, cause.overlaps.size()); ++i) {
    const auto& [other, n_shared] = cause.overlaps[i];
    text += fmt::format("{} {} with {}", i == 0 ? "; it shares" : ",", n_shared,
                        network.causes()[other].name);
  }
  if (cause.overlaps.size() <= shown) return text;
  return text + fmt::format(" and some with {} more", cause.overlaps.size() - shown);
}

std::string describe_reason(const NoisyOrNetwork& network, std::size_t c,
                            const CauseLearnability& cause, std::size_t set_size) {
  const double prior = network.causes()[c].prior;
  if (prior == 0 || prior == 1) {
    return fmt::format("prior {}: it is {} present", prior, prior == 0 ? "never" : "always");
  }
  if (cause.n_children < set_size) {
    return fmt::format("{} {}, {} are needed", cause.n_children,
                       cause.n_children == 1 ? "child" : "children", set_size);
  }
  return fmt::format("no more than {} of its {} children will do{}", cause.singly_coupled.size(),
                     cause.n_children, describe_overlaps(network, cause));
}

void add_depths(report::Section& section, const DepthTable& found) {
  section.data("never/causes", found.never.causes).data("never/edges", found.never.edges);
  report::Table& depths = section.table("depths", "");
  report::Table& shown = section.table("", "Depths");
  const auto show = [&](const std::string& depth, const Count& count) {
    shown.row()
        .show("depth", depth)
        .show("causes", format_count(count.causes))
        .show("edges", format_count(count.edges));
  };
  for (std::size_t depth = 0; depth < found.at_depth.size(); ++depth) {
    const Count& count = found.at_depth[depth];
    depths.row().data("depth", depth).data("causes", count.causes).data("edges", count.edges);
    show(fmt::format("{}", depth), count);
  }
  show("never", found.never);
}

void add_causes_by_depth(report::Section& section, const NoisyOrNetwork& network,
                         const std::vector<CauseLearnability>& causes, std::size_t set_size) {
  report::Table& table = section.table("causes", "Causes that are never learned");
  for (std::size_t c = 0; c < causes.size(); ++c) {
    const CauseLearnability& cause = causes[c];
    nlohmann::json set = nlohmann::json::array();
    for (const std::uint32_t a : cause.singly_coupled) set.push_back(network.observed()[a].name);
    nlohmann::json overlaps = nlohmann::json::array();
    for (const auto& [other, n_shared] : cause.overlaps) {
      overlaps.push_back({{"cause", network.causes()[other].name}, {"shared", n_shared}});
    }
    const bool is_learned = cause.depth != CauseLearnability::never;
    const std::string& name = network.causes()[c].name;
    report::Record& row = table.row();
    row.data("name", name)
        .data("prior", network.causes()[c].prior)
        .data("depth", is_learned ? nlohmann::json(cause.depth) : nlohmann::json())
        .data("children", cause.n_children)
        .data("singly_coupled", std::move(set))
        .data("overlaps", std::move(overlaps));
    if (!is_learned) {
      row.show("cause", name).show("reason", describe_reason(network, c, cause, set_size));
    }
  }
}

/// What Theorems 1 and 2 make of the network: `plan quartet` says the samples.
void add_testability(report::Section& section, const NoisyOrNetwork& network,
                     const std::vector<CauseLearnability>& causes) {
  const model::RankTestability rank = model::rank_testability(network, most_quartets_examined);
  const model::SubtractionWidth width = model::subtraction_width(network, causes);
  add_rank_and_width(rank, width, section);
  if (std::isfinite(rank.epsilon)) {
    const auto name = [&](std::size_t k) { return network.observed()[rank.quartet[k]].name; };
    section.sentences.push_back(fmt::format(
        "rank-testable with epsilon {:.3g}: the least third singular value of a quartet that two "
        "causes or more couple ({}, {} | {}, {} of {}{})",
        rank.epsilon, name(0), name(1), name(2), name(3), network.causes()[rank.cause].name,
        static_cast<double>(rank.n_examined) == rank.n_quartets
            ? ""
            : fmt::format("; of {} quartets drawn from {:.3g}: it may be less",
                          format_count(rank.n_examined), rank.n_quartets)));
  }
  section.sentences.push_back(
      fmt::format("width {}{}: the most causes that must be subtracted off before a further one "
                  "can be learned",
                  width.width, width.is_exact ? "" : " at most"));
}

learning::Plan make_plan(const NoisyOrNetwork& network) {
  const auto edges = static_cast<double>(network.edges().size());
  return {200 * edges + 2e7, network.n_causes(), "causes"};
}

void depth(const family::AnyModel& model, const std::string& source, std::size_t set_size,
           report::Sheet& sheet) {
  const NoisyOrNetwork network = require_independent(model, source).network;
  const std::vector<CauseLearnability> causes = model::learnability(network, set_size);
  report::Section& section = sheet.section("", "Depth");
  section.sentences = {
      fmt::format("{}, {}, {}", report::count_of(network.n_causes(), "cause"),
                  report::count_of(network.n_observed(), "variable"),
                  report::count_of(network.edges().size(), "edge")),
      set_size == model::quartet_size
          ? "a cause is learned from four children of which no two share another cause"
          : "a cause is learned from three children of which no two share another cause; the "
            "structure is known"};
  section.data("n_causes", network.n_causes())
      .data("n_observed", network.n_observed())
      .data("n_edges", network.edges().size());
  if (set_size == model::quartet_size) add_testability(section, network, causes);
  add_depths(section, DepthTable(network, causes));
  add_causes_by_depth(section, network, causes, set_size);
}

family::DepthTest depth_test(const char* name, const char* help, std::size_t set_size) {
  return {name, help,
          [](const family::AnyModel& model, const std::string& source) {
            return make_plan(require_independent(model, source).network);
          },
          [set_size](const family::AnyModel& model, const std::string& source,
                     report::Sheet& sheet) { depth(model, source, set_size, sheet); }};
}

}  // namespace

family::DepthTest quartet_depth() {
  return depth_test("quartet", "causes to be discovered", model::quartet_size);
}

family::DepthTest triplet_depth() {
  return depth_test("triplet", "parameters of a known structure", model::triplet_size);
}

// `params`: priors, failures and leaks of a noisy-OR network whose edges are known (Halpern &
// Sontag 2013).

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
  plan.memory = {{"pair_tables", learning::pair_table_bytes(context.moments)}};
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
