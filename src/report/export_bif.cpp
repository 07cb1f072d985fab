// The network in the Bayesian interchange format. A noisy-OR has no short form there: each observed
// variable gets the full table of its P(off | parents) = (1 - leak) * product of the failures of
// the parents that are on, 2^parents rows. Cost: O(sum over variables of 2^parents * parents).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using model::Edge;

constexpr std::size_t max_parents = 16;
constexpr std::size_t max_rows = std::size_t{1} << 22U;  // of all tables: some 500 MB of text

/// The edges into each observed variable, by rising cause.
std::vector<std::vector<Edge>> parents_of(const model::NoisyOrNetwork& network) {
  std::vector<std::vector<Edge>> parents(network.n_observed());
  for (const Edge& edge : network.edges()) parents[edge.observed].push_back(edge);
  return parents;
}

void require_small_tables(const model::NoisyOrNetwork& network,
                          const std::vector<std::vector<Edge>>& parents) {
  std::size_t rows = 0;
  for (std::size_t a = 0; a < parents.size(); ++a) {
    if (parents[a].size() > max_parents) {
      throw UsageError(fmt::format(
          "--format bif writes full tables for at most {} parents, but variable {} ('{}') has {}: "
          "export as json, csv, dot or graphml, or drop its weak edges",
          max_parents, a, shorten(network.observed()[a].name, 60), parents[a].size()));
    }
    rows += std::size_t{1} << parents[a].size();
  }
  if (rows > max_rows) {
    throw UsageError(fmt::format(
        "--format bif would write tables of {} rows, more than {}: export as json, csv, dot or "
        "graphml, or drop weak edges",
        rows, max_rows));
  }
}

/// Rows in the order of counting with the first parent as the highest bit.
void add_table(const std::string& name, double leak, const std::vector<Edge>& parents,
               const std::vector<std::string>& cause_names, std::string& out) {
  fmt::format_to(std::back_inserter(out), "probability ( {}", name);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    out += (i == 0 ? " | " : ", ") + cause_names[parents[i].cause];
  }
  out += " ) {\n";
  for (std::uint32_t states = 0; states < (1U << parents.size()); ++states) {
    double off = 1 - leak;
    std::string row;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const bool on = ((states >> (parents.size() - 1 - i)) & 1U) != 0;
      if (on) off *= parents[i].failure;
      row += i > 0 ? ", " : "";
      row += on ? "on" : "off";
    }
    if (parents.empty()) {
      row = "table";
    } else {
      row = fmt::format("({})", row);
    }
    fmt::format_to(std::back_inserter(out), "  {} {}, {};\n", row, off, 1 - off);
  }
  out += "}\n";
}

}  // namespace

std::string to_bif(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const std::vector<std::vector<Edge>> parents = parents_of(network);
  require_small_tables(network, parents);
  BifIdentifiers identifiers;
  std::vector<std::string> cause_names;
  std::vector<std::string> observed_names;
  for (const auto& cause : network.causes()) cause_names.push_back(identifiers.make(cause.name));
  for (const auto& variable : network.observed()) {
    observed_names.push_back(identifiers.make(variable.name));
  }
  std::string out = "network orrery {\n}\n";
  for (const std::string& name : cause_names) out += bif_variable(name);
  for (const std::string& name : observed_names) out += bif_variable(name);
  for (std::size_t k = 0; k < cause_names.size(); ++k) {
    const double prior = network.causes()[k].prior;
    fmt::format_to(std::back_inserter(out), "probability ( {} ) {{\n  table {}, {};\n}}\n",
                   cause_names[k], 1 - prior, prior);
  }
  for (std::size_t a = 0; a < observed_names.size(); ++a) {
    add_table(observed_names[a], network.observed()[a].leak, parents[a], cause_names, out);
  }
  return out;
}

}  // namespace orrery::report
