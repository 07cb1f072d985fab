#include "families/noisy_or/quartet/signatures/signature_network.hpp"

#include <algorithm>
#include <utility>

#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {

const std::string& rule_name(const Constraints& rules, const State& state, std::size_t u) {
  static const std::string any = "*";
  const int known = state.causes[u].known;
  return known < 0 ? any : rules.causes()[static_cast<std::size_t>(known)].name;
}

model::NoisyOrNetwork found_network(const learning::LearnContext& context, const Constraints& rules,
                                    const State& state) {
  const std::size_t m = context.names.size();
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < state.causes.size(); ++u) {
    causes.push_back({rule_name(rules, state, u), state.causes[u].prior});
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = state.failures[u * m + a];
      if (failure < 1) edges.push_back({u, a, std::clamp(failure, .01, .98)});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < m; ++a) {
    const double on = 1 - context.moments.single(a);
    observed.push_back({context.names[a], std::clamp(on, 1e-6, 1 - 1e-6)});
  }
  return explain_leaks(rules.conform({std::move(causes), std::move(observed), std::move(edges)}));
}

model::NoisyOrNetwork refined_network(const learning::LearnContext& context,
                                      const Constraints& rules, const State& state) {
  const std::size_t m = context.names.size();
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < state.causes.size(); ++u) {
    causes.push_back({rule_name(rules, state, u), state.causes[u].prior});
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = state.failures[u * m + a];
      if (failure < 1) edges.push_back({u, a, failure});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < m; ++a) observed.push_back({context.names[a], state.leaks[a]});
  return rules.conform({std::move(causes), std::move(observed), std::move(edges)});
}

void into(const model::NoisyOrNetwork& network, const std::vector<std::size_t>& needed,
          State& state) {
  const std::size_t m = network.n_observed();
  std::vector<LearnedCause> causes;
  std::size_t n_before = 0;
  std::size_t n_before_last = 0;
  for (const std::size_t u : needed) {
    causes.push_back(state.causes[u]);
    causes.back().prior = network.causes()[u].prior;
    n_before += u < state.n_before ? 1 : 0;
    n_before_last += u < state.n_before_last ? 1 : 0;
  }
  state.causes = std::move(causes);
  state.n_before = n_before;
  state.n_before_last = n_before_last;
  state.failures.assign(needed.size() * m, 1);
  state.failure_errors.assign(needed.size() * m, 0);  // not known
  for (std::size_t k = 0; k < needed.size(); ++k) {
    for (const model::Edge& edge : network.children(needed[k])) {
      state.failures[k * m + edge.observed] = edge.failure;
    }
  }
  state.leaks.clear();
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

}  // namespace orrery::quartet
