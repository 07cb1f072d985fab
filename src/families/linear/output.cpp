#include "families/linear/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/printing.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/network/strongest.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::Entry;
using model::LearnedLinear;
using model::LinearNetwork;
using nlohmann::json;

constexpr std::size_t listed_linear_causes = 40;
constexpr std::size_t listed_edges = 5;
constexpr std::size_t listed_dependences = 10;

/// NaN: not known.
double error_of(const MatrixXd& errors, Index row, Index column) {
  return errors.size() == 0 ? std::numeric_limits<double>::quiet_NaN() : errors(row, column);
}

/// "0.82 (+- 0.01)"
std::string describe_value(double value, double error) {
  return std::isfinite(error) ? fmt::format("{:.3g} (+- {:.2g})", value, error)
                              : fmt::format("{:.3g}", value);
}

/// What stands for the dependence among causes: couplings, else covariances of pairs.
struct Dependence {
  const char* title;   // in text
  const char* member;  // in JSON
  const char* arrow;
  const std::vector<std::string>* names;
  const MatrixXd* errors;
  std::vector<Entry> entries;  // column to row
};

Dependence dependence_of(const LearnedLinear& learned) {
  static const MatrixXd none;
  const LinearNetwork& network = learned.network;
  const auto& upper = network.upper();
  if (network.has_coupling()) {
    return {"couplings",
            "couplings",
            " -> ",
            &network.cause_names(),
            &learned.coupling_errors,
            model::strongest(network.coupling())};
  }
  // Of each pair once: the lower triangle.
  const MatrixXd pairs = network.parts().covariance.triangularView<Eigen::StrictlyLower>();
  return {upper.empty() ? "covariances of causes" : "covariances of the highest level",
          "covariances",
          " - ",
          upper.empty() ? &network.cause_names() : &upper.back().names,
          upper.empty() ? &learned.covariance_errors : &none,
          model::strongest(pairs)};
}

const std::string& name_of(const std::vector<std::string>& names, Index i) {
  return names[static_cast<std::size_t>(i)];
}

json dependence_json(const Dependence& dependence) {
  json list = json::array();
  for (const Entry& entry : dependence.entries) {
    list.push_back(
        {{"from", name_of(*dependence.names, entry.column)},
         {"to", name_of(*dependence.names, entry.row)},
         {"value", entry.value},
         {"error", cli::finite_or_null(error_of(*dependence.errors, entry.row, entry.column))}});
  }
  return list;
}

std::string describe_dependence(const Dependence& dependence) {
  if (dependence.entries.empty()) return "";
  std::string text = fmt::format("{}:\n", dependence.title);
  for (std::size_t e = 0; e < std::min(dependence.entries.size(), listed_dependences); ++e) {
    const Entry& entry = dependence.entries[e];
    text += fmt::format(
        "  {}{}{} {}\n", name_of(*dependence.names, entry.column), dependence.arrow,
        name_of(*dependence.names, entry.row),
        describe_value(entry.value, error_of(*dependence.errors, entry.row, entry.column)));
  }
  if (dependence.entries.size() > listed_dependences) {
    text += fmt::format("  ... {} more\n", dependence.entries.size() - listed_dependences);
  }
  return text;
}

/// Edges of hidden variable `column`, the strongest first.
struct Edges {
  std::size_t n = 0;
  std::vector<Entry> first;
};
Edges edges_of(const MatrixXd& loadings, Index column) {
  Edges edges;
  edges.first = model::strongest(loadings.col(column));
  edges.n = edges.first.size();
  edges.first.resize(std::min(edges.n, listed_edges));
  return edges;
}

json hidden_json(const MatrixXd& loadings, const MatrixXd& errors,
                 const std::vector<std::string>& names, const std::vector<std::string>& below) {
  json list = json::array();
  for (Index j = 0; j < loadings.cols(); ++j) {
    const Edges edges = edges_of(loadings, j);
    json strongest = json::array();
    for (const Entry& entry : edges.first) {
      strongest.push_back({{"name", name_of(below, entry.row)},
                           {"loading", entry.value},
                           {"error", cli::finite_or_null(error_of(errors, entry.row, j))}});
    }
    list.push_back(
        {{"name", name_of(names, j)}, {"edges", edges.n}, {"strongest", std::move(strongest)}});
  }
  return list;
}

std::string describe_hidden(const MatrixXd& loadings, const MatrixXd& errors,
                            const std::vector<std::string>& names,
                            const std::vector<std::string>& below) {
  std::string text;
  for (Index j = 0; j < std::min<Index>(loadings.cols(), listed_linear_causes); ++j) {
    const Edges edges = edges_of(loadings, j);
    std::string list;
    for (const Entry& entry : edges.first) {
      list += fmt::format("{} {} {}", list.empty() ? ":" : ",", name_of(below, entry.row),
                          describe_value(entry.value, error_of(errors, entry.row, j)));
    }
    text += fmt::format("  {:12} {} edge{}{}{}\n", name_of(names, j), edges.n,
                        edges.n == 1 ? "" : "s", list, edges.n > edges.first.size() ? ", ..." : "");
  }
  if (names.size() > listed_linear_causes) {
    text += fmt::format("  ... {} more\n", names.size() - listed_linear_causes);
  }
  return text;
}

json levels_json(const LinearNetwork& network) {
  json levels = json::array();
  const std::vector<std::string>* below = &network.cause_names();
  for (const model::UpperLevel& level : network.upper()) {
    levels.push_back(hidden_json(level.loadings, {}, level.names, *below));
    below = &level.names;
  }
  return levels;
}

std::string describe_levels(const LinearNetwork& network) {
  std::string text;
  const std::vector<std::string>* below = &network.cause_names();
  for (std::size_t level = 0; level < network.upper().size(); ++level) {
    const model::UpperLevel& upper = network.upper()[level];
    text += fmt::format("level {} above the causes:\n{}", level + 1,
                        describe_hidden(upper.loadings, {}, upper.names, *below));
    below = &upper.names;
  }
  return text;
}

json rank_test_json(const std::vector<model::RankStep>& steps) {
  json list = json::array();
  for (const model::RankStep& step : steps) {
    list.push_back({{"rank", step.rank},
                    {"statistic", cli::finite_or_null(step.statistic)},
                    {"expected", cli::finite_or_null(step.expected)},
                    {"error", cli::finite_or_null(step.error)}});
  }
  return list;
}

std::string describe_rank_test(const std::vector<model::RankStep>& steps) {
  std::string text = steps.empty() ? "" : "rank test (what a rank leaves; expected if it holds):\n";
  for (const model::RankStep& step : steps) {
    text += fmt::format("  rank {:<4} {:<10.3g} expected {}\n", step.rank, step.statistic,
                        describe_value(step.expected, step.error));
  }
  return text;
}

}  // namespace

json linear_json(const LearnedLinear& learned) {
  const LinearNetwork& network = learned.network;
  json object = info_json(learned);
  object["causes"] = hidden_json(network.loadings(), learned.loading_errors, network.cause_names(),
                                 network.names());
  const Dependence dependence = dependence_of(learned);
  object[dependence.member] = dependence_json(dependence);
  if (!network.upper().empty()) object["levels"] = levels_json(network);
  if (!learned.rank_test.empty()) object["rank_test"] = rank_test_json(learned.rank_test);
  if (!learned.remarks.empty()) object["remarks"] = learned.remarks;
  return object;
}

std::string describe_linear(const LearnedLinear& learned, bool in_full) {
  const LinearNetwork& network = learned.network;
  std::string text = describe_info(info_json(learned));
  if (in_full) {
    text += describe_hidden(network.loadings(), learned.loading_errors, network.cause_names(),
                            network.names()) +
            describe_dependence(dependence_of(learned)) + describe_levels(network) +
            describe_rank_test(learned.rank_test);
  }
  for (const std::string& remark : learned.remarks) text += fmt::format("remark: {}\n", remark);
  return text;
}

}  // namespace orrery::linear
