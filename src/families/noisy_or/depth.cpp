// depth --test quartet|triplet: which causes perfect tests could learn.
#include "families/noisy_or/depth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/network_argument.hpp"
#include "model/learnability.hpp"
#include "orrery/base/error.hpp"

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

std::string describe(const NoisyOrNetwork& network, const std::vector<CauseLearnability>& causes,
                     std::size_t set_size) {
  const DepthTable table(network, causes);
  std::string text = fmt::format(
      "{} causes, {} variables, {} edges\n"
      "a cause is learned from {}\n\n{:>5}{:>9}{:>10}\n",
      format_count(network.n_causes()), format_count(network.n_observed()),
      format_count(network.edges().size()),
      set_size == model::quartet_size
          ? "four children of which no two share another cause"
          : "three children of which no two share another cause; the structure is known",
      "depth", "causes", "edges");
  const auto line = [&](const std::string& depth, const Count& count) {
    text += fmt::format("{:>5}{:>9}{:>10}\n", depth, format_count(count.causes),
                        format_count(count.edges));
  };
  for (std::size_t depth = 0; depth < table.at_depth.size(); ++depth) {
    line(std::to_string(depth), table.at_depth[depth]);
  }
  line("never", table.never);
  if (table.never.causes > 0) text += "\nnever learned:\n";
  for (std::size_t c = 0; c < causes.size(); ++c) {
    if (causes[c].depth != CauseLearnability::never) continue;
    text += fmt::format("  {}: {}\n", network.causes()[c].name,
                        describe_reason(network, c, causes[c], set_size));
  }
  return text;
}

nlohmann::json to_json(const NoisyOrNetwork& network, const std::vector<CauseLearnability>& causes,
                       const std::string& test) {
  const DepthTable table(network, causes);
  nlohmann::json depths = nlohmann::json::array();
  for (const Count& count : table.at_depth) {
    depths.push_back({{"depth", depths.size()}, {"causes", count.causes}, {"edges", count.edges}});
  }
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t c = 0; c < causes.size(); ++c) {
    const CauseLearnability& cause = causes[c];
    nlohmann::json set = nlohmann::json::array();
    for (const std::uint32_t a : cause.singly_coupled) set.push_back(network.observed()[a].name);
    nlohmann::json overlaps = nlohmann::json::array();
    for (const auto& [other, n_shared] : cause.overlaps) {
      overlaps.push_back({{"cause", network.causes()[other].name}, {"shared", n_shared}});
    }
    const bool is_learned = cause.depth != CauseLearnability::never;
    list.push_back({{"name", network.causes()[c].name},
                    {"prior", network.causes()[c].prior},
                    {"depth", is_learned ? nlohmann::json(cause.depth) : nlohmann::json()},
                    {"children", cause.n_children},
                    {"singly_coupled", std::move(set)},
                    {"overlaps", std::move(overlaps)}});
  }
  return {{"test", test},
          {"n_causes", network.n_causes()},
          {"n_observed", network.n_observed()},
          {"n_edges", network.edges().size()},
          {"depths", std::move(depths)},
          {"never", {{"causes", table.never.causes}, {"edges", table.never.edges}}},
          {"causes", std::move(list)}};
}

/// Gathering the overlaps is most of the work: 10 ns for each pair of parents of a variable.
learning::Plan make_plan(const NoisyOrNetwork& network) {
  std::vector<std::size_t> n_parents(network.n_observed(), 0);
  for (const model::Edge& edge : network.edges()) ++n_parents[edge.observed];
  double pairs = 0;
  for (const std::size_t n : n_parents) pairs += static_cast<double>(n) * static_cast<double>(n);
  const auto edges = static_cast<double>(network.edges().size());
  return {200 * edges + 2e7, network.n_causes(), "causes", 1e-8 * pairs + 1e-6 * edges};
}

void depth(const family::AnyModel& model, const std::string& source,
           const cli::Arguments& arguments, std::size_t set_size) {
  const NoisyOrNetwork network = require_independent(model, source).network;
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(network));
    return;
  }
  const std::vector<CauseLearnability> causes = model::learnability(network, set_size);
  if (arguments.json()) {
    cli::print_json(to_json(network, causes, arguments.text("test")));
  } else {
    std::cout << describe(network, causes, set_size);
  }
}

}  // namespace

void quartet_depth(const family::AnyModel& model, const std::string& source,
                   const cli::Arguments& arguments) {
  depth(model, source, arguments, model::quartet_size);
}

void triplet_depth(const family::AnyModel& model, const std::string& source,
                   const cli::Arguments& arguments) {
  depth(model, source, arguments, model::triplet_size);
}

}  // namespace orrery::noisy_or
