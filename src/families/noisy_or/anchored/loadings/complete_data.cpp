#include "families/noisy_or/anchored/loadings/complete_data.hpp"

#include <algorithm>

#include "data/row_lists.hpp"
#include "families/noisy_or/anchored/loadings/family_likelihood.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "learning/noisy_labels.hpp"

namespace orrery::anchored {
namespace {

constexpr double start_failure = .9;
constexpr double start_leak = .05;
constexpr double pseudo_rows = .5;

std::vector<bool> anchors_of(const Observations& observed) {
  std::vector<bool> is_anchor(observed.n_observed(), false);
  for (const model::Anchor& anchor : observed.anchors) is_anchor[anchor.observed] = true;
  return is_anchor;
}

/// These edges; anchors have none, as their rates are known.
model::NoisyOrNetwork with_edges(const Observations& observed, const std::vector<CauseView>& views,
                                 const std::vector<std::vector<std::uint32_t>>& causes_of) {
  std::vector<model::Cause> causes;
  for (std::size_t i = 0; i < observed.n_causes(); ++i) {
    causes.push_back({observed.causes[i], views.front().sums->on()[i]});
  }
  std::vector<model::Observed> variables;
  std::vector<model::Edge> edges;
  for (std::uint32_t j = 0; j < observed.n_observed(); ++j) {
    variables.push_back({observed.names[j], start_leak});
    for (const std::uint32_t i : causes_of[j]) edges.push_back({i, j, start_failure});
  }
  return {model::NoisyOrNetwork(std::move(causes), std::move(variables), std::move(edges)),
          views.front().sums->network(),
          {}};
}

}  // namespace

Labels impute_labels(const learning::Workers& workers, const Observations& observed,
                     const NoiseRates& noise, const std::vector<std::size_t>& mains,
                     std::uint64_t seed) {
  std::vector<learning::NoisyLabel> labels;
  for (std::size_t cause = 0; cause < mains.size(); ++cause) {
    learning::NoisyLabel label;
    label.column = observed.anchors[mains[cause]].observed;
    label.off = noise.rates[mains[cause]].off;
    label.on = noise.rates[mains[cause]].on;
    for (const std::size_t other : observed.anchors_of(cause)) {
      label.left_out.push_back(observed.anchors[other].observed);
    }
    std::ranges::sort(label.left_out);
    labels.push_back(std::move(label));
  }
  const data::RowLists rows(observed.values, workers.threads);
  const auto classifiers =
      learning::train_noisy_labels(workers, rows, observed.n_observed(), labels);
  Labels imputed{"imputed labels",
                 learning::impute_causes(classifiers, rows, seed, workers.threads),
                 data::BitPanels(mains.size(), static_cast<std::size_t>(observed.n_samples))};
  imputed.known = every_row_on(mains.size(), static_cast<std::size_t>(observed.n_samples));
  return imputed;
}

AllLoadings fit_labelled(const learning::Workers& workers, const Observations& observed,
                         const std::vector<CauseView>& views, double alpha) {
  const std::size_t n = observed.n_causes();
  const std::size_t m = observed.n_observed();
  const std::vector<bool> is_anchor = anchors_of(observed);
  std::vector<std::vector<std::uint32_t>> causes_of(m);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::uint32_t i = 0; i < n && !is_anchor[j]; ++i) causes_of[j].push_back(i);
  }
  AllLoadings loadings;
  KnownFit fit;
  for (const bool again : {false, true}) {
    fit = fit_known_causes(workers, with_edges(observed, views, causes_of), observed.values,
                           observed.labels->values, pseudo_rows,
                           again ? "kept_loadings" : "loadings");
    if (again) break;
    std::vector<double> values(2 * n * m, 0);
    for (std::size_t v = 0; v < values.size(); v += 2) values[v] = 1;  // no edge
    for (std::size_t e = 0; e < fit.loadings.edges().size(); ++e) {
      const model::Edge& edge = fit.loadings.edges()[e];
      values[2 * (edge.observed * n + edge.cause)] = edge.failure;
      values[2 * (edge.observed * n + edge.cause) + 1] = fit.errors.failure[e];
    }
    causes_of = significant_edges(values, m, n, observed, alpha);
  }
  loadings.variables.resize(m);
  for (std::size_t j = 0; j < m; ++j) {
    loadings.variables[j].leak = is_anchor[j] ? 0 : fit.loadings.observed()[j].leak;
    loadings.variables[j].leak_error = is_anchor[j] ? 0 : fit.errors.leak[j];
  }
  for (std::size_t e = 0; e < fit.loadings.edges().size(); ++e) {
    const model::Edge& edge = fit.loadings.edges()[e];
    loadings.variables[edge.observed].edges.push_back(
        {edge.cause, edge.failure, fit.errors.failure[e]});
  }
  return loadings;
}

}  // namespace orrery::anchored
