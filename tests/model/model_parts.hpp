// All that a learned model holds, part by part, as text: numbers to the last bit, every NaN alike.
// Two models are the same if their parts are.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

using Parts = std::vector<std::pair<std::string, std::string>>;

inline std::string text_of(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value == 0 ? 0 : value);
}
inline std::string text_of(std::integral auto value) { return fmt::format("{}", value); }
inline std::string text_of(const std::string& text) { return fmt::format("\"{}\"", text); }
template <class Range>
requires std::ranges::sized_range<Range> &&
    (!requires(const Range& range) { range.rows(); })std::string text_of(const Range& range);
inline std::string text_of(const Eigen::MatrixXd& matrix);  // or a vector, as one column
template <class... Values>
std::string texts_of(const Values&... values) {
  std::string out;
  ((out += text_of(values) + ", "), ...);
  return "(" + out + ")";
}

inline std::string text_of(const Cause& cause) { return texts_of(cause.name, cause.prior); }
inline std::string text_of(const Observed& one) { return texts_of(one.name, one.leak); }
inline std::string text_of(const Edge& e) { return texts_of(e.cause, e.observed, e.failure); }
inline std::string text_of(const CauseTable& table) { return texts_of(table.parents, table.on); }
inline std::string text_of(const Anchor& anchor) {
  return texts_of(anchor.cause, anchor.observed, anchor.columns);
}
inline std::string text_of(const Provenance& from) {
  return texts_of(from.depth, from.quartet, from.statistic, from.statistic_error, from.support);
}
inline std::string text_of(const AnchorRates& rates) {
  return texts_of(rates.off, rates.on, rates.off_error, rates.on_error, rates.source);
}
inline std::string text_of(const TreeEdge& edge) { return texts_of(edge.a, edge.b, edge.moment); }
inline std::string text_of(const Eigen::MatrixXd& matrix) {
  return texts_of(matrix.rows(), matrix.cols(),
                  std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
}
inline std::string text_of(const UpperLevel& level) {
  return texts_of(level.names, level.loadings, level.noise);
}
inline std::string text_of(const RankStep& step) {
  return texts_of(step.rank, step.statistic, step.expected, step.error);
}
inline std::string text_of(const CategoricalCause& c) { return texts_of(c.name, c.prior); }
inline std::string text_of(const CategoricalVariable& one) {
  return texts_of(one.name, one.categories, one.parents, one.table, one.counts);
}
inline std::string text_of(const StructureMode& mode) {
  return texts_of(mode.variable, mode.parents, mode.log_evidence);
}
inline std::string text_of(const LearnedCategorical::Choice& choice) {
  return texts_of(choice.n_causes, choice.held_out, choice.error);
}
inline std::string text_of(const Origin& from) {
  return texts_of(from.learner, from.data_digest, from.n_samples, from.remarks);
}

template <class Range>
requires std::ranges::sized_range<Range> &&
    (!requires(const Range& range) { range.rows(); })std::string text_of(const Range& range) {
  std::string out;
  for (const auto& item : range) out += text_of(item) + ", ";
  return "[" + out + "]";
}

inline Parts parts_of(const LearnedModel& model) {
  const NoisyOrNetwork& network = model.network;
  return {
      {"causes", text_of(network.causes())},
      {"observed", text_of(network.observed())},
      {"edges", text_of(network.edges())},
      {"tables of causes", text_of(network.cause_network().tables())},
      {"anchors", text_of(network.anchors())},
      {"provenance", text_of(model.provenance)},
      {"errors", texts_of(model.errors.prior, model.errors.leak, model.errors.failure)},
      {"stability",
       texts_of(model.stability.resamples, model.stability.cause, model.stability.edge)},
      {"fit", texts_of(model.fit.misfit, model.fit.n_held_out, model.fit.network, model.fit.tree,
                       model.fit.independent, model.fit.mixture, model.fit.n_kinds)},
      {"rates", text_of(model.rates)},
      {"moments",
       texts_of(model.moments.n_variables(), model.moments.order(), model.moments.cells())},
      {"origin", text_of(static_cast<const Origin&>(model))}};
}

inline Parts parts_of(const LearnedTree& learned) {
  return {{"names", text_of(learned.tree.names())},
          {"means", text_of(learned.tree.means())},
          {"edges", text_of(learned.tree.edges())},
          {"errors of edges", text_of(learned.edge_errors)},
          {"crossover", texts_of(learned.tree.crossover(), learned.crossover_error)},
          {"origin", text_of(static_cast<const Origin&>(learned))}};
}

inline Parts parts_of(const LinearNetwork& network) {
  return {{"names", texts_of(network.names(), network.cause_names())},
          {"means", text_of(network.means())},
          {"loadings", text_of(network.loadings())},
          {"noise", text_of(network.noise())},
          {"covariance", texts_of(network.covariance(), network.parts().covariance)},
          {"coupling", texts_of(network.coupling(), network.innovation())},
          {"law", text_of(static_cast<int>(network.law()))},
          {"levels", text_of(network.upper())}};
}

inline Parts parts_of(const LearnedLinear& learned) {
  Parts parts = parts_of(learned.network);
  parts.emplace_back("estimates", text_of(learned.estimates));
  parts.emplace_back("errors", texts_of(learned.loading_errors, learned.covariance_errors,
                                        learned.coupling_errors, learned.noise_errors));
  parts.emplace_back("rank test", text_of(learned.rank_test));
  parts.emplace_back("origin", text_of(static_cast<const Origin&>(learned)));
  return parts;
}

inline Parts parts_of(const LearnedCategorical& learned) {
  return {{"causes", text_of(learned.network.causes())},
          {"variables", text_of(learned.network.variables())},
          {"structure", texts_of(learned.parent_sets, learned.structure)},
          {"modes", text_of(learned.modes)},
          {"choices", text_of(learned.choices)},
          {"evidence", texts_of(learned.log_evidence, learned.evidence_kind)},
          {"origin", text_of(static_cast<const Origin&>(learned))}};
}

}  // namespace orrery::model
