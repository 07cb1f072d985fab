// Purpose: sign trees from and to JSON (the layout is in tree_json.hpp). Keys that are not known
// are passed over.
#include "orrery/model/tree_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "model/json_layout.hpp"
#include "model/json_uncertainty.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"

namespace orrery::model {
namespace {

constexpr std::int64_t largest_variable = std::numeric_limits<std::uint32_t>::max() - 1;

std::vector<TreeEdge> read_tree_edges(const JsonEntry& list) {
  std::vector<TreeEdge> edges;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    if (entry.size() != 3) entry.refuse("[variable, variable, moment] is needed");
    const auto index = [&](std::size_t field) {
      return static_cast<std::uint32_t>(entry.element(field).whole_number(0, largest_variable));
    };
    edges.push_back({index(0), index(1), entry.element(2).number()});
  }
  return edges;
}

/// Places in the file's list of the edges as a tree keeps them.
std::vector<std::size_t> sorted_places(const std::vector<TreeEdge>& listed) {
  std::vector<std::size_t> places(listed.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, {}, [&](std::size_t i) {
    return std::minmax({listed[i].a, listed[i].b});
  });
  return places;
}

std::vector<double> read_edge_errors(const JsonEntry& root, const std::vector<TreeEdge>& listed) {
  if (!root.has("edge_errors")) return {};
  const JsonEntry list = root.member("edge_errors");
  if (list.size() != listed.size()) {
    throw InputError(fmt::format("{}: {} has {} values, but edges has {}; they must agree",
                                 root.file(), list.where(), list.size(), listed.size()));
  }
  std::vector<double> errors;
  for (const std::size_t place : sorted_places(listed)) {
    errors.push_back(read_error(list.element(place)));
  }
  return errors;
}

}  // namespace

LearnedTree tree_from_json(const JsonEntry& root) {
  const JsonEntry variables = root.member("variables");
  if (variables.size() == 0) variables.refuse("at least one variable is needed");
  std::vector<std::string> names;
  std::vector<double> means;
  JsonNames unique;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const JsonEntry entry = variables.element(i);
    names.push_back(unique.read(entry, "x", i));
    means.push_back(entry.has("mean") ? entry.member("mean").number() : 0);
  }
  std::vector<TreeEdge> edges = read_tree_edges(root.member("edges"));
  LearnedTree learned;
  learned.edge_errors = read_edge_errors(root, edges);
  if (root.has("crossover_error")) {
    learned.crossover_error = read_error(root.member("crossover_error"));
  }
  const double crossover = root.has("crossover") ? root.member("crossover").number() : 0;
  learned.tree = in_file(root, [&] {
    return SignTree(std::move(names), std::move(means), std::move(edges), crossover);
  });
  static_cast<Origin&>(learned) = read_origin(root);
  return learned;
}

LearnedTree read_tree_json(const std::filesystem::path& path) {
  const std::string file = path.string();
  const nlohmann::json document = parse_json(read_text_file(path), file);
  const JsonEntry root(document, file);
  const JsonEntry format = root.member("format");
  if (format.text() != tree_format) {
    format.refuse(fmt::format("a tree, \"{}\", is needed", tree_format));
  }
  return tree_from_json(root);
}

std::string to_tree_json(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  std::string out = json_head(tree_format, learned);
  if (!learned.remarks.empty()) append_json_list(out, "remarks", json_texts(learned.remarks), ",");
  out += fmt::format("  \"crossover\": {},\n", tree.crossover());
  if (learned.crossover_error != 0) {
    out += fmt::format("  \"crossover_error\": {},\n", number_or_null(learned.crossover_error));
  }
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    variables.push_back(
        fmt::format("{{\"name\": {}, \"mean\": {}}}", json_text(tree.names()[i]), tree.means()[i]));
  }
  std::vector<std::string> edges;
  for (const TreeEdge& edge : tree.edges()) {
    edges.push_back(fmt::format("[{}, {}, {}]", edge.a, edge.b, edge.moment));
  }
  const bool errors = !learned.edge_errors.empty();
  append_json_list(out, "variables", variables, ",");
  append_json_list(out, "edges", edges, errors ? "," : "");
  if (errors) append_json_list(out, "edge_errors", json_numbers(learned.edge_errors), "");
  return out + "}\n";
}

}  // namespace orrery::model
