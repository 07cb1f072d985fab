#include "families/noisy_or/quartet/refine/refined_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// P(a off) without parents, as leaks; kept away from 0 and 1.
model::NoisyOrNetwork independent(const learning::LearnContext& context) {
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    observed.push_back(
        {context.names[a], std::clamp(1 - context.moments.single(a), 1e-6, 1 - 1e-6)});
  }
  return {{}, std::move(observed), {}};
}

/// With the causes of `state` or the known ones; leaks are those of `state`, if it has any.
model::NoisyOrNetwork begun_network(Refinement& refinement, const State& state) {
  const Constraints& rules = refinement.rules;
  model::NoisyOrNetwork network = independent(refinement.context);
  const std::size_t m = network.n_observed();
  const auto add = [&](const model::Cause& cause, const std::vector<double>& failures,
                       std::size_t u) {
    const auto first = failures.begin() + static_cast<std::ptrdiff_t>(u * m);
    network = with(network, cause, {first, first + static_cast<std::ptrdiff_t>(m)});
  };
  if (state.causes.empty()) {
    for (std::size_t u = 0; u < rules.causes().size(); ++u) {
      add(rules.causes()[u], rules.failures(), u);
    }
  }
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const LearnedCause& learned = state.causes[u];
    const std::string name = learned.known >= 0
                                 ? rules.causes()[static_cast<std::size_t>(learned.known)].name
                                 : refinement.names.fresh("old");
    refinement.names.set_origin(name, learned.provenance);
    add({name, learned.prior}, state.failures, u);
  }
  if (state.leaks.empty()) return explain_leaks(network);
  std::vector<model::Observed> observed = network.observed();
  for (std::size_t a = 0; a < m; ++a) observed[a].leak = state.leaks[a];
  return {network.causes(), std::move(observed), network.edges()};
}

/// Number of the known cause of this name; -1 if it is none.
int known_number(const Constraints& rules, const std::string& name) {
  int known = -1;
  for (std::size_t k = 0; k < rules.causes().size(); ++k) {
    if (rules.causes()[k].name == name) known = static_cast<int>(k);
  }
  return known;
}

}  // namespace

model::NoisyOrNetwork first_network(Refinement& refinement, const State& state) {
  return refinement.rules.conform(begun_network(refinement, state));
}

void write_into(State& state, const Refinement& refinement) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const std::vector<model::Provenance> origins = refinement.names.provenance(network.causes());
  const model::StandardErrors errors = standard_errors(refinement.rows, network, refinement.prior);
  const auto known = [](double error) { return std::isnan(error) ? 0 : error; };
  const std::size_t m = network.n_observed();
  state.causes.clear();
  state.failures.assign(network.n_causes() * m, 1);
  state.failure_errors.assign(network.n_causes() * m, 0);
  state.leaks.clear();
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const model::Cause& cause = network.causes()[u];
    state.causes.push_back({cause.prior, origins[u], known(errors.prior[u]),
                            known_number(refinement.rules, cause.name)});
  }
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    state.failures[edge.cause * m + edge.observed] = edge.failure;
    state.failure_errors[edge.cause * m + edge.observed] = known(errors.failure[e]);
  }
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

}  // namespace orrery::quartet
