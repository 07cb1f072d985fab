#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/network/expansion.hpp"
#include "family/table.hpp"

namespace orrery::linear {
namespace {

using Names = std::vector<std::string>;
using Indices = std::vector<std::uint32_t>;

/// A level of hidden variables and the one below it.
struct Level {
  const Names* causes;
  const Names* below;
  const Eigen::MatrixXd* loadings;
};

std::vector<Level> levels_of(const model::LinearNetwork& network) {
  std::vector<Level> levels = {{&network.cause_names(), &network.names(), &network.loadings()}};
  for (const model::UpperLevel& upper : network.upper()) {
    levels.push_back({&upper.names, levels.back().causes, &upper.loadings});
  }
  return levels;
}

struct Conditions {
  model::RankCondition rank;
  model::Expansion expansion;
  model::Genericity genericity;
};

Conditions check(const Level& level) {
  return {model::check_rank(*level.loadings),
          model::check_expansion(model::bipartite_of(*level.loadings)),
          model::check_genericity(*level.loadings)};
}

Names names_at(const Names& names, const Indices& places) {
  Names chosen;
  for (const std::uint32_t i : places) chosen.push_back(names[i]);
  return chosen;
}

nlohmann::json to_json(const Level& level, const Conditions& found) {
  nlohmann::json blocks = nlohmann::json::array();
  for (const Indices& block : found.rank.blocks) blocks.push_back(names_at(*level.below, block));
  const auto set = [&](const auto& condition) { return names_at(*level.causes, condition.set); };
  const auto neighbours = [&](const auto& condition) {
    return names_at(*level.below, condition.neighbours);
  };
  nlohmann::json direction = nlohmann::json::array();
  for (const std::uint32_t j : found.genericity.set) {
    direction.push_back(found.genericity.direction[j]);
  }
  return {{"n_causes", level.causes->size()},
          {"n_below", level.below->size()},
          {"rank",
           {{"holds", found.rank.holds},
            {"least_singular_value", found.rank.least_singular_value},
            {"blocks", found.rank.holds ? std::move(blocks) : nlohmann::json::array()},
            {"set", set(found.rank)},
            {"neighbours", neighbours(found.rank)}}},
          {"expansion",
           {{"holds", found.expansion.holds},
            {"largest_degree", found.expansion.largest_degree},
            {"set", set(found.expansion)},
            {"neighbours", neighbours(found.expansion)}}},
          {"genericity",
           {{"holds", found.genericity.holds},
            {"largest_set", found.genericity.largest_set},
            {"set", set(found.genericity)},
            {"direction", std::move(direction)}}}};
}

/// "h0, h3, h4 and 17 more"
std::string list(const Names& names, const Indices& places) {
  constexpr std::size_t most = 20;
  const std::size_t shown = places.size() <= most ? places.size() : most - 1;
  const Names first = names_at(names, {places.begin(), places.begin() + static_cast<long>(shown)});
  const std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (shown == places.size()) return text.empty() ? "none" : text;
  return fmt::format("{} and {} more (--json lists all)", text, places.size() - shown);
}

std::string describe_set(const Level& level, const Indices& set, const Indices& neighbours) {
  return fmt::format("    causes: {}\n    their variables: {}\n", list(*level.causes, set),
                     list(*level.below, neighbours));
}

std::string describe(const Level& level, const model::RankCondition& rank) {
  if (rank.holds) {
    return fmt::format(
        "  rank: holds; three blocks of {}, {} and {} variables, least singular value {:.3g}\n",
        rank.blocks[0].size(), rank.blocks[1].size(), rank.blocks[2].size(),
        rank.least_singular_value);
  }
  if (rank.set.empty()) {
    return "  rank: violated; each cause has three variables of its own, but the loadings of no "
           "three blocks are independent\n";
  }
  return fmt::format("  rank: violated; {} cause(s) share {} variable(s), {} are needed\n{}",
                     rank.set.size(), rank.neighbours.size(), 3 * rank.set.size(),
                     describe_set(level, rank.set, rank.neighbours));
}

std::string describe(const Level& level, const model::Expansion& expansion) {
  if (expansion.set.empty()) return "  expansion: holds; there are fewer than two causes\n";
  std::string text = fmt::format(
      "  expansion: {}; |N(S)| = {}, |S| + d_max = {} + {}{}\n",
      expansion.holds ? "holds" : "violated", expansion.neighbours.size(), expansion.set.size(),
      expansion.largest_degree, expansion.holds ? " for the least set" : "");
  if (!expansion.holds) text += describe_set(level, expansion.set, expansion.neighbours);
  return text;
}

std::string describe(const Level& level, const model::Genericity& genericity) {
  if (genericity.holds) {
    const bool all = genericity.largest_set == level.causes->size();
    return fmt::format(
        "  genericity: holds for all sets of causes{}\n",
        all ? "" : fmt::format(" looked at, those of up to {}", genericity.largest_set));
  }
  std::string sum;
  for (const std::uint32_t j : genericity.set) {
    sum += fmt::format("{}{:.4g} {}", sum.empty() ? "" : ", ", genericity.direction[j],
                       (*level.causes)[j]);
  }
  return fmt::format(
      "  genericity: violated; {} causes cancel in as many variables or more\n"
      "    along: {}\n",
      genericity.set.size(), sum);
}

/// Prints what was found.
void print_conditions(const Arguments& arguments, const model::LinearNetwork& given) {
  const model::LinearNetwork network = given.canonical();
  const std::vector<Level> levels = levels_of(network);
  nlohmann::json list_of_levels = nlohmann::json::array();
  std::string text =
      fmt::format("{} causes, {} variables, {} edges\n", format_count(network.n_causes()),
                  format_count(network.n_observed()), format_count(network.n_edges()));
  bool all_hold = true;
  bool all_looked_at = true;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Conditions found = check(levels[i]);
    all_hold = all_hold && found.rank.holds && found.expansion.holds && found.genericity.holds;
    all_looked_at = all_looked_at && found.genericity.largest_set == levels[i].causes->size();
    list_of_levels.push_back(to_json(levels[i], found));
    if (levels.size() > 1) {
      text += fmt::format("level {}: {} causes above {} variables\n", i + 1,
                          levels[i].causes->size(), levels[i].below->size());
    }
    text += describe(levels[i], found.rank) + describe(levels[i], found.expansion) +
            describe(levels[i], found.genericity);
  }
  text += all_hold ? fmt::format("the covariance determines the loadings, up to order and sign{}\n",
                                 all_looked_at ? "" : ", as far as was looked")
                   : "the covariance need not determine the loadings\n";
  if (arguments.json()) {
    cli::print_json({{"test", "expansion"},
                     {"n_causes", network.n_causes()},
                     {"n_observed", network.n_observed()},
                     {"n_edges", network.n_edges()},
                     {"holds", all_hold},
                     {"levels", std::move(list_of_levels)}});
  } else {
    std::cout << text;
  }
}

learning::Plan plan_of_conditions(const model::LinearNetwork& network) {
  const auto n = static_cast<double>(network.n_observed());
  const auto k = static_cast<double>(network.n_causes());
  const double pairs = k * k / 2;
  return {8 * n * k * 6 + 3e7, static_cast<std::uint64_t>(pairs), "pairs of causes",
          3 + 1e-8 * n * k * k + 1e-9 * pairs * k};
}

}  // namespace

void depth(const family::AnyModel& model, const std::string& source, const Arguments& arguments) {
  const model::LinearNetwork network =
      family::require<LearnedLinear>(model, source, "a linear network is needed here").network;
  if (arguments.dry_run()) {
    cli::print_plan(arguments, plan_of_conditions(network));
  } else {
    print_conditions(arguments, network);
  }
}

}  // namespace orrery::linear
