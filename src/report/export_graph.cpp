// The network as a graph: Graphviz and GraphML. Nodes are c0, c1, ... and x0, x1, ..., so that any
// name, also a repeated one, is a label only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/text.hpp"
#include "orrery/model/learnability.hpp"
#include "report/anchors.hpp"
#include "report/cause_edges.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

constexpr const char* network_graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="all" attr.name="kind" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="prior" for="node" attr.name="prior" attr.type="double"/>
  <key id="leak" for="node" attr.name="leak" attr.type="double"/>
  <key id="depth" for="node" attr.name="depth" attr.type="int"/>
  <key id="structural_depth" for="node" attr.name="structural_depth" attr.type="int"/>
  <key id="support" for="node" attr.name="support" attr.type="long"/>
  <key id="failure" for="edge" attr.name="failure" attr.type="double"/>
  <key id="error" for="all" attr.name="standard_error" attr.type="double"/>
  <key id="stability" for="all" attr.name="stability" attr.type="double"/>
)";
constexpr const char* above_and_anchors =
    R"(  <key id="anchor" for="all" attr.name="anchor" attr.type="boolean"/>
  <key id="correlation" for="edge" attr.name="correlation" attr.type="double"/>
)";

void add_cause(const model::LearnedModel& model, const std::vector<std::int32_t>& depths,
               std::size_t k, std::string& out) {
  const model::Cause& cause = model.network.causes()[k];
  append_text(out,
              "    <node id=\"c{}\"><data key=\"kind\">cause</data><data key=\"name\">{}</data>"
              "<data key=\"prior\">{}</data>",
              k, escape(cause.name), cause.prior);
  const model::Provenance from = provenance_of(model, k);
  if (from.depth >= 0) {
    append_text(out, "<data key=\"depth\">{}</data>", from.depth);
  }
  if (!depths.empty() && depths[k] != model::CauseLearnability::never) {
    append_text(out, "<data key=\"structural_depth\">{}</data>", depths[k]);
  }
  if (from.support > 0) {
    append_text(out, "<data key=\"support\">{}</data>", from.support);
  }
  out += data_field("error", model.errors.prior, k) +
         data_field("stability", model.stability.cause, k) + "</node>\n";
}

/// A variable each: of some cause.
std::vector<bool> anchored_variables(const model::NoisyOrNetwork& network) {
  std::vector<bool> found(network.n_observed(), false);
  for (const model::Anchor& anchor : network.anchors()) found[anchor.observed] = true;
  return found;
}

std::string colour_of(const CauseEdge& edge) {
  if (std::isnan(edge.correlation)) return "gray50";
  return edge.correlation < 0 ? "red" : "forestgreen";
}

double size_of(const CauseEdge& edge) {
  return std::isnan(edge.correlation) ? 0 : std::min(std::abs(edge.correlation), 1.0);
}

std::string anchor_field(bool is_anchor) {
  return fmt::format("<data key=\"anchor\">{}</data>", is_anchor);
}

}  // namespace

std::string to_dot(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const std::vector<bool> anchored = anchored_variables(network);
  std::string out = "digraph orrery {\n  rankdir=TB;\n  node [shape=ellipse];\n";
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    const model::Cause& cause = network.causes()[k];
    append_text(out, "  c{} [label={}, prior=\"{}\"];\n", k, dot_string(cause.name), cause.prior);
  }
  out += "  node [shape=box];\n";
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    const model::Observed& observed = network.observed()[a];
    append_text(out, "  x{} [label={}, leak=\"{}\"{}];\n", a, dot_string(observed.name),
                observed.leak, anchored[a] ? ", peripheries=2" : "");
  }
  for (const CauseEdge& edge : cause_edges(network.cause_network()).edges) {
    append_text(out, "  c{} -> c{} [correlation=\"{}\", color={}{}, penwidth={:.2f}];\n",
                edge.parent, edge.child, csv_number(edge.correlation), colour_of(edge),
                edge.correlation < 0 ? ", style=dashed" : "", .4 + 3.6 * size_of(edge));
  }
  // Strong edges are thick: pen width 3 * (1 - f), never too thin to see.
  for (const model::Edge& edge : network.edges()) {
    append_text(out, "  c{} -> x{} [failure=\"{}\", penwidth={:.2f}];\n", edge.cause, edge.observed,
                edge.failure, .2 + 2.8 * (1 - edge.failure));
  }
  return out + "}\n";
}

std::string to_graphml(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const std::vector<std::int32_t> depths = model::structural_depths(model);
  const std::vector<bool> anchored = anchored_variables(network);
  const bool has_anchors = !network.anchors().empty();
  std::string out = network_graphml_head;
  if (!network.is_plain()) out += above_and_anchors;
  out += "  <graph id=\"orrery\" edgedefault=\"directed\">\n";
  for (std::size_t k = 0; k < network.n_causes(); ++k) add_cause(model, depths, k, out);
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    append_text(out,
                "    <node id=\"x{}\"><data key=\"kind\">observed</data><data key=\"name\">{}"
                "</data><data key=\"leak\">{}</data>{}{}</node>\n",
                a, escape(network.observed()[a].name), network.observed()[a].leak,
                has_anchors ? anchor_field(anchored[a]) : "",
                data_field("error", model.errors.leak, a));
  }
  for (const CauseEdge& edge : cause_edges(network.cause_network()).edges) {
    append_text(out,
                "    <edge source=\"c{}\" target=\"c{}\"><data key=\"kind\">cause</data>{}"
                "</edge>\n",
                edge.parent, edge.child, data_field("correlation", edge.correlation));
  }
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    append_text(out,
                "    <edge source=\"c{}\" target=\"x{}\">{}<data key=\"failure\">{}</data>{}{}{}"
                "</edge>\n",
                edge.cause, edge.observed,
                network.is_plain() ? "" : "<data key=\"kind\">loading</data>", edge.failure,
                has_anchors ? anchor_field(is_anchor(network, edge)) : "",
                data_field("error", model.errors.failure, i),
                data_field("stability", model.stability.edge, i));
  }
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace orrery::report
