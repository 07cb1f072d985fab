// Anchored networks in the formats of other tools. Nodes of graphs are c0, c1, ... and x0, x1, ...,
// so that any name, also a repeated one, is a label only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/anchors.hpp"
#include "report/bif_tables.hpp"
#include "report/cause_edges.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using model::Anchor;
using model::AnchoredNetwork;
using model::Edge;
using model::LearnedAnchored;

constexpr const char* anchored_graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="all" attr.name="kind" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="prior" for="node" attr.name="prior" attr.type="double"/>
  <key id="leak" for="node" attr.name="leak" attr.type="double"/>
  <key id="anchor" for="all" attr.name="anchor" attr.type="boolean"/>
  <key id="failure" for="edge" attr.name="failure" attr.type="double"/>
  <key id="correlation" for="edge" attr.name="correlation" attr.type="double"/>
  <key id="error" for="all" attr.name="standard_error" attr.type="double"/>
  <graph id="orrery" edgedefault="directed">
)";

/// A variable each: of some cause.
std::vector<bool> anchored_variables(const AnchoredNetwork& network) {
  std::vector<bool> found(network.n_observed(), false);
  for (const Anchor& anchor : network.anchors()) found[anchor.observed] = true;
  return found;
}

std::string colour_of(const CauseEdge& edge) {
  if (std::isnan(edge.correlation)) return "gray50";
  return edge.correlation < 0 ? "red" : "forestgreen";
}

double size_of(const CauseEdge& edge) {
  return std::isnan(edge.correlation) ? 0 : std::min(std::abs(edge.correlation), 1.0);
}

/// What stands in the column of an anchors file.
std::string column_of(const AnchoredNetwork& network, const Anchor& anchor) {
  const std::string& name = network.loadings().observed()[anchor.observed].name;
  const bool is_union = anchor.columns.size() > 1;
  const std::vector<std::string> parts = is_union ? anchor.columns : std::vector{name};
  std::string joined;
  for (const std::string& part : parts) {
    if (part.find(';') != std::string::npos) {
      throw UsageError(fmt::format(
          "--format anchors: the column '{}' holds a semicolon, which joins the columns "
          "of a union; rename it, or export as json",
          shorten(part, 60)));
    }
    joined += (joined.empty() ? "" : ";") + part;
  }
  return joined;
}

}  // namespace

std::string anchored_to_csv(const LearnedAnchored& learned) {
  const model::NoisyOrNetwork& network = learned.network.loadings();
  std::string out =
      "cause,prior,observed,leak,failure,prior_error,leak_error,failure_error,anchor\n";
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const Edge& edge = network.edges()[i];
    const model::Cause& cause = network.causes()[edge.cause];
    const model::Observed& observed = network.observed()[edge.observed];
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{}\n", csv_field(cause.name),
                   cause.prior, csv_field(observed.name), observed.leak, edge.failure,
                   csv_number(learned.errors.prior, edge.cause),
                   csv_number(learned.errors.leak, edge.observed),
                   csv_number(learned.errors.failure, i), is_anchor(learned.network, edge) ? 1 : 0);
  }
  return out;
}

std::string anchored_to_dot(const LearnedAnchored& learned) {
  const model::NoisyOrNetwork& network = learned.network.loadings();
  const std::vector<bool> anchored = anchored_variables(learned.network);
  std::string out = "digraph orrery {\n  rankdir=TB;\n  node [shape=ellipse];\n";
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    fmt::format_to(std::back_inserter(out), "  c{} [label={}, prior=\"{}\"];\n", k,
                   dot_string(network.causes()[k].name), network.causes()[k].prior);
  }
  out += "  node [shape=box];\n";
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    fmt::format_to(std::back_inserter(out), "  x{} [label={}, leak=\"{}\"{}];\n", a,
                   dot_string(network.observed()[a].name), network.observed()[a].leak,
                   anchored[a] ? ", peripheries=2" : "");
  }
  for (const CauseEdge& edge : cause_edges(learned.network.causes()).edges) {
    fmt::format_to(std::back_inserter(out),
                   "  c{} -> c{} [correlation=\"{}\", color={}{}, penwidth={:.2f}];\n", edge.parent,
                   edge.child, csv_number(edge.correlation), colour_of(edge),
                   edge.correlation < 0 ? ", style=dashed" : "", .4 + 3.6 * size_of(edge));
  }
  // Strong edges are thick: pen width 3 * (1 - f), never too thin to see.
  for (const Edge& edge : network.edges()) {
    fmt::format_to(std::back_inserter(out), "  c{} -> x{} [failure=\"{}\", penwidth={:.2f}];\n",
                   edge.cause, edge.observed, edge.failure, .2 + 2.8 * (1 - edge.failure));
  }
  return out + "}\n";
}

std::string anchored_to_graphml(const LearnedAnchored& learned) {
  const model::NoisyOrNetwork& network = learned.network.loadings();
  const std::vector<bool> anchored = anchored_variables(learned.network);
  std::string out = anchored_graphml_head;
  const auto add = [&](const char* kind, std::size_t i, const std::string& name,
                       const std::string& data) {
    fmt::format_to(std::back_inserter(out),
                   "    <node id=\"{}{}\"><data key=\"kind\">{}</data><data key=\"name\">{}</data>"
                   "{}</node>\n",
                   kind[0] == 'c' ? 'c' : 'x', i, kind, escape(name), data);
  };
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    add("cause", k, network.causes()[k].name,
        data_field("prior", network.causes()[k].prior) +
            data_field("error", learned.errors.prior, k));
  }
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    add("observed", a, network.observed()[a].name,
        data_field("leak", network.observed()[a].leak) +
            fmt::format("<data key=\"anchor\">{}</data>", anchored[a]) +
            data_field("error", learned.errors.leak, a));
  }
  for (const CauseEdge& edge : cause_edges(learned.network.causes()).edges) {
    fmt::format_to(std::back_inserter(out),
                   "    <edge source=\"c{}\" target=\"c{}\"><data key=\"kind\">cause</data>{}"
                   "</edge>\n",
                   edge.parent, edge.child, data_field("correlation", edge.correlation));
  }
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const Edge& edge = network.edges()[i];
    fmt::format_to(std::back_inserter(out),
                   "    <edge source=\"c{}\" target=\"x{}\"><data key=\"kind\">loading</data>{}"
                   "<data key=\"anchor\">{}</data>{}</edge>\n",
                   edge.cause, edge.observed, data_field("failure", edge.failure),
                   is_anchor(learned.network, edge),
                   data_field("error", learned.errors.failure, i));
  }
  return out + "  </graph>\n</graphml>\n";
}

std::string anchored_to_bif(const LearnedAnchored& learned) {
  const model::NoisyOrNetwork& network = learned.network.loadings();
  const std::vector<model::CauseTable>& tables = learned.network.causes().tables();
  std::size_t rows = 0;
  for (const model::CauseTable& table : tables) rows += table.on.size();
  const auto parents = parents_of(network);
  require_small_tables(network, parents, rows);
  std::string out;
  const BifNames names = begin_bif(network, out);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    std::vector<std::string> above;
    for (const std::uint32_t parent : tables[k].parents) above.push_back(names.causes[parent]);
    const auto given = [&](std::uint32_t states) -> OffOn {
      return {1 - tables[k].on[states], tables[k].on[states]};
    };
    add_bif_table(names.causes[k], above, given, out);
  }
  add_noisy_or_tables(network, parents, names, out);
  return out;
}

std::string anchored_to_anchors(const LearnedAnchored& learned) {
  const AnchoredNetwork& network = learned.network;
  std::string out = "cause,column,off,on\n";
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const Anchor& anchor = network.anchors()[i];
    const auto [off, on] = learned.rates.empty()
                               ? network.rates(i)
                               : std::pair{learned.rates[i].off, learned.rates[i].on};
    fmt::format_to(std::back_inserter(out), "{},{},{},{}\n",
                   csv_field(network.loadings().causes()[anchor.cause].name),
                   csv_field(column_of(network, anchor)), off, on);
  }
  return out;
}

}  // namespace orrery::report
