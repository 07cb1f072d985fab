#include "report/bif_tables.hpp"

#include <fmt/format.h>

#include "orrery/base/error.hpp"
#include "orrery/base/text.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using model::Edge;

constexpr std::size_t max_parents = 16;
constexpr std::size_t max_rows = std::size_t{1} << 22U;  // of all tables: some 500 MB of text

}  // namespace

BifNames begin_bif(const model::NoisyOrNetwork& network, std::string& out) {
  BifIdentifiers identifiers;
  BifNames names;
  for (const auto& cause : network.causes()) names.causes.push_back(identifiers.make(cause.name));
  for (const auto& variable : network.observed()) {
    names.observed.push_back(identifiers.make(variable.name));
  }
  out += "network orrery {\n}\n";
  for (const std::string& name : names.causes) out += bif_variable(name);
  for (const std::string& name : names.observed) out += bif_variable(name);
  return names;
}

void add_bif_table(const std::string& name, const std::vector<std::string>& parents,
                   const GivenParents& given, std::string& out) {
  const std::size_t n = parents.size();
  append_text(out, "probability ( {}", name);
  for (std::size_t i = 0; i < n; ++i) out += (i == 0 ? " | " : ", ") + parents[i];
  out += " ) {\n";
  for (std::uint32_t count = 0; count < (1U << n); ++count) {
    std::uint32_t states = 0;
    std::string row;
    for (std::size_t i = 0; i < n; ++i) {
      const bool on = ((count >> (n - 1 - i)) & 1U) != 0;
      if (on) states |= 1U << i;
      row += i > 0 ? ", " : "";
      row += on ? "on" : "off";
    }
    row = n == 0 ? "table" : fmt::format("({})", row);
    const OffOn p = given(states);
    append_text(out, "  {} {}, {};\n", row, p.off, p.on);
  }
  out += "}\n";
}

std::vector<std::vector<Edge>> parents_of(const model::NoisyOrNetwork& network) {
  std::vector<std::vector<Edge>> parents(network.n_observed());
  for (const Edge& edge : network.edges()) parents[edge.observed].push_back(edge);
  return parents;
}

void require_small_tables(const model::NoisyOrNetwork& network,
                          const std::vector<std::vector<Edge>>& parents, std::size_t above) {
  std::size_t rows = above;
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

void add_noisy_or_tables(const model::NoisyOrNetwork& network,
                         const std::vector<std::vector<Edge>>& parents, const BifNames& names,
                         std::string& out) {
  for (std::size_t a = 0; a < names.observed.size(); ++a) {
    std::vector<std::string> above;
    for (const Edge& edge : parents[a]) above.push_back(names.causes[edge.cause]);
    const auto given = [&](std::uint32_t states) -> OffOn {
      double p = 1 - network.observed()[a].leak;
      for (std::size_t i = 0; i < parents[a].size(); ++i) {
        if (((states >> i) & 1U) != 0) p *= parents[a][i].failure;
      }
      return {p, 1 - p};
    };
    add_bif_table(names.observed[a], above, given, out);
  }
}

}  // namespace orrery::report
