// Purpose: networks of knowledge bases that come as tables: aQMR-DT (disease, prior; disease,
//          finding, class of frequency; finding, leak), the Health Knowledge Graph (disease,
//          symptom, importance; no priors, no leaks).
// Source: Shwe et al. 1991 (classes); Rotmensch et al. 2017.
// Cost: O(edges log edges).
#include "model/network_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "data/text_table.hpp"
#include "model/qmr_network.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<data::TextRow> read_table(const std::filesystem::path& path, std::size_t n_columns,
                                      data::Header header) {
  std::vector<data::TextRow> rows = data::read_text_table(path, n_columns);
  const bool has_header = header == data::Header::automatic
                              ? !parse_number(rows.front().cells.back()).has_value()
                              : header == data::Header::yes;
  if (has_header) rows.erase(rows.begin());
  if (rows.empty()) {
    throw InputError(
        fmt::format("{}: no row after the header; was it written completely?", path.string()));
  }
  for (const data::TextRow& row : rows) {
    for (std::size_t i = 0; i + 1 < n_columns; ++i) {
      if (!row.cells[i].empty()) continue;
      throw InputError(fmt::format("{}: line {}: the name in column {} is empty; write one",
                                   path.string(), row.line, i + 1));
    }
  }
  return rows;
}

// Names by their first appearance, and the line of it.
class Names {
 public:
  std::uint32_t index_of(const std::string& name, std::uint64_t line) {
    const auto [found, fresh] = index_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (fresh) {
      names_.push_back(name);
      line_.push_back(line);
    }
    return found->second;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) return std::nullopt;
    return found->second;
  }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
  [[nodiscard]] std::uint64_t line(std::size_t i) const { return line_[i]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, std::uint32_t> index_;
  std::vector<std::string> names_;
  std::vector<std::uint64_t> line_;
};

struct StrongEdge {
  std::uint32_t cause = 0;
  std::uint32_t observed = 0;
  double strength = 0;
};

struct EdgeTable {
  Names causes;
  Names observed;
  std::vector<StrongEdge> edges;
};

double checked_strength(const std::string& text, Strength meaning, const std::string& place) {
  const std::optional<double> value = parse_number(text);
  const auto refuse = [&](const char* what, const char* remedy) {
    throw InputError(fmt::format("{}: strength '{}' is no {}; {}", place, text, what, remedy));
  };
  if (meaning == Strength::frequency_class) {
    if (!value || *value < 1 || *value > 5 || *value != std::floor(*value)) {
      refuse("class of frequency 1 to 5",
             "correct it, or say what the column means with --strength probability|rank");
    }
  } else if (meaning == Strength::probability) {
    if (!value || *value > 1 || !(1 - *value < 1)) {  // 1e-20 fails always
      refuse("probability above 0, up to 1",
             "leave out edges that never act, or say what the column means with --strength "
             "class|rank");
    }
  } else if (!value || *value <= 0) {
    refuse("number above 0", "leave out edges that never act");
  }
  return *value;
}

EdgeTable read_edges(const NetworkTables& tables) {
  EdgeTable table;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> line_of;
  const std::string file = tables.edges.string();
  for (const auto& [line, cells] : read_table(tables.edges, 3, tables.header)) {
    const std::string place = fmt::format("{}: line {}", file, line);
    const double strength = checked_strength(cells[2], tables.strength, place);
    const std::uint32_t cause = table.causes.index_of(cells[0], line);
    const std::uint32_t observed = table.observed.index_of(cells[1], line);
    const auto [first, fresh] = line_of.emplace(std::pair{cause, observed}, line);
    if (!fresh) {
      throw InputError(fmt::format("{}: the edge from '{}' to '{}' is in line {} too; keep one",
                                   place, cells[0], cells[1], first->second));
    }
    table.edges.push_back({cause, observed, strength});
  }
  return table;
}

// P(switched on) of each edge.
std::vector<double> sensitivities(const std::vector<StrongEdge>& edges, Strength meaning) {
  std::vector<double> sorted;
  sorted.reserve(edges.size());
  for (const StrongEdge& edge : edges) sorted.push_back(edge.strength);
  std::ranges::sort(sorted);
  std::vector<double> result;
  result.reserve(edges.size());
  for (const auto& [cause, observed, strength] : edges) {
    if (meaning == Strength::probability) {
      result.push_back(strength);
    } else if (meaning == Strength::frequency_class) {
      result.push_back(class_sensitivity[static_cast<std::size_t>(strength) - 1]);
    } else {
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), strength);
      const auto middle =
          static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2;
      result.push_back(
          class_sensitivity[class_of_rank(middle / static_cast<double>(sorted.size()))]);
    }
  }
  return result;
}

// How priors and leaks differ: their names, and what they may be.
struct Parameter {
  const char* name;
  const char* of;
  const char* wanted;
  bool may_be_zero;
};
constexpr Parameter prior_parameter{"prior", "cause", "between 0 and 1, neither of them", false};
constexpr Parameter leak_parameter{"leak", "variable", "from 0 to below 1", true};

// A value for each name.
std::vector<double> read_parameters(const ParameterSource& source, const NetworkTables& tables,
                                    const Names& names, const Parameter& parameter) {
  const std::string file = source.table.string();
  std::vector<std::optional<double>> values(names.size());
  std::map<std::string, std::uint64_t> line_of;
  for (const auto& [line, cells] : read_table(source.table, 2, tables.header)) {
    const std::string place = fmt::format("{}: line {}", file, line);
    const auto [first, fresh] = line_of.emplace(cells[0], line);
    if (!fresh) {
      throw InputError(fmt::format("{}: {} '{}' is in line {} too; keep one", place, parameter.of,
                                   cells[0], first->second));
    }
    const std::optional<double> value = parse_number(cells[1]);
    if (!value || !(*value >= 0 && *value < 1) || (*value == 0 && !parameter.may_be_zero)) {
      throw InputError(fmt::format("{}: {} '{}' of '{}' must be {}; correct it", place,
                                   parameter.name, cells[1], cells[0], parameter.wanted));
    }
    const auto place_of = names.find(cells[0]);
    if (!place_of) {
      throw InputError(fmt::format("{}: {} '{}' has no edge in {}; add one, or remove this line",
                                   place, parameter.of, cells[0], tables.edges.string()));
    }
    values[*place_of] = value;
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      throw InputError(fmt::format(
          "{}: no {} for {} '{}', which has an edge in line {} of {}; add it", file, parameter.name,
          parameter.of, names.name(i), names.line(i), tables.edges.string()));
    }
    result.push_back(*values[i]);
  }
  return result;
}

std::vector<double> priors_of(const NetworkTables& tables, const Names& causes) {
  if (!tables.priors.table.empty())
    return read_parameters(tables.priors, tables, causes, prior_parameter);
  std::vector<double> priors;
  for (std::uint32_t c = 0; c < causes.size(); ++c) {
    RowRandom random = cause_parameters(tables.seed, c);
    priors.push_back(tables.priors.value ? *tables.priors.value : draw_prior(random));
  }
  return priors;
}

std::vector<double> leaks_of(const NetworkTables& tables, const Names& observed) {
  if (!tables.leaks.table.empty())
    return read_parameters(tables.leaks, tables, observed, leak_parameter);
  std::vector<double> leaks;
  for (std::uint32_t a = 0; a < observed.size(); ++a) {
    RowRandom random = observed_parameters(tables.seed, a);
    leaks.push_back(tables.leaks.value ? *tables.leaks.value : draw_leak(random));
  }
  return leaks;
}

// Without causes and variables that have no edge.
NoisyOrNetwork drop_isolated(const NoisyOrNetwork& network) {
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> cause_place(network.n_causes(), none);
  std::vector<std::uint32_t> observed_place(network.n_observed(), none);
  for (const Edge& edge : network.edges())
    cause_place[edge.cause] = observed_place[edge.observed] = 0;
  std::vector<Cause> causes;
  std::vector<Observed> observed;
  for (std::size_t c = 0; c < cause_place.size(); ++c) {
    if (cause_place[c] == none) continue;
    cause_place[c] = static_cast<std::uint32_t>(causes.size());
    causes.push_back(network.causes()[c]);
  }
  for (std::size_t a = 0; a < observed_place.size(); ++a) {
    if (observed_place[a] == none) continue;
    observed_place[a] = static_cast<std::uint32_t>(observed.size());
    observed.push_back(network.observed()[a]);
  }
  std::vector<Edge> edges = network.edges();
  for (Edge& edge : edges) {
    edge.cause = cause_place[edge.cause];
    edge.observed = observed_place[edge.observed];
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

}  // namespace

Strength parse_strength(const std::string& text) {
  if (text == "probability") return Strength::probability;
  if (text == "class") return Strength::frequency_class;
  if (text == "rank") return Strength::rank;
  throw UsageError(fmt::format("--strength {}: must be probability, class or rank", text));
}

ImportedNetwork read_network_tables(const NetworkTables& tables) {
  EdgeTable table = read_edges(tables);
  const std::vector<double> priors = priors_of(tables, table.causes);
  const std::vector<double> leaks = leaks_of(tables, table.observed);
  ImportedNetwork result;
  result.edges_left_out = std::erase_if(
      table.edges, [&](const StrongEdge& edge) { return edge.strength < tables.min_strength; });
  if (table.edges.empty()) {
    throw InputError(fmt::format("{}: no edge has a strength of {} or more; lower --min-strength",
                                 tables.edges.string(), tables.min_strength));
  }
  std::vector<Cause> causes;
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::size_t c = 0; c < priors.size(); ++c) {
    causes.push_back({table.causes.name(c), priors[c]});
  }
  for (std::size_t a = 0; a < leaks.size(); ++a) {
    observed.push_back({table.observed.name(a), leaks[a]});
  }
  const std::vector<double> sensitivity = sensitivities(table.edges, tables.strength);
  for (std::size_t i = 0; i < sensitivity.size(); ++i) {
    edges.push_back({table.edges[i].cause, table.edges[i].observed, 1 - sensitivity[i]});
  }
  result.network =
      drop_isolated(NoisyOrNetwork(std::move(causes), std::move(observed), std::move(edges)));
  result.causes_left_out = priors.size() - result.network.n_causes();
  result.observed_left_out = leaks.size() - result.network.n_observed();
  return result;
}

}  // namespace orrery::model
