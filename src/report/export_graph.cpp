// The network as a graph: Graphviz and GraphML. Nodes are c0, c1, ... and x0, x1, ..., so that any
// name, also a repeated one, is a label only.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "orrery/model/learnability.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"
#include "report/view.hpp"

namespace orrery::report {
namespace {

constexpr const char* network_graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="prior" for="node" attr.name="prior" attr.type="double"/>
  <key id="leak" for="node" attr.name="leak" attr.type="double"/>
  <key id="depth" for="node" attr.name="depth" attr.type="int"/>
  <key id="structural_depth" for="node" attr.name="structural_depth" attr.type="int"/>
  <key id="support" for="node" attr.name="support" attr.type="long"/>
  <key id="failure" for="edge" attr.name="failure" attr.type="double"/>
  <key id="error" for="all" attr.name="standard_error" attr.type="double"/>
  <key id="stability" for="all" attr.name="stability" attr.type="double"/>
  <graph id="orrery" edgedefault="directed">
)";

void add_cause(const model::LearnedModel& model, const std::vector<std::int32_t>& depths,
               std::size_t k, std::string& out) {
  const model::Cause& cause = model.network.causes()[k];
  fmt::format_to(std::back_inserter(out),
                 "    <node id=\"c{}\"><data key=\"kind\">cause</data><data key=\"name\">{}</data>"
                 "<data key=\"prior\">{}</data>",
                 k, escape(cause.name), cause.prior);
  const model::Provenance from = provenance_of(model, k);
  if (from.depth >= 0) {
    fmt::format_to(std::back_inserter(out), "<data key=\"depth\">{}</data>", from.depth);
  }
  if (!depths.empty() && depths[k] != model::CauseLearnability::never) {
    fmt::format_to(std::back_inserter(out), "<data key=\"structural_depth\">{}</data>", depths[k]);
  }
  if (from.support > 0) {
    fmt::format_to(std::back_inserter(out), "<data key=\"support\">{}</data>", from.support);
  }
  out += data_field("error", model.errors.prior, k) +
         data_field("stability", model.stability.cause, k) + "</node>\n";
}

}  // namespace

std::string to_dot(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  std::string out = "digraph orrery {\n  rankdir=TB;\n  node [shape=ellipse];\n";
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    const model::Cause& cause = network.causes()[k];
    fmt::format_to(std::back_inserter(out), "  c{} [label={}, prior=\"{}\"];\n", k,
                   dot_string(cause.name), cause.prior);
  }
  out += "  node [shape=box];\n";
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    const model::Observed& observed = network.observed()[a];
    fmt::format_to(std::back_inserter(out), "  x{} [label={}, leak=\"{}\"];\n", a,
                   dot_string(observed.name), observed.leak);
  }
  // Strong edges are thick: pen width 3 * (1 - f), never too thin to see.
  for (const model::Edge& edge : network.edges()) {
    fmt::format_to(std::back_inserter(out), "  c{} -> x{} [failure=\"{}\", penwidth={:.2f}];\n",
                   edge.cause, edge.observed, edge.failure, .2 + 2.8 * (1 - edge.failure));
  }
  return out + "}\n";
}

std::string to_graphml(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const std::vector<std::int32_t> depths = model::structural_depths(model);
  std::string out = network_graphml_head;
  for (std::size_t k = 0; k < network.n_causes(); ++k) add_cause(model, depths, k, out);
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    fmt::format_to(std::back_inserter(out),
                   "    <node id=\"x{}\"><data key=\"kind\">observed</data><data key=\"name\">{}"
                   "</data><data key=\"leak\">{}</data>{}</node>\n",
                   a, escape(network.observed()[a].name), network.observed()[a].leak,
                   data_field("error", model.errors.leak, a));
  }
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    fmt::format_to(
        std::back_inserter(out),
        "    <edge source=\"c{}\" target=\"x{}\"><data key=\"failure\">{}</data>{}{}</edge>\n",
        edge.cause, edge.observed, edge.failure, data_field("error", model.errors.failure, i),
        data_field("stability", model.stability.edge, i));
  }
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace orrery::report
