// A model in the formats of other programs: those of its family, of graphs, of networks of tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "report/text.hpp"

namespace orrery::family {
namespace {

/// "json, csv, dot"
std::string formats_of(const Family& family) {
  std::vector<std::string> names{"json"};
  for (const Format& own : family.formats) names.push_back(own.name);
  if (family.graph) {
    for (const report::GraphFormat& format : report::graph_formats())
      names.emplace_back(format.name);
  }
  if (family.discrete) {
    for (const auto& format : report::discrete_formats()) names.emplace_back(format.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Formats of which each edge is a part of the whole.
[[noreturn]] void refuse_strength(const std::string& format) {
  throw UsageError(fmt::format(
      "--min-strength: --format {} writes the whole model, which without its weak edges "
      "would be another one; leave it out, or write a drawing (dot, graphml) or the "
      "csv of edges",
      format));
}

/// Leaves the weak edges of the graph out, and says how many.
std::string leave_out(double min_strength, report::Graph& graph) {
  const std::size_t n_nodes = graph.nodes.size();
  const std::size_t n_edges = graph.edges.size();
  graph = report::strong_part(std::move(graph), min_strength);
  return fmt::format(
      "{} of {} are of a strength of {} or more; the others are left out, and {} that had no "
      "others",
      format_count(graph.edges.size()), report::count_of(n_edges, "edge"), min_strength,
      report::count_of(n_nodes - graph.nodes.size(), "node"));
}

/// Says which names the format does not have as they are, if any.
std::string note_of_names(const report::DiscreteFormat& format,
                          const report::DiscreteNetwork& network) {
  const report::WrittenNames names = format.names(network);
  const std::size_t n = report::n_changed(network, names);
  if (n == 0) return "";
  std::string example;
  for (std::size_t v = 0; v < network.size() && example.empty(); ++v) {
    if (network[v].name == names.variables[v]) continue;
    example = fmt::format("'{}' as {}, for example; ", report::shorten(network[v].name, 40),
                          report::shorten(names.variables[v], 40));
  }
  return fmt::format(
      "--format {}: names of {} or of their states are written otherwise ({}--names FILE writes "
      "all)",
      format.name, report::count_of(n, "variable"), example);
}

}  // namespace

Written write_as(const AnyModel& model, const std::string& format,
                 const std::optional<double>& min_strength) {
  const Family& family = family_of(model);
  const auto is_asked_for = [&](const auto& one) { return one.name == format; };
  if (format == "json") {
    if (min_strength) refuse_strength(format);
    return {to_json(model), ""};
  }
  if (const auto own = std::ranges::find_if(family.formats, is_asked_for);
      own != family.formats.end()) {
    if (!min_strength) return {own->write(model), ""};
    if (!own->write_strong) refuse_strength(format);
    return {own->write_strong(model, *min_strength), ""};
  }
  const auto& graphs = report::graph_formats();
  if (const auto found = std::ranges::find_if(graphs, is_asked_for);
      family.graph && found != graphs.end()) {
    report::Graph graph = family.graph(model);
    const std::string note = min_strength ? leave_out(*min_strength, graph) : "";
    return {found->write(graph), note};
  }
  const auto& tables = report::discrete_formats();
  if (const auto found = std::ranges::find_if(tables, is_asked_for);
      family.discrete && found != tables.end()) {
    if (min_strength) refuse_strength(format);
    const report::DiscreteNetwork network = family.discrete(model);
    return {found->write(network), note_of_names(*found, network)};
  }
  throw UsageError(fmt::format("--format '{}' is not known for {}: give one of {}",
                               log::printable(format.substr(0, 40)), family.describe(model),
                               formats_of(family)));
}

std::string written_as(const AnyModel& model, const std::string& format,
                       const std::optional<double>& min_strength) {
  return write_as(model, format, min_strength).text;
}

std::string names_written_as(const AnyModel& model, const std::string& format) {
  const Family& family = family_of(model);
  for (const report::DiscreteFormat& of_tables : report::discrete_formats()) {
    if (!family.discrete || of_tables.name != format) continue;
    const report::DiscreteNetwork network = family.discrete(model);
    return report::names_csv(network, of_tables.names(network));
  }
  std::vector<std::string> formats;
  for (const auto& of_tables : report::discrete_formats()) formats.emplace_back(of_tables.name);
  throw UsageError(
      fmt::format("--names: --format {} has every name as it is; leave it out (it is for {})",
                  format, fmt::join(formats, ", ")));
}

std::string format_help() {
  std::vector<std::string> formats;
  for (const Family* family : families()) {
    for (const Format& format : family->formats) {
      if (std::ranges::find(formats, format.name) == formats.end()) formats.push_back(format.name);
    }
  }
  for (const report::GraphFormat& format : report::graph_formats()) {
    formats.emplace_back(format.name);
  }
  std::vector<std::string> of_tables;
  for (const auto& format : report::discrete_formats()) of_tables.emplace_back(format.name);
  return fmt::format(
      "{}, {} (these not of networks of numbers); a format that the network has not is refused "
      "with "
      "those that it has",
      fmt::join(formats, ", "), fmt::join(of_tables, ", "));
}

}  // namespace orrery::family
