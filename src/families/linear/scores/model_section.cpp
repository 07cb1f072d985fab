// What a linear network says of itself.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "families/linear/network/strongest.hpp"
#include "families/linear/scores/sections.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::Entry;
using model::LearnedLinear;
using model::LinearNetwork;
using nlohmann::json;
using Names = std::vector<std::string>;

constexpr std::size_t listed_edges = 5;

/// NaN: not known.
double error_of(const MatrixXd& errors, Index row, Index column) {
  return errors.size() == 0 ? std::numeric_limits<double>::quiet_NaN() : errors(row, column);
}

/// "0.82 (+- 0.01)"
std::string with_error(double value, double error) {
  return std::isfinite(error) ? fmt::format("{:.3g} (+- {:.2g})", value, error)
                              : fmt::format("{:.3g}", value);
}

const std::string& name_of(const Names& names, Index i) {
  return names[static_cast<std::size_t>(i)];
}

/// A row per hidden variable, with its strongest edges to the level below.
void add_hidden(report::Table& table, const MatrixXd& loadings, const MatrixXd& errors,
                const Names& names, const Names& below) {
  for (Index j = 0; j < loadings.cols(); ++j) {
    const std::vector<Entry> edges = model::strongest(loadings.col(j));
    json strongest = json::array();
    std::string text;
    for (std::size_t e = 0; e < std::min(edges.size(), listed_edges); ++e) {
      const Entry& edge = edges[e];
      const double error = error_of(errors, edge.row, j);
      strongest.push_back({{"name", name_of(below, edge.row)},
                           {"loading", edge.value},
                           {"error", report::finite_or_null(error)}});
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(below, edge.row),
                          with_error(edge.value, error));
    }
    if (edges.size() > listed_edges) text += ", ...";
    const std::string& name = name_of(names, j);
    table.row()
        .tell("name", name, "cause", name)
        .tell("edges", edges.size(), "edges", fmt::format("{}", edges.size()))
        .tell("strongest", std::move(strongest), "strongest edges", text);
  }
}

/// Couplings of the causes, else their covariances, of each pair once.
void add_dependence(report::Section& section, const LearnedLinear& learned, bool shown) {
  const LinearNetwork& network = learned.network;
  const auto& upper = network.upper();
  const bool coupled = network.has_coupling();
  const MatrixXd pairs = network.parts().covariance.triangularView<Eigen::StrictlyLower>();
  const Names& names = coupled || upper.empty() ? network.cause_names() : upper.back().names;
  const MatrixXd none;
  const MatrixXd& errors = coupled         ? learned.coupling_errors
                           : upper.empty() ? learned.covariance_errors
                                           : none;
  const char* title = coupled         ? "Couplings"
                      : upper.empty() ? "Covariances of causes"
                                      : "Covariances of the highest level";
  report::Table& table = section.table(coupled ? "couplings" : "covariances", shown ? title : "");
  table.most_shown = 10;
  for (const Entry& entry : model::strongest(coupled ? network.coupling() : pairs)) {
    const double error = error_of(errors, entry.row, entry.column);
    const std::string& from = name_of(names, entry.column);
    const std::string& to = name_of(names, entry.row);
    table.row()
        .tell("from", from, coupled ? "from" : "cause", from)
        .tell("to", to, coupled ? "to" : "and", to)
        .tell("value", entry.value, "value", with_error(entry.value, error))
        .data("error", report::finite_or_null(error));
  }
}

void add_levels(report::Section& section, const LinearNetwork& network, bool shown) {
  if (network.upper().empty()) return;
  json levels = json::array();
  const Names* below = &network.cause_names();
  for (const model::UpperLevel& level : network.upper()) {
    report::Table& table =
        section.table("", shown ? fmt::format("Level {} above the causes", levels.size() + 1) : "");
    add_hidden(table, level.loadings, {}, level.names, *below);
    levels.push_back(report::rows_json(table));
    below = &level.names;
  }
  section.data("levels", std::move(levels));
}

void add_rank_test(report::Section& section, const std::vector<model::RankStep>& steps,
                   bool shown) {
  if (steps.empty()) return;
  report::Table& table = section.table("rank_test", shown ? "Rank test" : "",
                                       "what a rank leaves, and what is expected if it holds");
  for (const model::RankStep& step : steps) {
    table.row()
        .tell("rank", step.rank, "rank", fmt::format("{}", step.rank))
        .tell("statistic", report::finite_or_null(step.statistic), "statistic",
              fmt::format("{:.3g}", step.statistic))
        .tell("expected", report::finite_or_null(step.expected), "expected",
              with_error(step.expected, step.error))
        .data("error", report::finite_or_null(step.error));
  }
}

}  // namespace

void add_model(report::Section& section, const LearnedLinear& learned, bool shown) {
  const LinearNetwork& network = learned.network;
  add_hidden(section.table("causes", shown ? "Causes" : ""), network.loadings(),
             learned.loading_errors, network.cause_names(), network.names());
  add_dependence(section, learned, shown);
  add_levels(section, network, shown);
  add_rank_test(section, learned.rank_test, shown);
}

}  // namespace orrery::linear
