#include "families/noisy_or/anchored/assemble.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::anchored {
namespace {

/// P(A = 0 | Y = 1) = (1 - leak) failure.
model::Edge anchor_edge(const model::Anchor& anchor, const model::AnchorRates& rates) {
  return {anchor.cause, anchor.observed, (1 - rates.on) / (1 - rates.off)};
}

double anchor_edge_error(const model::AnchorRates& rates) {
  const double by_on = rates.on_error / (1 - rates.off);
  const double by_off = rates.off_error * (1 - rates.on) / ((1 - rates.off) * (1 - rates.off));
  return std::hypot(by_on, by_off);
}

/// Edges with errors, which must keep their order together.
struct Edges {
  std::vector<model::Edge> edges;
  std::vector<double> errors;

  void add(const model::Edge& edge, double error) {
    if (!(edge.failure < 1)) return;  // no edge
    edges.push_back(edge);
    errors.push_back(error);
  }
  [[nodiscard]] double error_of(const model::Edge& edge) const {
    const auto found = std::ranges::find_if(edges, [&](const model::Edge& e) {
      return e.cause == edge.cause && e.observed == edge.observed;
    });
    return errors[static_cast<std::size_t>(found - edges.begin())];
  }
};

}  // namespace

model::LearnedModel assemble(const Observations& observed, const NoiseRates& noise,
                             const std::vector<CauseView>& views, const AllLoadings& loadings) {
  model::LearnedModel learned;
  std::vector<model::Cause> causes;
  for (std::size_t i = 0; i < observed.n_causes(); ++i) {
    std::vector<double> priors;
    for (const CauseView& view : views) priors.push_back(view.sums->on()[i]);
    causes.push_back({observed.causes[i], priors[0]});
    learned.errors.prior.push_back(jackknife_error(priors));
  }
  std::vector<model::Observed> variables;
  Edges edges;
  for (std::size_t j = 0; j < observed.n_observed(); ++j) {
    const VariableLoadings& variable = loadings.variables[j];
    variables.push_back({observed.names[j], variable.leak});
    learned.errors.leak.push_back(variable.leak_error);
    for (const Loading& loading : variable.edges) {
      edges.add({loading.cause, static_cast<std::uint32_t>(j), loading.failure}, loading.error);
    }
  }
  for (std::size_t a = 0; a < observed.anchors.size(); ++a) {
    const model::Anchor& anchor = observed.anchors[a];
    variables[anchor.observed].leak = noise.rates[a].off;
    learned.errors.leak[anchor.observed] = noise.rates[a].off_error;
    edges.add(anchor_edge(anchor, noise.rates[a]), anchor_edge_error(noise.rates[a]));
  }
  learned.network = model::NoisyOrNetwork(
      model::NoisyOrNetwork(std::move(causes), std::move(variables), edges.edges),
      views.front().sums->network(), observed.anchors);
  for (const model::Edge& edge : learned.network.edges()) {
    learned.errors.failure.push_back(edges.error_of(edge));
  }
  // The network sorts its anchors.
  for (const model::Anchor& anchor : learned.network.anchors()) {
    const auto place = std::ranges::find(observed.anchors, anchor) - observed.anchors.begin();
    learned.rates.push_back(noise.rates[static_cast<std::size_t>(place)]);
  }
  learned.learner = "anchored";
  learned.data_digest = observed.digest;
  learned.n_samples = observed.n_samples;
  return learned;
}

}  // namespace orrery::anchored
