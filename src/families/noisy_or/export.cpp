// A noisy-OR network as a graph, as tables of probabilities, and as CSV. Nodes are c0, c1, ... and
// x0, x1, ..., so that any name, also a repeated one, is a label only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/page/view.hpp"
#include "model/learnability.hpp"
#include "orrery/base/error.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;
using report::add_attribute;
using report::Attribute;
using report::Graph;
using report::Sign;

double entry(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? values[i] : std::nan("");
}

std::vector<report::AttributeKey> keys_of(const NoisyOrNetwork& network) {
  std::vector<report::AttributeKey> keys{{"kind", "all", "kind", "string"},
                                         {"name", "node", "name", "string"},
                                         {"prior", "node", "prior", "double"},
                                         {"leak", "node", "leak", "double"},
                                         {"depth", "node", "depth", "int"},
                                         {"structural_depth", "node", "structural_depth", "int"},
                                         {"support", "node", "support", "long"},
                                         {"failure", "edge", "failure", "double"},
                                         {"error", "all", "standard_error", "double"},
                                         {"stability", "all", "stability", "double"}};
  if (!network.is_plain()) {
    keys.push_back({"anchor", "all", "anchor", "boolean"});
    keys.push_back({"correlation", "edge", "correlation", "double"});
  }
  return keys;
}

std::vector<Attribute> of_cause(const LearnedModel& learned, std::size_t k,
                                const std::vector<std::int32_t>& depths) {
  std::vector<Attribute> said;
  add_attribute(said, "prior", "prior", learned.network.causes()[k].prior);
  const model::Provenance from = provenance_of(learned, k);
  if (from.depth >= 0) said.push_back({"depth", "", fmt::format("{}", from.depth)});
  if (!depths.empty() && depths[k] != model::CauseLearnability::never) {
    said.push_back({"structural_depth", "", fmt::format("{}", depths[k])});
  }
  if (from.support > 0) said.push_back({"support", "", fmt::format("{}", from.support)});
  add_attribute(said, "error", "", entry(learned.errors.prior, k));
  add_attribute(said, "stability", "", entry(learned.stability.cause, k));
  return said;
}

Attribute anchor_attribute(bool is_anchor) { return {"anchor", "", is_anchor ? "true" : "false"}; }

void add_nodes(const LearnedModel& learned, Graph& graph) {
  const NoisyOrNetwork& network = learned.network;
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    graph.nodes.push_back({fmt::format("c{}", k), network.causes()[k].name, "cause", true, false,
                           of_cause(learned, k, depths)});
  }
  std::vector<bool> anchored(network.n_observed(), false);
  for (const model::Anchor& anchor : network.anchors()) anchored[anchor.observed] = true;
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    std::vector<Attribute> said;
    add_attribute(said, "leak", "leak", network.observed()[a].leak);
    if (!network.anchors().empty()) said.push_back(anchor_attribute(anchored[a]));
    add_attribute(said, "error", "", entry(learned.errors.leak, a));
    graph.nodes.push_back({fmt::format("x{}", a), network.observed()[a].name, "observed", false,
                           anchored[a], std::move(said)});
  }
}

/// Green where two causes go together, red where one keeps the other away; as wide as they
/// correlate.
void add_cause_edges(const NoisyOrNetwork& network, Graph& graph) {
  for (const CauseEdge& edge : cause_edges(network.cause_network()).edges) {
    const bool known = !std::isnan(edge.correlation);
    const double size = known ? std::min(std::abs(edge.correlation), 1.0) : 0;
    const Sign sign = !known                 ? Sign::unknown
                      : edge.correlation < 0 ? Sign::negative
                                             : Sign::positive;
    std::vector<Attribute> said;
    add_attribute(said, "correlation", "correlation", edge.correlation);
    graph.edges.push_back({fmt::format("c{}", edge.parent), fmt::format("c{}", edge.child), "cause",
                           true, .4 + 3.6 * size, sign, std::move(said),
                           std::abs(edge.correlation)});
  }
}

void add_loadings(const LearnedModel& learned, Graph& graph) {
  const NoisyOrNetwork& network = learned.network;
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    std::vector<Attribute> said;
    add_attribute(said, "failure", "failure", edge.failure);
    if (!network.anchors().empty()) {
      said.push_back(anchor_attribute(is_anchor(network, edge)));
    }
    add_attribute(said, "error", "", entry(learned.errors.failure, i));
    add_attribute(said, "stability", "", entry(learned.stability.edge, i));
    // Never too thin to see.
    graph.edges.push_back({fmt::format("c{}", edge.cause), fmt::format("x{}", edge.observed),
                           network.is_plain() ? "" : "loading", true, .2 + 2.8 * (1 - edge.failure),
                           Sign::none, std::move(said), 1 - edge.failure});
  }
}

}  // namespace

Graph graph(const LearnedModel& learned) {
  Graph graph{.keys = keys_of(learned.network)};
  add_nodes(learned, graph);
  add_cause_edges(learned.network, graph);
  add_loadings(learned, graph);
  return graph;
}

report::DiscreteNetwork discrete(const LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  report::DiscreteNetwork variables;
  const auto& tables = network.cause_network().tables();
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    // Bit i of a place in `on` is the value of parent i.
    const auto given = [&table = tables[k]](std::span<const std::uint32_t> parents,
                                            std::span<double> probability) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < parents.size(); ++i) place |= std::size_t{parents[i]} << i;
      probability[0] = 1 - table.on[place];
      probability[1] = table.on[place];
    };
    variables.push_back({network.causes()[k].name, {"off", "on"}, tables[k].parents, given});
  }
  std::vector<std::vector<model::Edge>> into(network.n_observed());
  for (const model::Edge& edge : network.edges()) into[edge.observed].push_back(edge);
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    std::vector<std::uint32_t> parents;
    for (const model::Edge& edge : into[a]) parents.push_back(edge.cause);
    // (1 - leak) times the failures of the parents that are on.
    const auto given = [leak = network.observed()[a].leak, edges = into[a]](
                           std::span<const std::uint32_t> states, std::span<double> probability) {
      double off = 1 - leak;
      for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i] != 0) off *= edges[i].failure;
      }
      probability[0] = off;
      probability[1] = 1 - off;
    };
    variables.push_back({network.observed()[a].name, {"off", "on"}, std::move(parents), given});
  }
  return variables;
}

// CSV: the edges, and the anchors as `learn anchored --anchors` reads them.

namespace {

using model::Anchor;
using report::csv_field;
using report::csv_number;

std::string csv_support(const model::LearnedModel& model, std::size_t cause) {
  const std::uint64_t support = provenance_of(model, cause).support;
  return support == 0 ? "" : fmt::format("{}", support);
}

/// What stands in the column of an anchors file.
std::string column_of(const NoisyOrNetwork& network, const Anchor& anchor) {
  const std::string& name = network.observed()[anchor.observed].name;
  const bool is_union = anchor.columns.size() > 1;
  const std::vector<std::string> parts = is_union ? anchor.columns : std::vector{name};
  std::string joined;
  for (const std::string& part : parts) {
    if (part.find(';') != std::string::npos) {
      throw UsageError(fmt::format(
          "--format anchors: the column '{}' holds a semicolon, which joins the columns "
          "of a union; rename it, or export as json",
          report::shorten(part, 60)));
    }
    joined += (joined.empty() ? "" : ";") + part;
  }
  return joined;
}

}  // namespace

std::string to_csv(const model::LearnedModel& model) { return strong_csv(model, 0); }

std::string strong_csv(const model::LearnedModel& model, double least) {
  const model::NoisyOrNetwork& network = model.network;
  std::string out =
      "cause,prior,observed,leak,failure,prior_error,leak_error,failure_error,support,stability,"
      "edge_stability";
  const bool has_anchors = !network.anchors().empty();
  out += has_anchors ? ",anchor\n" : "\n";
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const model::Edge& edge = network.edges()[i];
    if (1 - edge.failure < least) continue;
    const model::Cause& cause = network.causes()[edge.cause];
    const model::Observed& observed = network.observed()[edge.observed];
    append_text(out, "{},{},{},{},{},{},{},{},{},{},{}", csv_field(cause.name), cause.prior,
                csv_field(observed.name), observed.leak, edge.failure,
                csv_number(model.errors.prior, edge.cause),
                csv_number(model.errors.leak, edge.observed), csv_number(model.errors.failure, i),
                csv_support(model, edge.cause), csv_number(model.stability.cause, edge.cause),
                csv_number(model.stability.edge, i));
    if (has_anchors) out += is_anchor(network, edge) ? ",1" : ",0";
    out += '\n';
  }
  return out;
}

std::string to_anchors(const model::LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  if (network.anchors().empty()) {
    throw UsageError("--format anchors: this network has none; `learn anchored` makes such");
  }
  std::string out = "cause,column,off,on\n";
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const Anchor& anchor = network.anchors()[i];
    const auto [off, on] = learned.rates.empty()
                               ? network.anchor_rates(i)
                               : std::pair{learned.rates[i].off, learned.rates[i].on};
    append_text(out, "{},{},{},{}\n", csv_field(network.causes()[anchor.cause].name),
                csv_field(column_of(network, anchor)), off, on);
  }
  return out;
}

}  // namespace orrery::noisy_or
