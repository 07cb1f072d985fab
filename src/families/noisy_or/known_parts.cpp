#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {
namespace {

std::string trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

/// Letters to insert, delete or replace. O(|a| |b|).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);  // from a prefix of a to each prefix of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<EdgeLine> parse_edge_list(const std::string& text, const std::string& path) {
  std::vector<EdgeLine> edges;
  std::istringstream stream(text);
  std::string raw;
  for (std::size_t number = 1; std::getline(stream, raw); ++number) {
    const std::string line = trim(raw);
    if (line.empty() || line[0] == '#') continue;
    const std::size_t comma = line.find(',');
    EdgeLine edge{trim(line.substr(0, comma)),
                  comma == std::string::npos ? "" : trim(line.substr(comma + 1)), number};
    if (edge.cause.empty() || edge.observed.empty()) {
      throw InputError(fmt::format(
          "{}: line {}: '{}' is no edge; write cause,variable (*,variable: every cause)", path,
          number, line));
    }
    edges.push_back(std::move(edge));
  }
  return edges;
}

std::string nearest_names(const std::string& name, const std::set<std::string>& known) {
  constexpr std::size_t shown = 3;
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const std::string& other : known) order.emplace_back(edit_distance(name, other), other);
  std::ranges::sort(order);
  order.resize(std::min(order.size(), shown));
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool last = i + 1 == order.size();
    text += fmt::format("{}'{}'", i == 0 ? "" : last ? " or " : ", ", order[i].second);
  }
  return text;
}

namespace {

namespace po = boost::program_options;
using NamedEdge = learning::KnownParts::NamedEdge;

constexpr const char* every_cause = "*";

/// The names that a line of an edge file may use.
struct KnownNames {
  std::set<std::string> observed;                      // of the data
  std::set<std::string> causes;                        // of both networks
  std::set<std::pair<std::string, std::string>> kept;  // edges of the structure
  std::set<std::string> of_structure;                  // its causes

  void add(const model::NoisyOrNetwork& network) {
    for (const model::Cause& cause : network.causes()) causes.insert(cause.name);
  }
};

/// An edge by the data's names, and where it stands.
struct PlacedEdge {
  NamedEdge edge;
  std::string place;
};

PlacedEdge resolve(const std::string& path, const EdgeLine& line, const KnownNames& names) {
  const std::string place =
      fmt::format("{}: line {}: {},{}", path, line.number, line.cause, line.observed);
  if (line.cause != every_cause && !names.causes.contains(line.cause)) {
    throw InputError(fmt::format(
        "{}: cause '{}' is unknown; {}", place, line.cause,
        names.causes.empty()
            ? "only --structure and --start have causes with names: give one of them, or write *"
            : fmt::format("the nearest is {}", nearest_names(line.cause, names.causes))));
  }
  if (!names.observed.contains(line.observed)) {
    throw InputError(fmt::format("{}: variable '{}' is unknown; the nearest is {}", place,
                                 line.observed, nearest_names(line.observed, names.observed)));
  }
  return {{line.cause, line.observed}, place};
}

std::vector<PlacedEdge> resolve_all(const std::string& text, const std::string& path,
                                    const KnownNames& names) {
  std::vector<PlacedEdge> edges;
  for (const EdgeLine& line : parse_edge_list(text, path)) {
    edges.push_back(resolve(path, line, names));
  }
  return edges;
}

/// No edge is both forbidden and required, and none that the structure has is forbidden.
void require_agreement(const std::vector<PlacedEdge>& forbidden,
                       const std::vector<PlacedEdge>& required, const KnownNames& names) {
  std::multimap<std::string, const PlacedEdge*> by_variable;
  for (const PlacedEdge& edge : required) by_variable.emplace(edge.edge.observed, &edge);
  const auto found_later = [&](const std::string& cause) {  // what * speaks of
    return cause == every_cause || !names.of_structure.contains(cause);
  };
  for (const auto& [no, place] : forbidden) {
    if (names.kept.contains({no.cause, no.observed})) {
      throw InputError(fmt::format(
          "{}: forbidden, but --structure has this edge and keeps it; remove it there or here",
          place));
    }
    const auto [begin, end] = by_variable.equal_range(no.observed);
    for (auto yes = begin; yes != end; ++yes) {
      const std::string& cause = yes->second->edge.cause;
      const bool any = no.cause == every_cause || cause == every_cause;
      if (cause != no.cause && !(any && found_later(cause) && found_later(no.cause))) continue;
      throw InputError(fmt::format("{}: forbidden, but required at {}; remove one of the two",
                                   place, yes->second->place));
    }
  }
}

/// Reads what the options name.
class Loader {
 public:
  Loader(const cli::Arguments& arguments, const std::vector<std::string>& names)
      : arguments_(arguments), names_(names) {
    known_.observed.insert(names.begin(), names.end());
  }

  family::KnownInput load() {
    learning::KnownParts& parts = input_.parts;
    parts.structure = network("structure");
    if (parts.structure) keep(*parts.structure);
    parts.start = network("start");
    const auto forbidden = edges("forbid", parts.forbidden);
    const auto required = edges("require", parts.required);
    require_agreement(forbidden, required, known_);
    if (!any_) input_.identity.clear();
    return std::move(input_);
  }

 private:
  /// What the names are of.
  std::string data_source() const {
    const std::string data = arguments_.text("data");
    return data.empty() ? arguments_.text("moments") : data;
  }
  void say(const char* option, const std::string& content) {
    input_.identity.emplace_back(fmt::format("--{}", option),
                                 fmt::format("{:016x}", store::digest_of_text(content)));
    any_ = true;
  }
  void say_none(const char* option) {
    input_.identity.emplace_back(fmt::format("--{}", option), "none");
  }

  std::optional<model::NoisyOrNetwork> network(const char* option) {
    const std::string source = arguments_.text(option);
    if (source.empty()) {
      say_none(option);
      return std::nullopt;
    }
    const model::LearnedModel loaded = load_network(source, arguments_.seed());
    say(option, family::to_json(loaded));
    const auto places = places_in_data(loaded.network, names_, source, data_source());
    known_.add(loaded.network);
    return align_to_data(loaded.network, names_, places);
  }

  void keep(const model::NoisyOrNetwork& structure) {
    for (const model::Cause& cause : structure.causes()) known_.of_structure.insert(cause.name);
    for (const model::Edge& edge : structure.edges()) {
      known_.kept.emplace(structure.causes()[edge.cause].name,
                          structure.observed()[edge.observed].name);
    }
  }

  std::vector<PlacedEdge> edges(const char* option, std::vector<NamedEdge>& named) {
    const std::string path = arguments_.text(option);
    if (path.empty()) {
      say_none(option);
      return {};
    }
    const std::string text = read_text_file(path);
    say(option, text);
    std::vector<PlacedEdge> placed = resolve_all(text, path, known_);
    for (const PlacedEdge& edge : placed) named.push_back(edge.edge);
    return placed;
  }

  const cli::Arguments& arguments_;
  const std::vector<std::string>& names_;
  KnownNames known_;
  family::KnownInput input_;
  bool any_ = false;
};

}  // namespace

void add_known_options(po::options_description& options) {
  options.add_options()(
      "structure", po::value<std::string>()->value_name("NETWORK"),
      "known causes: they and their edges are kept, and further causes are searched for")(
      "start", po::value<std::string>()->value_name("NETWORK"),
      "a network to start from, such as a model of earlier data; every part of it may change")(
      "forbid", po::value<std::string>()->value_name("FILE"),
      "edges that the model must not have: lines cause,variable, with the names in --structure or "
      "--start, or * for every cause that is not in --structure")(
      "require", po::value<std::string>()->value_name("FILE"),
      "edges that the model must have, written as for --forbid");
}

family::KnownInput load_known_parts(const cli::Arguments& arguments, const parallel::Team& team,
                                    const std::vector<std::string>& names) {
  family::KnownInput input = team.root_first([&] { return Loader(arguments, names).load(); });
  const learning::KnownParts& parts = input.parts;
  if (input.given() != nullptr) {
    log::verbose("known: {} causes kept, {} to start from, {} edges forbidden, {} required",
                 parts.structure ? parts.structure->n_causes() : 0,
                 parts.start ? parts.start->n_causes() : 0, parts.forbidden.size(),
                 parts.required.size());
  }
  return input;
}

}  // namespace orrery::noisy_or
