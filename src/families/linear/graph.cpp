// A linear network as a graph, and as CSV. Nodes are x0, x1, ... (observed), c0, c1, ... (causes),
// u1_0, u1_1, ... (levels above them), so that any name is a label only. What has no direction, the
// covariances of the highest level, are edges without one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "families/linear/commands.hpp"
#include "report/formats.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::LinearNetwork;
using report::add_attribute;
using report::Attribute;
using report::Graph;

double entry(const MatrixXd& errors, Index row, Index column) {
  return errors.size() == 0 ? std::nan("") : errors(row, column);
}

std::string hidden_id(std::size_t level, Index j) {
  return level == 0 ? fmt::format("c{}", j) : fmt::format("u{}_{}", level, j);
}

/// `noise`: the variance given the parents; NaN: none of its own.
void add_node(const std::string& id, const std::string& name, bool is_hidden, double mean,
              double noise, Graph& graph) {
  std::vector<Attribute> said;
  add_attribute(said, "mean", "mean", mean);
  add_attribute(said, "noise", "noise", noise);
  graph.nodes.push_back(
      {id, name, is_hidden ? "hidden" : "observed", is_hidden, false, std::move(said)});
}

void add_nodes(const LinearNetwork& network, Graph& graph) {
  const auto& upper = network.upper();
  for (std::size_t level = upper.size() + 1; level-- > 0;) {
    const auto& names = level == 0 ? network.cause_names() : upper[level - 1].names;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto at = static_cast<Index>(j);
      double noise = std::nan("");
      if (level < upper.size()) noise = upper[level].noise(at);
      if (network.has_coupling()) noise = network.innovation()(at);
      add_node(hidden_id(level, at), names[j], true, std::nan(""), noise, graph);
    }
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto at = static_cast<Index>(i);
    add_node(fmt::format("x{}", i), network.names()[i], false, network.means()(at),
             network.noise()(at), graph);
  }
}

void add_edge(std::string from, std::string to, const char* kind, double value, double error,
              Graph& graph) {
  std::vector<Attribute> said;
  add_attribute(said, "value", kind, value);
  add_attribute(said, "error", "", error);
  graph.edges.push_back({std::move(from), std::move(to), kind, std::string(kind) != "covariance",
                         .4 + 2.6 * std::min(std::abs(value), 1.0),
                         value < 0 ? report::Sign::negative : report::Sign::none, std::move(said),
                         std::abs(value)});
}

/// Calls use(row, column) for the cells that are not 0, by columns.
template <class Use>
void for_each_cell(const MatrixXd& matrix, const Use& use) {
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) != 0) use(i, j);
    }
  }
}

/// Of the highest level first, then downwards.
void add_edges(const LearnedLinear& learned, Graph& graph) {
  const LinearNetwork& network = learned.network;
  const std::size_t top = network.upper().size();
  const MatrixXd& covariance = network.parts().covariance;
  for_each_cell(covariance, [&](Index i, Index j) {
    if (i >= j) return;
    const double error = top == 0 ? entry(learned.covariance_errors, i, j) : std::nan("");
    add_edge(hidden_id(top, i), hidden_id(top, j), "covariance", covariance(i, j), error, graph);
  });
  for (std::size_t level = top; level > 0; --level) {
    const MatrixXd& loadings = network.upper()[level - 1].loadings;
    for_each_cell(loadings, [&](Index i, Index j) {
      add_edge(hidden_id(level, j), hidden_id(level - 1, i), "loading", loadings(i, j),
               std::nan(""), graph);
    });
  }
  for_each_cell(network.coupling(), [&](Index i, Index j) {
    add_edge(hidden_id(0, j), hidden_id(0, i), "coupling", network.coupling()(i, j),
             entry(learned.coupling_errors, i, j), graph);
  });
  for_each_cell(network.loadings(), [&](Index i, Index j) {
    add_edge(hidden_id(0, j), fmt::format("x{}", i), "loading", network.loadings()(i, j),
             entry(learned.loading_errors, i, j), graph);
  });
}

}  // namespace

Graph graph(const LearnedLinear& learned) {
  Graph graph{.keys = {{"kind", "all", "kind", "string"},
                       {"name", "node", "name", "string"},
                       {"mean", "node", "mean", "double"},
                       {"noise", "node", "noise_variance", "double"},
                       {"value", "edge", "value", "double"},
                       {"error", "edge", "standard_error", "double"}}};
  add_nodes(learned.network, graph);
  add_edges(learned, graph);
  return graph;
}

std::string to_csv(const LearnedLinear& learned) { return strong_csv(learned, 0); }

std::string strong_csv(const LearnedLinear& learned, double least) {
  using report::csv_field;
  const LinearNetwork& network = learned.network;
  std::string out = "cause,observed,loading,loading_error\n";
  for_each_cell(network.loadings(), [&](Index i, Index j) {
    if (std::abs(network.loadings()(i, j)) < least) return;
    append_text(out, "{},{},{},{}\n", csv_field(network.cause_names()[static_cast<std::size_t>(j)]),
                csv_field(network.names()[static_cast<std::size_t>(i)]), network.loadings()(i, j),
                report::csv_number(entry(learned.loading_errors, i, j)));
  });
  return out;
}

}  // namespace orrery::linear
