// A linear network in the formats of other tools. Nodes are x0, x1, ... (observed), c0, c1, ...
// (causes), u1_0, u1_1, ... (levels above them), so that any name is a label only. What has no
// direction, the covariances of the highest level, are edges without one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "orrery/base/text.hpp"
#include "report/export_formats.hpp"
#include "report/export_text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::LearnedLinear;
using model::LinearNetwork;

constexpr const char* linear_graphml_head = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="kind" for="all" attr.name="kind" attr.type="string"/>
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="mean" for="node" attr.name="mean" attr.type="double"/>
  <key id="noise" for="node" attr.name="noise_variance" attr.type="double"/>
  <key id="value" for="edge" attr.name="value" attr.type="double"/>
  <key id="error" for="edge" attr.name="standard_error" attr.type="double"/>
  <graph id="orrery" edgedefault="directed">
)";

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

double entry(const MatrixXd& errors, Index row, Index column) {
  return errors.size() == 0 ? not_known : errors(row, column);
}

struct Node {
  std::string id;
  const char* kind;  // "observed" or "hidden"
  const std::string* name;
  double mean;   // NaN: none of its own
  double noise;  // variance given its parents; NaN: none of its own
};
struct Arrow {
  std::string from;
  std::string to;
  const char* kind;  // "loading", "coupling" or "covariance" (which has no direction)
  double value;
  double error;  // NaN: not known
};

std::string hidden_id(std::size_t level, Index j) {
  return level == 0 ? fmt::format("c{}", j) : fmt::format("u{}_{}", level, j);
}

void for_each_hidden(const LinearNetwork& network, const std::function<void(const Node&)>& visit) {
  const auto& upper = network.upper();
  for (std::size_t level = upper.size() + 1; level-- > 0;) {
    const auto& names = level == 0 ? network.cause_names() : upper[level - 1].names;
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto at = static_cast<Index>(j);
      double noise = not_known;
      if (level < upper.size()) noise = upper[level].noise(at);
      if (network.has_coupling()) noise = network.innovation()(at);
      visit({hidden_id(level, at), "hidden", &names[j], not_known, noise});
    }
  }
}

void for_each_observed(const LinearNetwork& network,
                       const std::function<void(const Node&)>& visit) {
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const auto at = static_cast<Index>(i);
    visit({fmt::format("x{}", i), "observed", &network.names()[i], network.means()(at),
           network.noise()(at)});
  }
}

/// Arrows of the highest level first, then downwards.
void for_each_arrow(const LearnedLinear& learned, const std::function<void(const Arrow&)>& visit) {
  const LinearNetwork& network = learned.network;
  const std::size_t top = network.upper().size();
  const MatrixXd& covariance = network.parts().covariance;
  const MatrixXd none;
  for (Index j = 0; j < covariance.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      if (covariance(i, j) == 0) continue;
      visit({hidden_id(top, i), hidden_id(top, j), "covariance", covariance(i, j),
             entry(top == 0 ? learned.covariance_errors : none, i, j)});
    }
  }
  for (std::size_t level = top; level > 0; --level) {
    const MatrixXd& loadings = network.upper()[level - 1].loadings;
    for (Index j = 0; j < loadings.cols(); ++j) {
      for (Index i = 0; i < loadings.rows(); ++i) {
        if (loadings(i, j) == 0) continue;
        visit({hidden_id(level, j), hidden_id(level - 1, i), "loading", loadings(i, j), not_known});
      }
    }
  }
  const MatrixXd& coupling = network.coupling();
  for (Index j = 0; j < coupling.cols(); ++j) {
    for (Index i = 0; i < coupling.rows(); ++i) {
      if (coupling(i, j) == 0) continue;
      visit({hidden_id(0, j), hidden_id(0, i), "coupling", coupling(i, j),
             entry(learned.coupling_errors, i, j)});
    }
  }
  const MatrixXd& loadings = network.loadings();
  for (Index j = 0; j < loadings.cols(); ++j) {
    for (Index i = 0; i < loadings.rows(); ++i) {
      if (loadings(i, j) == 0) continue;
      visit({hidden_id(0, j), fmt::format("x{}", i), "loading", loadings(i, j),
             entry(learned.loading_errors, i, j)});
    }
  }
}

bool has_direction(const Arrow& arrow) { return std::string_view(arrow.kind) != "covariance"; }

}  // namespace

std::string linear_to_csv(const LearnedLinear& learned) {
  const LinearNetwork& network = learned.network;
  std::string out = "cause,observed,loading,loading_error\n";
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    for (std::size_t i = 0; i < network.n_observed(); ++i) {
      const auto row = static_cast<Index>(i);
      const auto column = static_cast<Index>(j);
      if (network.loadings()(row, column) == 0) continue;
      append_text(out, "{},{},{},{}\n", csv_field(network.cause_names()[j]),
                  csv_field(network.names()[i]), network.loadings()(row, column),
                  csv_number(entry(learned.loading_errors, row, column)));
    }
  }
  return out;
}

std::string linear_to_dot(const LearnedLinear& learned) {
  std::string out = "digraph orrery {\n  rankdir=TB;\n  node [shape=ellipse];\n";
  const auto add_node = [&](const Node& node) {
    append_text(out, "  {} [label={}", node.id, dot_string(*node.name));
    if (std::isfinite(node.mean)) {
      append_text(out, ", mean=\"{}\"", node.mean);
    }
    if (std::isfinite(node.noise)) {
      append_text(out, ", noise=\"{}\"", node.noise);
    }
    out += "];\n";
  };
  for_each_hidden(learned.network, add_node);
  out += "  node [shape=box];\n";
  for_each_observed(learned.network, add_node);
  for_each_arrow(learned, [&](const Arrow& arrow) {
    append_text(out, "  {} -> {} [{}=\"{}\", penwidth={:.2f}{}{}];\n", arrow.from, arrow.to,
                arrow.kind, arrow.value, .4 + 2.6 * std::min(std::abs(arrow.value), 1.0),
                arrow.value < 0 ? ", color=red, style=dashed" : "",
                has_direction(arrow) ? "" : ", dir=none, constraint=false");
  });
  return out + "}\n";
}

std::string linear_to_graphml(const LearnedLinear& learned) {
  std::string out = linear_graphml_head;
  const auto add_node = [&](const Node& node) {
    append_text(out,
                "    <node id=\"{}\"><data key=\"kind\">{}</data><data key=\"name\">{}</data>"
                "{}{}</node>\n",
                node.id, node.kind, escape(*node.name), data_field("mean", node.mean),
                data_field("noise", node.noise));
  };
  for_each_hidden(learned.network, add_node);
  for_each_observed(learned.network, add_node);
  for_each_arrow(learned, [&](const Arrow& arrow) {
    append_text(out,
                "    <edge source=\"{}\" target=\"{}\"{}><data key=\"kind\">{}</data>{}{}"
                "</edge>\n",
                arrow.from, arrow.to, has_direction(arrow) ? "" : " directed=\"false\"", arrow.kind,
                data_field("value", arrow.value), data_field("error", arrow.error));
  });
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace orrery::report
