#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "families/linear/commands.hpp"
#include "families/linear/network/expansion.hpp"
#include "family/table.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

using report::count_of;
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

model::LinearNetwork require_linear(const family::AnyModel& model, const std::string& source) {
  return family::require<LearnedLinear>(model, source, "a linear network is needed here").network;
}

struct Conditions {
  model::RankCondition rank;
  model::Expansion expansion;
  model::Genericity genericity;
  model::ProgramConditions programs;
};

Conditions check(const Level& level) {
  return {model::check_rank(*level.loadings),
          model::check_expansion(model::bipartite_of(*level.loadings)),
          model::check_genericity(*level.loadings), model::check_programs(*level.loadings)};
}

Names names_at(const Names& names, const Indices& places) {
  Names chosen;
  for (const std::uint32_t i : places) chosen.push_back(names[i]);
  return chosen;
}

/// JSON has no infinity: null.
nlohmann::json to_json(const model::ProgramCondition& condition, const Names& names) {
  const bool asks = std::isfinite(condition.least_ratio);
  return {{"failing", condition.n_failing},
          {"least_ratio", asks ? nlohmann::json(condition.least_ratio) : nlohmann::json()},
          {"variable", asks ? nlohmann::json(names[condition.variable]) : nlohmann::json()},
          {"exhaustive", condition.exhaustive}};
}

nlohmann::json to_json(const Level& level, const model::ProgramConditions& programs) {
  return {{"holds", programs.holds},
          {"n_variables", programs.n_variables},
          {"least_gap", programs.least_gap},
          {"gap_variable", (*level.below)[programs.gap_variable]},
          {"never_largest", names_at(*level.causes, programs.never_largest)},
          {"first", to_json(programs.first, *level.below)},
          {"second", to_json(programs.second, *level.below)}};
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
            {"direction", std::move(direction)}}},
          {"programs", to_json(level, found.programs)}};
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

/// A condition, whether it holds, and why.
void judge(report::Section& section, const char* condition, bool holds, std::string why) {
  section.show(condition, holds ? "holds" : "violated", std::move(why))
      .judge(report::judged(holds));
}

void show_set(report::Section& section, const Level& level, const Indices& set,
              const Indices& neighbours) {
  section.show("  causes", list(*level.causes, set));
  section.show("  their variables", list(*level.below, neighbours));
}

void show(report::Section& section, const Level& level, const model::RankCondition& rank) {
  if (rank.holds) {
    judge(section, "rank", true,
          fmt::format("three blocks of {}, {} and {} variables, least singular value {:.3g}",
                      rank.blocks[0].size(), rank.blocks[1].size(), rank.blocks[2].size(),
                      rank.least_singular_value));
    return;
  }
  if (rank.set.empty()) {
    judge(section, "rank", false,
          "each cause has three variables of its own, but the loadings of no three blocks "
          "are independent");
    return;
  }
  judge(section, "rank", false,
        fmt::format("{} share {}, {} are needed", count_of(rank.set.size(), "cause"),
                    count_of(rank.neighbours.size(), "variable"), 3 * rank.set.size()));
  show_set(section, level, rank.set, rank.neighbours);
}

void show(report::Section& section, const Level& level, const model::Expansion& expansion) {
  if (expansion.set.empty()) {
    judge(section, "expansion", true, "there are fewer than two causes");
    return;
  }
  judge(section, "expansion", expansion.holds,
        fmt::format("|N(S)| = {}, |S| + d_max = {} + {}{}", expansion.neighbours.size(),
                    expansion.set.size(), expansion.largest_degree,
                    expansion.holds ? " for the least set" : ""));
  if (!expansion.holds) show_set(section, level, expansion.set, expansion.neighbours);
}

void show(report::Section& section, const Level& level, const model::Genericity& genericity) {
  if (genericity.holds) {
    const bool all = genericity.largest_set == level.causes->size();
    judge(section, "genericity", true,
          fmt::format(
              "for all sets of causes{}",
              all ? "" : fmt::format(" looked at, those of up to {}", genericity.largest_set)));
    return;
  }
  std::string sum;
  for (const std::uint32_t j : genericity.set) {
    sum += fmt::format("{}{:.4g} {}", sum.empty() ? "" : ", ", genericity.direction[j],
                       (*level.causes)[j]);
  }
  judge(section, "genericity", false,
        fmt::format("{} causes cancel in as many variables or more", genericity.set.size()));
  section.show("  along", sum);
}

/// "(i) for 57 of 60 variables, least ratio 0.31 (x3)"
std::string say(const char* number, const model::ProgramCondition& condition, std::size_t n,
                const Names& names) {
  if (!std::isfinite(condition.least_ratio)) return fmt::format("({}) asks for nothing", number);
  const std::string ratio =
      fmt::format("least ratio {:.3g}, of {}{}", condition.least_ratio, names[condition.variable],
                  condition.exhaustive ? "" : ", of the vectors looked at");
  return condition.n_failing == 0 ? fmt::format("({}) holds, {}", number, ratio)
                                  : fmt::format("({}) fails for {} of {} variables, {}", number,
                                                condition.n_failing, n, ratio);
}

void show(report::Section& section, const Level& level, const model::ProgramConditions& programs) {
  const Names& below = *level.below;
  std::string why = fmt::format("{}; {}; least gap of a row {:.3g}, of {}",
                                say("i", programs.first, programs.n_variables, below),
                                say("ii", programs.second, programs.n_variables, below),
                                programs.least_gap, below[programs.gap_variable]);
  if (!programs.never_largest.empty()) {
    why += fmt::format("; largest in no row: {}", list(*level.causes, programs.never_largest));
  }
  section.show("programs", programs.holds ? "hold" : "in doubt", std::move(why));
}

learning::Plan plan_of_conditions(const model::LinearNetwork& network) {
  const auto n = static_cast<double>(network.n_observed());
  const auto k = static_cast<double>(network.n_causes());
  const double pairs = k * k / 2;
  return {8 * n * k * 6 + 3e7, static_cast<std::uint64_t>(pairs), "pairs of causes"};
}

void depth(const family::AnyModel& model, const std::string& source, report::Sheet& sheet) {
  const model::LinearNetwork network = require_linear(model, source).canonical();
  const std::vector<Level> levels = levels_of(network);
  report::Section& about = sheet.section("", "Conditions");
  about.sentences.push_back(fmt::format("{}, {}, {}", count_of(network.n_causes(), "cause"),
                                        count_of(network.n_observed(), "variable"),
                                        count_of(network.n_edges(), "edge")));
  about.data("n_causes", network.n_causes())
      .data("n_observed", network.n_observed())
      .data("n_edges", network.n_edges());
  nlohmann::json list_of_levels = nlohmann::json::array();
  bool all_hold = true;
  bool all_looked_at = true;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Conditions found = check(levels[i]);
    all_hold = all_hold && found.rank.holds && found.expansion.holds && found.genericity.holds;
    all_looked_at = all_looked_at && found.genericity.largest_set == levels[i].causes->size();
    list_of_levels.push_back(to_json(levels[i], found));
    report::Section& section = sheet.section("", "");
    if (levels.size() > 1) {
      section.sentences.push_back(fmt::format("level {}: {} above {}", i + 1,
                                              count_of(levels[i].causes->size(), "cause"),
                                              count_of(levels[i].below->size(), "variable")));
    }
    show(section, levels[i], found.rank);
    show(section, levels[i], found.expansion);
    show(section, levels[i], found.genericity);
    show(section, levels[i], found.programs);
  }
  report::Section& verdict = sheet.section("", "");
  verdict.data("holds", all_hold).data("levels", std::move(list_of_levels));
  verdict.judge(all_hold
                    ? fmt::format("the covariance determines the loadings, up to order and sign{}",
                                  all_looked_at ? "" : ", as far as was looked")
                    : "the covariance need not determine the loadings",
                report::judged(all_hold));
}

}  // namespace

family::DepthTest expansion_depth() {
  return {"expansion", "the conditions under which a linear network can be learned",
          [](const family::AnyModel& model, const std::string& source) {
            return plan_of_conditions(require_linear(model, source));
          },
          depth};
}

}  // namespace orrery::linear
