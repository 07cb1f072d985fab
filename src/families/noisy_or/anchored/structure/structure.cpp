#include "families/noisy_or/anchored/structure/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/structure/best_network.hpp"
#include "families/noisy_or/anchored/structure/best_network_program.hpp"
#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/independence_search.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "learning/coin_errors.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {
namespace {

/// Exact moments are taken as those of so many rows: information below some 1e-7 nats is taken for
/// rounding, and all else for dependence.
constexpr double exact_samples = 1e8;

std::string name_of(const StructureOptions& options, std::size_t cause) {
  return options.names.empty() ? std::to_string(cause) : fmt::format("'{}'", options.names[cause]);
}

void require_limit(std::size_t limit, std::size_t most, const char* name) {
  if (limit >= 1 && limit <= most) return;
  throw InputError(
      fmt::format("--structure {0}:{1}: use {0}:1 to {0}:{2}, or tree", name, limit, most));
}

void require_options(const model::SubsetTables& moments, const StructureOptions& options) {
  if (options.structure == Structure::in_degree) {
    require_limit(options.limit, Family::max_parents, "indegree");
  }
  if (options.structure == Structure::degree) require_limit(options.limit, 3, "degree");
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw InputError(
        fmt::format("--alpha {}: the level of a test lies between 0 and 1", options.alpha));
  }
  const std::size_t needed = std::min(order_needed(options), moments.n_variables());
  if (moments.order() < needed) {
    throw InputError(fmt::format(
        "this structure of the causes needs moments of order {}, not {}: take a simpler "
        "--structure",
        needed, moments.order()));
  }
  if (!options.names.empty() && options.names.size() != moments.n_variables()) {
    throw InputError(fmt::format("{} names for {} causes: one per cause", options.names.size(),
                                 moments.n_variables()));
  }
  if (!options.rates.empty() && options.rates.size() != moments.n_variables()) {
    throw InputError(fmt::format("{} anchors' rates for the moments of {} causes: one per cause",
                                 options.rates.size(), moments.n_variables()));
  }
  for (std::size_t i = 0; i < options.rates.size(); ++i) {
    const auto [off, on] = options.rates[i];
    if (std::abs(on - off) > 1e-9) continue;
    throw InputError(fmt::format(
        "the anchor of cause {} is on with probability {:.6g} whether the cause is on or off: it "
        "says nothing of it; use another column",
        name_of(options, i), on));
  }
}

SamplingNoise noise_of(const StructureOptions& options) {
  if (options.n_samples <= 0) return {exact_samples, {}};
  return {std::max(options.n_samples, 2.0), options.rates};
}

CauseStructure learn_tree(const model::SubsetTables& moments, const StructureOptions& options) {
  CauseStructure structure;
  structure.parents = cause_tree(moments);
  const auto doubtful =
      insignificant_edges(moments, structure.parents, noise_of(options), options.alpha);
  if (doubtful.empty()) return structure;
  std::string list;
  for (const auto& [parent, child] : doubtful) {
    list += fmt::format("{}{} - {}", list.empty() ? "" : ", ", name_of(options, parent),
                        name_of(options, child));
  }
  structure.remarks.push_back(
      fmt::format("the tree of the causes joins all of them; {} of its {} edges could as well be "
                  "absent (a test "
                  "at {:.2g}): {}",
                  doubtful.size(), moments.n_variables() - 1, options.alpha, list));
  return structure;
}

/// The one unit of a stage: one rank searches, all know; and it is kept in the checkpoint.
BestNetwork search_once(const learning::Workers& workers, const FamilyLists& families,
                        std::size_t max_exact) {
  const std::size_t n = families.size();
  const std::vector<double> values = learning::unit_values(
      workers, {"best_network", "networks", 1, n + 3},
      [&](std::uint64_t /*unit*/, int /*thread*/, std::span<double> out) {
        const bool by_sets = n <= std::min(max_exact, most_causes_of_sets);
        const BestNetwork best = learning::with_coin_errors(
            "the network of the causes", "take fewer parents, or --structure tree",
            [&] { return by_sets ? best_network(families) : best_network_program(families); });
        std::ranges::copy(best.choice, out.begin());
        out[n] = best.bound;
        out[n + 1] = static_cast<double>(best.n_nodes);
        out[n + 2] = best.is_proved ? 1 : 0;
      });
  BestNetwork best;
  for (std::size_t i = 0; i < n; ++i) best.choice.push_back(static_cast<std::uint32_t>(values[i]));
  best.bound = values[n];
  best.n_nodes = static_cast<std::uint64_t>(values[n + 1]);
  best.is_proved = values[n + 2] > 0;
  return best;
}

/// Members of a Markov class score the same but for rounding: the standard one stands for them, so
/// that it does not matter which of them a search came upon. (Behind noisy anchors the members
/// differ in the penalty; then the best stays.)
void take_standard_member(const FamilyLists& families, Choice& choice) {
  const ParentLists standard = standard_member(parents_of(families, choice));
  Choice other;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto at = std::ranges::find_if(families[i], [&](const Family& family) {
      return std::ranges::equal(family.parents(), standard[i]);
    });
    if (at == families[i].end()) return;
    other.push_back(static_cast<std::uint32_t>(at - families[i].begin()));
  }
  const double score = score_of(families, choice);
  if (score_of(families, other) >= score - score_tolerance(score)) choice = other;
}

CauseStructure learn_in_degree(const learning::Workers& workers, const model::SubsetTables& moments,
                               const StructureOptions& options) {
  const FamilyLists families = score_families(workers, moments, options.limit, noise_of(options));
  BestNetwork best = search_once(workers, families, options.max_exact);
  take_standard_member(families, best.choice);
  CauseStructure structure;
  structure.parents = parents_of(families, best.choice);
  structure.score = score_of(families, best.choice);
  structure.bound = best.is_proved ? structure.score : best.bound;
  if (!best.is_proved) {
    structure.remarks.push_back(fmt::format(
        "the network of the causes scores {:.2f} and is not proved best: none scores more than "
        "{:.2f} ({} nodes of branch and bound)",
        structure.score, structure.bound, best.n_nodes));
  }
  return structure;
}

CauseStructure learn_degree(const learning::Workers& workers, const model::SubsetTables& moments,
                            const StructureOptions& options) {
  IndependenceSearch search =
      search_by_independence(workers, moments, options.limit, noise_of(options), options.alpha);
  CauseStructure structure;
  structure.parents = std::move(search.parents);
  if (search.n_edges_over > 0) {
    structure.remarks.push_back(fmt::format(
        "the tests leave {} edge(s) more than causes with {} neighbours have room for; the weakest "
        "were left out",
        search.n_edges_over, options.limit));
  }
  if (search.n_conflicts > 0) {
    structure.remarks.push_back(
        fmt::format("{} v-structure(s) of the causes contradict stronger ones and were left out",
                    search.n_conflicts));
  }
  if (!search.is_consistent) {
    structure.remarks.emplace_back(
        "no network of the causes has just the directions that the tests ask for; this one has "
        "other v-structures besides");
  }
  return structure;
}

}  // namespace

std::size_t order_needed(const StructureOptions& options) {
  switch (options.structure) {
    case Structure::independent:
      return 1;
    case Structure::tree:
      return 2;
    case Structure::in_degree:
      return options.limit + 1;
    case Structure::degree:
      return options.limit + 2;
  }
  return 1;
}

CauseStructure learn_structure(const learning::Workers& workers, const model::SubsetTables& moments,
                               const StructureOptions& options) {
  require_options(moments, options);
  CauseStructure unconnected;
  unconnected.parents.resize(moments.n_variables());
  if (moments.n_variables() < 2) return unconnected;
  switch (options.structure) {
    case Structure::tree:
      return learn_tree(moments, options);
    case Structure::in_degree:
      return learn_in_degree(workers, moments, options);
    case Structure::degree:
      return learn_degree(workers, moments, options);
    case Structure::independent:
      break;
  }
  return unconnected;
}

// The tables of a network of causes from the moments of its families (Halpern, Horng, Sontag 2015,
// Sec. 4.1: "estimated from the empirical counts"; here from recovered tables).

namespace {

model::CauseTable fit_family(const model::SubsetTables& moments, std::uint32_t child,
                             const std::vector<std::uint32_t>& parents) {
  const std::vector<std::uint32_t> family = with_member(parents, child);
  if (family.size() > moments.order()) {
    throw InputError(fmt::format(
        "cause {} has {} parents, and the moments are of sets of up to {} causes: use moments of "
        "order {} or fewer parents",
        child, parents.size(), moments.order(), family.size()));
  }
  const std::span<const double> table = moments.table(family);
  const std::size_t bit = std::size_t{1} << place_of(family, child);
  model::CauseTable fitted{parents, {}};
  // Without the child's bit, cells are in the order of the parents' states.
  for_each_state_without(table.size(), bit, [&](std::size_t cell) {
    const double state = table[cell] + table[cell | bit];
    const double on = state > 0 ? table[cell | bit] / state : moments.on(child);
    fitted.on.push_back(std::clamp(on, 0.0, 1.0));
  });
  return fitted;
}

}  // namespace

model::CauseNetwork fit_tables(const model::SubsetTables& moments,
                               const std::vector<std::vector<std::uint32_t>>& parents) {
  std::vector<model::CauseTable> tables;
  for (std::uint32_t child = 0; child < parents.size(); ++child) {
    tables.push_back(fit_family(moments, child, parents[child]));
  }
  return model::CauseNetwork(std::move(tables));
}

}  // namespace orrery::anchored
