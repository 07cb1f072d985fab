// A network of tables in the Bayesian interchange format. A noisy-OR has no short form there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/discrete_tables.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

/// A name in quotes: a comment that ended in a backslash would go on in the next line for some
/// readers.
std::string quoted(const std::string& name) { return fmt::format("'{}'", clean_text(name)); }

/// Comments that say which names are written otherwise; nothing if none is.
std::string table_of_names(const DiscreteNetwork& network, const WrittenNames& written) {
  std::string lines;
  for (std::size_t v = 0; v < network.size(); ++v) {
    const std::string& name = written.variables[v];
    if (name != network[v].name)
      append_text(lines, "//   {} is {}\n", name, quoted(network[v].name));
    std::vector<std::string> states;
    for (std::size_t s = 0; s < network[v].states.size(); ++s) {
      const std::string& state = network[v].states[s];
      if (written.states[v][s] == state) continue;
      states.push_back(fmt::format("{} is {}", written.states[v][s], quoted(state)));
    }
    if (!states.empty()) append_text(lines, "//   of {}: {}\n", name, fmt::join(states, ", "));
  }
  if (lines.empty()) return "";
  return "// BIF has letters, digits and underscores in names, so that these are written anew:\n" +
         lines;
}

void add_table(const DiscreteNetwork& network, std::size_t v, const WrittenNames& names,
               std::string& out) {
  const DiscreteVariable& variable = network[v];
  const std::size_t n = variable.parents.size();
  std::vector<std::string> parents;
  for (const std::uint32_t parent : variable.parents) parents.push_back(names.variables[parent]);
  append_text(out, "probability ( {}{}{} ) {{\n", names.variables[v], n == 0 ? "" : " | ",
              fmt::join(parents, ", "));
  std::vector<std::string> words(n);
  for_each_row(network, variable,
               [&](std::span<const std::uint32_t> states, std::span<const double> given) {
                 for (std::size_t i = 0; i < n; ++i) {
                   words[i] = names.states[variable.parents[i]][states[i]];
                 }
                 const std::string head =
                     n == 0 ? std::string("table") : fmt::format("({})", fmt::join(words, ", "));
                 append_text(out, "  {} {};\n", head, fmt::join(given, ", "));
               });
  out += "}\n";
}

}  // namespace

std::string to_bif(const DiscreteNetwork& network) {
  require_small_tables(network, "bif");
  const WrittenNames names = identifiers_of(network);
  std::string out = table_of_names(network, names) + "network orrery {\n}\n";
  for (std::size_t v = 0; v < network.size(); ++v) {
    append_text(out, "variable {} {{\n  type discrete [ {} ] {{ {} }};\n}}\n", names.variables[v],
                names.states[v].size(), fmt::join(names.states[v], ", "));
  }
  for (std::size_t v = 0; v < network.size(); ++v) add_table(network, v, names, out);
  return out;
}

}  // namespace orrery::report
