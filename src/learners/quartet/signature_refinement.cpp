#include "learners/quartet/signature_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "learners/quartet/cause_parts.hpp"
#include "learners/quartet/constraints.hpp"
#include "learners/quartet/network_edits.hpp"
#include "learners/quartet/sparse_expectation.hpp"
#include "orrery/base/log.hpp"

namespace orrery::quartet {
namespace {

// First steps need no more rows.
constexpr std::uint64_t first_step_rows = 125'000;

// What an edge that stays must be worth, nats; else some would come and go.
constexpr double least_worth = 1;

// The last passes: at most so many, while one gains so much: nats over all rows, for
// each 1,000 parameters.
constexpr int most_settling_passes = 45;
constexpr double settled = .05;

/// Of cause u: rules are by name, and a cause that nobody knew is any.
const std::string& rule_name(const Constraints& rules, const State& state, std::size_t u) {
  static const std::string any = "*";
  const int known = state.causes[u].known;
  return known < 0 ? any : rules.causes()[static_cast<std::size_t>(known)].name;
}

model::NoisyOrNetwork network_of(const learners::LearnContext& context, const Constraints& rules,
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

/// Rows of a binomial: log-likelihood ratio of its own share against `other`.
double binomial_ratio(double on, double n, double other) {
  const double share = std::clamp(on / n, 1e-9, 1 - 1e-9);
  const double against = std::clamp(other, 1e-9, 1 - 1e-9);
  return n * (share * std::log(share / against) +
              (1 - share) * (std::log1p(-share) - std::log1p(-against)));
}

/// P(a off | cause u present) as everything but u makes it: m.
std::vector<double> off_beside(const model::NoisyOrNetwork& network, const SparseExpectation& found,
                               std::size_t u) {
  std::vector<double> off;
  for (const model::Observed& observed : network.observed()) off.push_back(1 - observed.leak);
  const std::size_t n = network.n_causes();
  for (std::size_t v = 0; v < n; ++v) {
    const double both = found.together[u * n + v] / std::max(found.expected.present[u], 1.0);
    if (v == u || both == 0) continue;
    for (const model::Edge& edge : network.children(v)) {
      off[edge.observed] *= 1 - both * (1 - edge.failure);
    }
  }
  return off;
}

/// Causes that come together more often than chance has it.
bool together(const SparseExpectation& found, std::size_t u, std::size_t v) {
  const std::vector<double>& present = found.expected.present;
  const double both = found.together[u * present.size() + v];
  const double expected = present[u] * present[v] / found.expected.n_rows;
  return both - expected > 3 * std::sqrt(expected) && both > 1.5 * expected;
}

/// What each edge gains, nats.
std::vector<double> edge_gains(const model::NoisyOrNetwork& network,
                               const SparseExpectation& found) {
  std::vector<double> gains;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const std::vector<double> off = off_beside(network, found, u);
    for (const model::Edge& edge : network.children(u)) {
      const std::size_t e = gains.size();
      const double present = found.expected.present[u] - found.expected.unseen[e];
      const double on = found.on_with[e];
      const double expected = present * (1 - off[edge.observed]);
      gains.push_back(on > expected ? binomial_ratio(on, present, expected / present) : 0);
    }
  }
  return gains;
}

/// Without edges that are not worth their cost, with those that are missing.
model::NoisyOrNetwork tidy(const model::NoisyOrNetwork& network, const SparseExpectation& found,
                           const Constraints& rules) {
  const std::vector<double> gains = edge_gains(network, found);
  std::vector<model::Edge> edges;
  for (std::size_t e = 0; e < gains.size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    const bool pays = gains[e] + signature_failure_prior.log_density(edge.failure) >= least_worth;
    if (pays || !rules.may_drop(network.causes()[edge.cause].name, edge.observed)) {
      edges.push_back(edge);
    }
  }
  const std::size_t n_dropped = network.edges().size() - edges.size();
  // Of a variable, no two causes that could stand for each other.
  std::vector<model::Edge> added;
  for (const MissingEdge& missing : found.missing) {
    const bool doubtful = std::ranges::any_of(added, [&](const model::Edge& edge) {
      return edge.observed == missing.edge.observed &&
             together(found, edge.cause, missing.edge.cause);
    });
    const std::string& cause = network.causes()[missing.edge.cause].name;
    if (!doubtful && rules.may_add(cause, missing.edge.observed)) added.push_back(missing.edge);
  }
  edges.insert(edges.end(), added.begin(), added.end());
  log::verbose("{} edges dropped, {} added of {}", n_dropped, added.size(), found.missing.size());
  return {network.causes(), network.observed(), std::move(edges)};
}

std::vector<std::size_t> needed_causes(const model::NoisyOrNetwork& network,
                                       const SparseExpectation& found, double cause_cost,
                                       const Constraints& rules) {
  constexpr double least_rows = 4;
  std::vector<std::size_t> needed;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto n_edges = static_cast<double>(network.children(u).size());
    const double cost = cause_cost + n_edges * edge_cost;
    const bool pays = network.children(u).size() >= least_children &&
                      -found.without_cause[u] > cost && found.expected.present[u] > least_rows;
    if (pays || rules.is_fixed(network.causes()[u].name)) {
      needed.push_back(u);
    }
  }
  return needed;
}

/// Of `needed`, those that owe at least half of their gain to edges that gain what refinement of
/// few causes asks of them (em.hpp): a cause of a hundred edges, each worth little more than its
/// cost here, is what chance makes of many columns.
std::vector<std::size_t> clear_causes(const model::NoisyOrNetwork& network,
                                      const SparseExpectation& found, const Penalty& penalty,
                                      const std::vector<std::size_t>& needed,
                                      const Constraints& rules) {
  const std::vector<double> gains = edge_gains(network, found);
  std::vector<double> worth(network.n_causes(), 0);
  for (std::size_t e = 0; e < gains.size(); ++e) {
    worth[network.edges()[e].cause] += std::max(gains[e] - penalty.edge, 0.0);
  }
  std::vector<std::size_t> clear;
  std::ranges::copy_if(needed, std::back_inserter(clear), [&](std::size_t u) {
    return worth[u] > std::max(penalty.cause, -found.without_cause[u] / 2) ||
           rules.is_fixed(network.causes()[u].name);
  });
  return clear;
}

/// Cosine of the strengths of two causes.
double likeness(const model::NoisyOrNetwork& network, std::size_t u, std::size_t v) {
  double both = 0;
  double here = 0;
  double there = 0;
  for (const model::Edge& edge : network.children(u)) {
    const double strength = 1 - edge.failure;
    here += strength * strength;
    both += strength * (1 - network.failure(static_cast<std::uint32_t>(v), edge.observed));
  }
  for (const model::Edge& edge : network.children(v)) {
    there += (1 - edge.failure) * (1 - edge.failure);
  }
  return both > 0 ? both / std::sqrt(here * there) : 0;
}

/// The network where one cause of two that are the same, or that come and go together, has the rows
/// of both; `needed` is without the other then.
model::NoisyOrNetwork without_doubles(const model::NoisyOrNetwork& network,
                                      const SparseExpectation& found, const Constraints& rules,
                                      std::vector<std::size_t>& needed) {
  constexpr double same = .95;
  constexpr double similar = .3;
  constexpr double mostly = .7;  // of the rows of the rarer one
  const std::size_t n = network.n_causes();
  std::vector<model::Cause> causes = network.causes();
  std::vector<bool> is_double(n, false);
  for (std::size_t u = 0; u < n; ++u) {
    if (rules.is_fixed(causes[u].name)) continue;
    for (std::size_t v = 0; v < n; ++v) {
      const double rows = found.expected.present[u];
      if (u == v || is_double[u] || is_double[v] || rows > found.expected.present[v]) continue;
      const double both = found.together[u * n + v];
      const double like = likeness(network, u, v);
      if (!(like > same || (like > similar && both > mostly * rows))) continue;
      is_double[u] = true;
      causes[v].prior = std::min(causes[v].prior + (rows - both) / found.expected.n_rows, .9);
    }
  }
  std::erase_if(needed, [&](std::size_t u) { return is_double[u]; });
  return {std::move(causes), network.observed(), network.edges()};
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

}  // namespace

bool are_few(std::size_t n_causes, const State& state) {
  constexpr std::size_t few_of = 200;
  return n_causes * few_of <= state.causes.size();
}

namespace {

/// The network that `state` holds once into() has been there.
model::NoisyOrNetwork refined_network(const learners::LearnContext& context,
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

/// A step of EM, and what its pass says of edges and causes.
SparseExpectation step(const learners::RowPass& rows, Missing missing,
                       model::NoisyOrNetwork& network) {
  SparseExpectation found = expect_sparse(rows, network, missing, edge_cost);
  log::verbose("{} causes, {} edges: {:.4f} nats a row", network.n_causes(), network.edges().size(),
               found.expected.log_likelihood / found.expected.n_rows);
  network = maximize(network, found.expected, signature_failure_prior);
  return found;
}

/// All but the last pass.
State refine_structure(const learners::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State state) {
  const std::uint64_t n_rows = context.rows->n_rows();
  const Penalty penalty(n_rows, context.names.size(), alpha);
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = network_of(context, rules, state);
  const std::uint64_t n_thinned = std::max<std::uint64_t>(n_rows / first_step_rows, 1);
  const int first_steps = state.n_refined == 0 ? 1 : 0;  // the signatures are further off
  for (int i = 0; i < first_steps; ++i) {
    pause();
    (void)step(context.rows->thinned(n_thinned), Missing::ignore, network);
  }
  pause();
  const SparseExpectation found = step(*context.rows, Missing::find, network);
  if (found.expected.n_truncated > 0) {
    log::verbose("{} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(found.expected.n_truncated)));
  }
  std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause, rules);
  state.n_refined = needed.size();
  network = tidy(network, found, rules);
  if (hidden == Hidden::find) {
    const std::size_t n = network.n_causes();
    std::vector<Part> parts = find_parts(context, found.attributed, n, penalty.cause);
    std::erase_if(parts, [&](const Part& part) {
      return part.behind < n && rules.is_fixed(network.causes()[part.behind].name);
    });
    network = with_parts(network, std::move(parts), state);
    for (std::size_t u = found.expected.present.size(); u < network.n_causes(); ++u) {
      needed.push_back(u);
    }
  }
  into(network, needed, state);
  const std::size_t n_new = state.causes.size() - state.n_refined;
  state.awaits_pass = n_new > 0 && are_few(n_new, state);  // else all is refined again
  return state;
}

}  // namespace

void fit_signatures(const learners::LearnContext& context, const std::function<void()>& pause,
                    State& state) {
  constexpr int n_steps = 8;
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = network_of(context, rules, state);
  const learners::RowPass rows =
      context.rows->thinned(std::max<std::uint64_t>(context.rows->n_rows() / first_step_rows, 1));
  for (int i = 0; i < n_steps; ++i) {
    pause();
    (void)step(rows, Missing::ignore, network);
  }
  into(network, all_causes(network), state);
}

void refine_signatures(const learners::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State& state) {
  if (!state.awaits_pass) state = refine_structure(context, alpha, hidden, pause, state);
  if (!state.awaits_pass) return;
  pause();
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = refined_network(context, rules, state);
  (void)step(*context.rows, Missing::ignore, network);
  into(network, all_causes(network), state);
  state.n_refined = state.causes.size();
  state.awaits_pass = false;
}

namespace {

/// Log odds of all parameters.
std::vector<double> log_odds_of(const model::NoisyOrNetwork& network) {
  std::vector<double> all;
  const auto add = [&](double p) {
    const double q = std::clamp(p, 1e-12, 1 - 1e-12);
    all.push_back(std::log(q / (1 - q)));
  };
  for (const model::Cause& cause : network.causes()) add(cause.prior);
  for (const model::Observed& observed : network.observed()) add(observed.leak);
  for (const model::Edge& edge : network.edges()) add(edge.failure);
  return all;
}

/// The network with other parameters.
model::NoisyOrNetwork with_log_odds(const model::NoisyOrNetwork& network,
                                    const std::vector<double>& log_odds) {
  auto causes = network.causes();
  auto observed = network.observed();
  auto edges = network.edges();
  const double* next = log_odds.data();
  const auto take = [&] { return 1 / (1 + std::exp(-std::clamp(*next++, -25.0, 25.0))); };
  for (model::Cause& cause : causes) cause.prior = take();
  for (model::Observed& one : observed) one.leak = take();
  for (model::Edge& edge : edges) edge.failure = take();
  return {std::move(causes), std::move(observed), std::move(edges)};
}

/// Where two steps of EM, from a to b to c, lead to if they go on alike: squared extrapolation,
/// scheme S3 (Varadhan and Roland 2008, "Simple and globally convergent methods for accelerating
/// the convergence of any EM algorithm", section 3).
std::vector<double> extrapolate(const std::vector<double>& a, const std::vector<double>& b,
                                const std::vector<double>& c) {
  constexpr double longest = 16;
  double step_square = 0;
  double turn_square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    step_square += (b[i] - a[i]) * (b[i] - a[i]);
    const double turn = c[i] - 2 * b[i] + a[i];
    turn_square += turn * turn;
  }
  const double stride =
      turn_square > 0 ? std::clamp(std::sqrt(step_square / turn_square), 1.0, longest) : 1;
  std::vector<double> further(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    further[i] = a[i] + 2 * stride * (b[i] - a[i]) + stride * stride * (c[i] - 2 * b[i] + a[i]);
  }
  return further;
}

}  // namespace

namespace {

/// Without causes and edges that are not needed once the others have been refined, with those that
/// are missing: a few passes, while they change much.
model::NoisyOrNetwork tidied(const learners::LearnContext& context, double alpha,
                             const std::function<void()>& pause, State& state) {
  constexpr int most_passes = 8;
  constexpr std::size_t few_of = 200;
  const Penalty penalty(context.rows->n_rows(), context.names.size(), alpha);
  const Constraints rules(context.known, context.names);
  for (int i = 0; i < most_passes; ++i) {
    pause();
    model::NoisyOrNetwork network = refined_network(context, rules, state);
    const std::size_t n_edges = network.edges().size();
    const SparseExpectation found = step(*context.rows, Missing::find, network);
    std::vector<std::size_t> needed = clear_causes(
        network, found, penalty, needed_causes(network, found, penalty.cause, rules), rules);
    network = without_doubles(tidy(network, found, rules), found, rules, needed);
    const bool is_done = needed.size() == network.n_causes() &&
                         n_edges - std::min(n_edges, network.edges().size()) <= n_edges / few_of;
    into(network, needed, state);
    if (is_done) break;
  }
  return refined_network(context, rules, state);
}

}  // namespace

bool settle_signatures(const learners::LearnContext& context, double alpha,
                       const std::function<void()>& pause, State& state) {
  model::NoisyOrNetwork network = tidied(context, alpha, pause, state);
  const auto n_parameters = static_cast<double>(log_odds_of(network).size());
  const double least_gain = settled * std::max(1.0, n_parameters / 1000);
  bool has_settled = false;
  const auto pass = [&](model::NoisyOrNetwork& at) {
    pause();
    return step(*context.rows, Missing::ignore, at).expected.log_likelihood;
  };
  for (int n_passes = 0; n_passes < most_settling_passes && !has_settled; n_passes += 3) {
    const std::vector<double> first = log_odds_of(network);
    const double at_first = pass(network);
    const std::vector<double> second = log_odds_of(network);
    const double at_second = pass(network);
    has_settled = at_second - at_first < least_gain;
    const std::vector<double> third = log_odds_of(network);
    if (has_settled || third.size() != first.size()) continue;
    model::NoisyOrNetwork further = with_log_odds(network, extrapolate(first, second, third));
    if (pass(further) >= at_second) network = std::move(further);
  }
  into(network, all_causes(network), state);
  return has_settled;
}

bool drop_doubtful_edges(const learners::LearnContext& context, double alpha,
                         const model::StandardErrors& errors, State& state) {
  const std::size_t m = context.names.size();
  const Penalty penalty(context.rows->n_rows(), m, alpha);
  const Constraints rules(context.known, context.names);
  std::size_t e = 0;
  std::size_t n_dropped = 0;
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    for (std::uint32_t a = 0; a < m; ++a) {
      double& failure = state.failures[u * m + a];
      if (failure >= 1) continue;
      const double z = (1 - failure) / errors.failure[e++];
      if (!(z * z / 2 < penalty.edge)) continue;
      if (!rules.may_drop(rule_name(rules, state, u), a)) continue;
      failure = 1;
      ++n_dropped;
    }
  }
  log::verbose("{} of {} edges dropped", n_dropped, e);
  return n_dropped > 0;
}

}  // namespace orrery::quartet
