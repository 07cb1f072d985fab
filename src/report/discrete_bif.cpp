// A network of tables in the Bayesian interchange format. A noisy-OR has no short form there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/text.hpp"
#include "orrery/base/error.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Names as BIF identifiers: letters, digits and underscores, not starting with a digit, no word of
/// the format, each given out once (a taken one gets the suffix _2, _3, ...).
class BifIdentifiers {
 public:
  std::string make(const std::string& name);

 private:
  std::unordered_set<std::string> used_{"network",  "variable", "probability", "property", "type",
                                        "discrete", "default",  "table",       "off",      "on"};
  std::map<std::string, std::size_t> copies_;  // the last suffix tried, so that n copies cost O(n)
};

std::string BifIdentifiers::make(const std::string& name) {
  std::string base;
  for (const char c : name) base += is_word(c) ? c : '_';
  if (base.empty() || (base[0] >= '0' && base[0] <= '9')) base.insert(0, 1, '_');
  std::string result = base;
  std::size_t& copies = copies_[base];
  while (!used_.insert(result).second) {
    copies = std::max<std::size_t>(copies, 1) + 1;
    result = fmt::format("{}_{}", base, copies);
  }
  return result;
}

constexpr std::size_t most_rows_of_table = std::size_t{1} << 16U;
constexpr std::size_t most_rows = std::size_t{1} << 22U;  // of all tables: some 500 MB of text

/// Beyond most_rows_of_table it is not said how many.
std::size_t n_rows(const DiscreteNetwork& network, const DiscreteVariable& variable) {
  std::size_t rows = 1;
  for (const std::uint32_t parent : variable.parents) {
    rows *= network[parent].states.size();
    if (rows > most_rows_of_table) break;
  }
  return rows;
}

void require_small_tables(const DiscreteNetwork& network) {
  std::size_t rows = 0;
  for (const DiscreteVariable& variable : network) {
    const std::size_t own = n_rows(network, variable);
    if (own > most_rows_of_table) {
      throw UsageError(fmt::format(
          "--format bif writes full tables of at most {} rows, but '{}' has {} parents: "
          "export as json, csv, dot or graphml, or drop its weak edges",
          most_rows_of_table, shorten(variable.name, 60), variable.parents.size()));
    }
    rows += own;
  }
  if (rows <= most_rows) return;
  throw UsageError(fmt::format(
      "--format bif would write tables of {} rows, more than {}: export as json, csv, dot or "
      "graphml, or drop weak edges",
      rows, most_rows));
}

struct Identifiers {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> states;
};

Identifiers identifiers_of(const DiscreteNetwork& network) {
  Identifiers found;
  BifIdentifiers names;
  for (const DiscreteVariable& variable : network) {
    found.names.push_back(names.make(variable.name));
    BifIdentifiers states;
    auto& own = found.states.emplace_back();
    for (const std::string& state : variable.states) {
      // The words of the format are no trouble inside braces, where off and on are used.
      own.push_back(state == "off" || state == "on" ? state : states.make(state));
    }
  }
  return found;
}

/// Rows in the order of counting, the last parent's state changing fastest.
void add_table(const DiscreteNetwork& network, std::size_t v, const Identifiers& ids,
               std::string& out) {
  const DiscreteVariable& variable = network[v];
  const std::size_t n = variable.parents.size();
  std::vector<std::string> parents;
  for (const std::uint32_t parent : variable.parents) parents.push_back(ids.names[parent]);
  append_text(out, "probability ( {}{}{} ) {{\n", ids.names[v], n == 0 ? "" : " | ",
              fmt::join(parents, ", "));
  std::vector<std::uint32_t> states(n, 0);
  std::vector<double> probability(variable.states.size());
  std::vector<std::string> words(n);
  for (std::size_t row = 0; row < n_rows(network, variable); ++row) {
    std::size_t left = row;
    for (std::size_t i = n; i-- > 0;) {
      const std::uint32_t parent = variable.parents[i];
      const std::size_t n_states = network[parent].states.size();
      states[i] = static_cast<std::uint32_t>(left % n_states);
      left /= n_states;
      words[i] = ids.states[parent][states[i]];
    }
    variable.given(states, probability);
    const std::string head =
        n == 0 ? std::string("table") : fmt::format("({})", fmt::join(words, ", "));
    append_text(out, "  {} {};\n", head, fmt::join(probability, ", "));
  }
  out += "}\n";
}

}  // namespace

std::string to_bif(const DiscreteNetwork& network) {
  require_small_tables(network);
  const Identifiers ids = identifiers_of(network);
  std::string out = "network orrery {\n}\n";
  for (std::size_t v = 0; v < network.size(); ++v) {
    append_text(out, "variable {} {{\n  type discrete [ {} ] {{ {} }};\n}}\n", ids.names[v],
                ids.states[v].size(), fmt::join(ids.states[v], ", "));
  }
  for (std::size_t v = 0; v < network.size(); ++v) add_table(network, v, ids, out);
  return out;
}

}  // namespace orrery::report
