#include "report/discrete_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

constexpr std::size_t most_rows_of_table = std::size_t{1} << 16U;
constexpr std::size_t most_rows = std::size_t{1} << 22U;  // of all tables: some 500 MB of text

}  // namespace

std::size_t rows_of_table(const DiscreteNetwork& network, const DiscreteVariable& variable) {
  std::size_t rows = 1;
  for (const std::uint32_t parent : variable.parents) {
    rows *= network[parent].states.size();
    if (rows > most_rows_of_table) break;  // how many does not matter any more
  }
  return rows;
}

void require_small_tables(const DiscreteNetwork& network, const std::string& format) {
  std::size_t rows = 0;
  for (const DiscreteVariable& variable : network) {
    const std::size_t own = rows_of_table(network, variable);
    if (own > most_rows_of_table) {
      throw UsageError(fmt::format(
          "--format {} writes full tables of at most {} rows, but '{}' has {} parents, whose "
          "states are more: export as json, csv, dot or graphml, which have no tables",
          format, most_rows_of_table, shorten(variable.name, 60), variable.parents.size()));
    }
    rows += own;
  }
  if (rows <= most_rows) return;
  throw UsageError(fmt::format(
      "--format {} would write tables of {} rows, more than {}: export as json, csv, dot or "
      "graphml, which have no tables",
      format, rows, most_rows));
}

void for_each_row(const DiscreteNetwork& network, const DiscreteVariable& variable,
                  const UseRow& use) {
  const std::size_t n = variable.parents.size();
  std::vector<std::uint32_t> states(n, 0);
  std::vector<double> given(variable.states.size());
  const std::size_t rows = rows_of_table(network, variable);
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t left = row;
    for (std::size_t i = n; i-- > 0;) {
      const std::size_t n_states = network[variable.parents[i]].states.size();
      states[i] = static_cast<std::uint32_t>(left % n_states);
      left /= n_states;
    }
    variable.given(states, given);
    use(states, given);
  }
}

// ---------------------------------------------------------------------------------------- names

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// U+00C0 to U+00FF, which UTF-8 has as C3 80 to C3 BF, without their accents.
char without_accent(char second_byte) {
  constexpr const char* plain = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo_ouuuuyty";
  return plain[static_cast<unsigned char>(second_byte) & 0x3FU];
}

/// Letters, digits and underscores of a name; what stands between them becomes one underscore.
std::string word_of(const std::string& name) {
  std::string word;
  bool is_between = false;
  const auto add = [&](char c) {
    if (is_between && !word.empty()) word += '_';
    is_between = false;
    word += c;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (is_word(name[i])) {
      add(name[i]);
    } else if (name[i] == '\xC3' && i + 1 < name.size() && is_continuation(name[i + 1])) {
      add(without_accent(name[++i]));
    } else {
      is_between = true;
    }
  }
  if (word.empty()) return "unnamed";
  if (word[0] >= '0' && word[0] <= '9') word.insert(0, 1, '_');
  return word;
}

/// Gives each name out once: one that is taken gets the suffix _2, _3, ...
class DistinctNames {
 public:
  DistinctNames() = default;
  explicit DistinctNames(std::unordered_set<std::string> taken) : taken_(std::move(taken)) {}

  [[nodiscard]] bool is_free(const std::string& name) const { return !taken_.contains(name); }
  std::string add(const std::string& name) {
    std::string result = name;
    std::size_t& copies = copies_[name];
    while (!taken_.insert(result).second) {
      copies = std::max<std::size_t>(copies, 1) + 1;
      result = fmt::format("{}_{}", name, copies);
    }
    return result;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::size_t> copies_;  // the last suffix tried, so that n copies cost O(n)
};

/// Each name once, as `word` has it. Names that it leaves as they are keep them, wherever they
/// stand.
template <class Word>
std::vector<std::string> distinct(const std::vector<std::string>& names, DistinctNames given,
                                  const Word& word) {
  std::vector<std::string> written(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word(names[i]) == names[i] && given.is_free(names[i])) written[i] = given.add(names[i]);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (written[i].empty()) written[i] = given.add(word(names[i]));
  }
  return written;
}

/// `taken`: words of the format, which no name of a variable may be. Between braces they are no
/// trouble.
template <class Word>
WrittenNames names_by(const DiscreteNetwork& network, const DistinctNames& taken,
                      const Word& word) {
  std::vector<std::string> names;
  for (const DiscreteVariable& variable : network) names.push_back(variable.name);
  WrittenNames written{distinct(names, taken, word), {}};
  for (const DiscreteVariable& variable : network) {
    written.states.push_back(distinct(variable.states, DistinctNames(), word));
  }
  return written;
}

std::string clean_word(const std::string& name) {
  const std::string text = clean_text(name);
  return text.find_first_not_of(' ') == std::string::npos ? "unnamed" : text;
}

}  // namespace

WrittenNames identifiers_of(const DiscreteNetwork& network) {
  const DistinctNames words({"network", "variable", "probability", "property", "type", "discrete",
                             "default", "table", "off", "on"});
  return names_by(network, words, word_of);
}

WrittenNames clean_names_of(const DiscreteNetwork& network) {
  return names_by(network, DistinctNames(), clean_word);
}

WrittenNames numbers_of(const DiscreteNetwork& network) {
  WrittenNames written;
  for (const DiscreteVariable& variable : network) {
    written.variables.push_back(fmt::format("{}", written.variables.size()));
    auto& own = written.states.emplace_back();
    while (own.size() < variable.states.size()) own.push_back(fmt::format("{}", own.size()));
  }
  return written;
}

std::size_t n_changed(const DiscreteNetwork& network, const WrittenNames& written) {
  std::size_t n = 0;
  for (std::size_t v = 0; v < network.size(); ++v) {
    n += network[v].name != written.variables[v] || network[v].states != written.states[v];
  }
  return n;
}

std::string names_csv(const DiscreteNetwork& network, const WrittenNames& written) {
  std::string out = "name,state,written_name,written_state\n";
  for (std::size_t v = 0; v < network.size(); ++v) {
    for (std::size_t s = 0; s < network[v].states.size(); ++s) {
      out +=
          fmt::format("{},{},{},{}\n", csv_field(network[v].name), csv_field(network[v].states[s]),
                      csv_field(written.variables[v]), csv_field(written.states[v][s]));
    }
  }
  return out;
}

}  // namespace orrery::report
