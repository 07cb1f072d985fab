// A categorical network in the formats of other tools. Nodes are x0, x1, ... (observed) and c0, c1,
// ... (causes), so that any name is a label only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "orrery/base/text.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"

namespace orrery::report {
namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;
using model::LearnedCategorical;

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

}  // namespace

std::string categorical_to_csv(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  std::string out = "observed";
  for (const auto& cause : network.causes()) {
    out += fmt::format(",{}", csv_field("state of " + cause.name));
  }
  out += ",category,probability,count\n";
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    const std::size_t n = variable.n_categories();
    for (std::size_t j = 0; j < network.n_configurations(i); ++j) {
      const std::vector<std::string> states = states_of(network, variable, j);
      for (std::size_t l = 0; l < n; ++l) {
        out += csv_field(variable.name);
        for (const std::string& state : states) out += fmt::format(",{}", state);
        append_text(out, ",{},{},{}\n", csv_field(variable.categories[l]),
                    variable.table[j * n + l], csv_number(variable.counts, j * n + l));
      }
    }
  }
  return out;
}

std::string categorical_to_dot(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  std::string out = "digraph orrery {\n  rankdir=TB;\n  node [shape=ellipse];\n";
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    append_text(out, "  c{} [label={}, states=\"{}\"];\n", k, dot_string(network.causes()[k].name),
                network.causes()[k].cardinality());
  }
  out += "  node [shape=box];\n";
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    append_text(out, "  x{} [label={}, states=\"{}\"];\n", i,
                dot_string(network.variables()[i].name), network.variables()[i].n_categories());
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    for (const std::uint32_t cause : network.variables()[i].parents) {
      const double probability = edge_probability(learned, i, cause);
      const bool known = !std::isnan(probability);
      // What is sure is thick.
      append_text(out, "  c{} -> x{} [{}penwidth={:.2f}];\n", cause, i,
                  known ? fmt::format("probability=\"{}\", ", probability) : "",
                  known ? .4 + 2.6 * probability : 1);
    }
  }
  return out + "}\n";
}

}  // namespace orrery::report
