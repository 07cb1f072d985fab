// A categorical network as a graph, as tables, and as CSV. Nodes are x0, x1, ... (observed) and c0,
// c1, ... (causes), so that any name is a label only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "families/categorical/commands.hpp"
#include "report/formats.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;
using report::add_attribute;
using report::Attribute;
using report::Graph;

/// States of all causes in row j of a table; empty for what is no parent.
std::vector<std::string> states_of(const CategoricalNetwork& network,
                                   const CategoricalVariable& variable, std::size_t j) {
  std::vector<std::string> states(network.n_causes());
  for (const std::uint32_t parent : variable.parents) {
    const std::size_t cardinality = network.causes()[parent].cardinality();
    states[parent] = fmt::format("{}", j % cardinality);
    j /= cardinality;
  }
  return states;
}

/// P(cause is a parent of the variable); NaN: not known.
double edge_probability(const LearnedCategorical& learned, std::size_t variable,
                        std::uint32_t cause) {
  if (learned.parent_sets.empty()) return std::nan("");
  double sum = 0;
  for (std::size_t s = 0; s < learned.parent_sets.size(); ++s) {
    if (!std::ranges::binary_search(learned.parent_sets[s], cause)) continue;
    sum += learned.structure(static_cast<Eigen::Index>(variable), static_cast<Eigen::Index>(s));
  }
  return sum;
}

/// The most by which another state of the cause changes the probability of a set of the variable's
/// categories, whatever the states of its other parents: total variation.
double strength(const CategoricalNetwork& network, const CategoricalVariable& variable,
                std::uint32_t cause) {
  const std::size_t n = variable.n_categories();
  std::size_t step = 1;  // in rows of the table, from one state of the cause to the next
  for (const std::uint32_t parent : variable.parents) {
    if (parent == cause) break;
    step *= network.causes()[parent].cardinality();
  }
  const std::size_t n_states = network.causes()[cause].cardinality();
  const std::size_t n_rows = variable.table.size() / n;
  double most = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t state = row / step % n_states;
    for (std::size_t other = state + 1; other < n_states; ++other) {
      const std::size_t other_row = row + (other - state) * step;
      double distance = 0;
      for (std::size_t l = 0; l < n; ++l) {
        distance += std::abs(variable.table[row * n + l] - variable.table[other_row * n + l]) / 2;
      }
      most = std::max(most, distance);
    }
  }
  return most;
}

void add_node(const std::string& id, const std::string& name, bool is_hidden, std::size_t n_states,
              Graph& graph) {
  graph.nodes.push_back({id,
                         name,
                         is_hidden ? "cause" : "observed",
                         is_hidden,
                         false,
                         {{"states", "states", fmt::format("{}", n_states)}}});
}

}  // namespace

Graph graph(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  Graph graph{.keys = {{"kind", "node", "kind", "string"},
                       {"name", "node", "name", "string"},
                       {"states", "node", "states", "int"},
                       {"probability", "edge", "probability", "double"},
                       {"strength", "edge", "strength", "double"}}};
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    const auto& cause = network.causes()[k];
    add_node(fmt::format("c{}", k), cause.name, true, cause.cardinality(), graph);
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto& variable = network.variables()[i];
    add_node(fmt::format("x{}", i), variable.name, false, variable.n_categories(), graph);
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    for (const std::uint32_t cause : network.variables()[i].parents) {
      const double probability = edge_probability(learned, i, cause);
      std::vector<Attribute> said;
      add_attribute(said, "probability", "probability", probability);
      const double its_strength = strength(network, network.variables()[i], cause);
      add_attribute(said, "strength", "", its_strength);
      // What is sure is thick.
      graph.edges.push_back({fmt::format("c{}", cause), fmt::format("x{}", i), "", true,
                             std::isnan(probability) ? 1 : .4 + 2.6 * probability,
                             report::Sign::none, std::move(said), its_strength});
    }
  }
  return graph;
}

report::DiscreteNetwork discrete(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  report::DiscreteNetwork variables;
  for (const auto& cause : network.causes()) {
    std::vector<std::string> states;
    for (std::size_t s = 0; s < cause.cardinality(); ++s) states.push_back(fmt::format("{}", s));
    variables.push_back({cause.name,
                         std::move(states),
                         {},
                         [&cause](std::span<const std::uint32_t> /*parents*/, std::span<double> p) {
                           std::ranges::copy(cause.prior, p.begin());
                         }});
  }
  for (const CategoricalVariable& variable : network.variables()) {
    // The first parent's state changes fastest.
    const auto given = [&variable, &network](std::span<const std::uint32_t> states,
                                             std::span<double> p) {
      std::size_t row = 0;
      std::size_t step = 1;
      for (std::size_t i = 0; i < states.size(); ++i) {
        row += states[i] * step;
        step *= network.causes()[variable.parents[i]].cardinality();
      }
      const auto first = variable.table.begin() + static_cast<std::ptrdiff_t>(row * p.size());
      std::copy_n(first, p.size(), p.begin());
    };
    variables.push_back({variable.name, variable.categories, variable.parents, given});
  }
  return variables;
}

std::string to_csv(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  std::string out = "observed";
  for (const auto& cause : network.causes()) {
    out += fmt::format(",{}", report::csv_field("state of " + cause.name));
  }
  out += ",category,probability,count\n";
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    const std::size_t n = variable.n_categories();
    for (std::size_t j = 0; j < network.n_configurations(i); ++j) {
      const std::vector<std::string> states = states_of(network, variable, j);
      for (std::size_t l = 0; l < n; ++l) {
        out += report::csv_field(variable.name);
        for (const std::string& state : states) out += fmt::format(",{}", state);
        append_text(out, ",{},{},{}\n", report::csv_field(variable.categories[l]),
                    variable.table[j * n + l], report::csv_number(variable.counts, j * n + l));
      }
    }
  }
  return out;
}

}  // namespace orrery::categorical
