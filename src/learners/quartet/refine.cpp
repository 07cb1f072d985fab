#include "learners/quartet/refine.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "learners/quartet/calibration.hpp"
#include "learners/quartet/errors.hpp"
#include "orrery/base/log.hpp"

namespace orrery::quartet {
namespace {

// A cause needs three children: the parameters of one with two cannot be told (1 dependence, 3
// parameters).
constexpr std::size_t least_children = 3;
// A trial that gains less, nats, is the same network a little further on its way.
constexpr double least_gain = .5;
// Starting points: nothing that an iteration or two would not move.
constexpr double weakest_start = .9;
constexpr double strongest_start = .02;

std::vector<std::size_t> all_causes(const model::NoisyOrNetwork& network) {
  std::vector<std::size_t> causes(network.n_causes());
  std::iota(causes.begin(), causes.end(), std::size_t{0});
  return causes;
}

/// The network of some of the causes.
model::NoisyOrNetwork select(const model::NoisyOrNetwork& network,
                             const std::vector<std::size_t>& chosen) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (const std::size_t u : chosen) {
    for (model::Edge edge : network.children(u)) {
      edge.cause = static_cast<std::uint32_t>(causes.size());
      edges.push_back(edge);
    }
    causes.push_back(network.causes()[u]);
  }
  return {std::move(causes), network.observed(), std::move(edges)};
}

model::NoisyOrNetwork without(const model::NoisyOrNetwork& network, std::size_t cause) {
  std::vector<std::size_t> rest = all_causes(network);
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(cause));
  return select(network, rest);
}

model::NoisyOrNetwork with(const model::NoisyOrNetwork& network, const model::Cause& cause,
                           const std::vector<double>& failures) {
  std::vector<model::Cause> causes = network.causes();
  std::vector<model::Edge> edges = network.edges();
  for (std::uint32_t a = 0; a < failures.size(); ++a) {
    if (!(failures[a] < 1)) continue;
    edges.push_back({static_cast<std::uint32_t>(causes.size()), a,
                     std::clamp(failures[a], strongest_start, weakest_start)});
  }
  causes.push_back(cause);
  // Where the new cause explains, the leak need not.
  return {std::move(causes), network.observed(), std::move(edges)};
}

double jaccard(const std::vector<double>& a, const std::vector<double>& b) {
  double both = 0;
  double either = 0;
  for (std::size_t x = 0; x < a.size(); ++x) {
    both += a[x] < 1 && b[x] < 1 ? 1 : 0;
    either += a[x] < 1 || b[x] < 1 ? 1 : 0;
  }
  return either > 0 ? both / either : 0;
}

/// Beta by moments from the failures themselves, held to a weight between 4 and 50 cases.
FailurePrior empirical_prior(const model::NoisyOrNetwork& network) {
  double sum = 0;
  double squares = 0;
  const auto n = static_cast<double>(network.edges().size());
  for (const model::Edge& edge : network.edges()) {
    sum += edge.failure;
    squares += edge.failure * edge.failure;
  }
  const double mean = sum / n;
  const double variance = std::max(squares / n - mean * mean, 1e-6);
  const double weight = std::clamp(mean * (1 - mean) / variance - 1, 4.0, 50.0);
  return {std::max(mean * weight - 1, .5), std::max((1 - mean) * weight - 1, .5)};
}

/// P(a off) without parents, as leaks; kept away from 0 and 1.
model::NoisyOrNetwork independent(const learners::LearnContext& context) {
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    observed.push_back(
        {context.names[a], std::clamp(1 - context.moments.single(a), 1e-6, 1 - 1e-6)});
  }
  return {{}, std::move(observed), {}};
}

/// Leaks of independent variables, less what the causes explain.
model::NoisyOrNetwork explain_leaks(const model::NoisyOrNetwork& network) {
  std::vector<model::Observed> observed = network.observed();
  std::vector<double> off;
  for (const model::Observed& variable : observed) off.push_back(1 - variable.leak);
  for (const model::Edge& edge : network.edges()) {
    const double prior = network.causes()[edge.cause].prior;
    off[edge.observed] /= 1 - prior + prior * edge.failure;
  }
  for (std::size_t a = 0; a < observed.size(); ++a) {
    observed[a].leak = std::clamp(1 - off[a], 1e-3, 1 - 1e-3);
  }
  return {network.causes(), std::move(observed), network.edges()};
}

}  // namespace

Refiner::Refiner(const learners::LearnContext& context, const Options& options, const State& state,
                 std::function<void()> pause)
    : context_(context),
      rows_(*context.rows),
      pause_(std::move(pause)),
      alpha_(options.alpha),
      penalty_(rows_.n_rows(), context.names.size(), alpha_) {
  const bool begun = !state.causes.empty();
  fit_ = refit(first_network(state), begun ? 8 : 1, begun ? .5 : 0);
}

void Refiner::look_at(std::uint64_t step) {
  rows_ = context_.rows->thinned(step);
  penalty_ = Penalty(rows_.n_rows(), context_.names.size(), alpha_);
  dropped_.clear();  // for want of rows
  fit_ = refit(fit_.network, 10, .5);
}

model::NoisyOrNetwork Refiner::first_network(const State& state) {
  model::NoisyOrNetwork network = independent(context_);
  const std::size_t m = network.n_observed();
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const model::Cause cause{fmt::format("old{}", u), state.causes[u].prior};
    origin_[cause.name] = state.causes[u].provenance;
    const auto first = state.failures.begin() + static_cast<std::ptrdiff_t>(u * m);
    network = with(network, cause, {first, first + static_cast<std::ptrdiff_t>(m)});
  }
  if (state.leaks.empty()) return explain_leaks(network);
  std::vector<model::Observed> observed = network.observed();
  for (std::size_t a = 0; a < m; ++a) observed[a].leak = state.leaks[a];
  return {network.causes(), std::move(observed), network.edges()};
}

Fit Refiner::refit(model::NoisyOrNetwork network, int iterations, double tolerance) const {
  return quartet::fit(rows_, std::move(network), {iterations, tolerance, prior_, pause_});
}

model::Cause Refiner::name_cause(const Elected& elected, int depth) {
  const std::string name = fmt::format("new{}", n_named_++);
  model::Provenance& origin = origin_[name];
  origin.depth = depth;
  origin.statistic = elected.statistic;
  origin.support = elected.support;
  for (std::size_t i = 0; i < 4; ++i)
    origin.quartet[i] = static_cast<std::int32_t>(elected.quartet[i]);
  return {name, std::clamp(elected.prior, 1e-4, .6)};
}

void Refiner::begin(const std::vector<Elected>& elected, int depth, std::uint64_t support) {
  model::NoisyOrNetwork network = fit_.network;
  std::vector<Elected> others;
  for (const Elected& cause : elected) {
    if (cause.support < support) {
      others.push_back(cause);
      continue;
    }
    network = with(network, name_cause(cause, depth), cause.failures);
  }
  fit_ = refit(explain_leaks(network), 15, 1);
  log::verbose("{} causes of {} quartets or more: score {:.1f}", fit_.network.n_causes(), support,
               score());
  tidy_edges(fit_, 4);
  drop_causes();
  offer(others, depth);
}

bool Refiner::offer(const std::vector<Elected>& elected, int depth) {
  bool any = false;
  for (const Elected& cause : elected) any = try_cause(cause, depth) || any;
  return any;
}

bool Refiner::try_cause(const Elected& elected, int depth) {
  const auto n_edges = static_cast<double>(
      std::ranges::count_if(elected.failures, [](double failure) { return failure < 1; }));
  if (n_edges < least_children) return false;
  for (std::size_t u = 0; u < fit_.network.n_causes(); ++u) {
    if (jaccard(elected.failures, fit_.network.dense_failures(u)) > .7) return false;
  }
  const model::Cause cause = name_cause(elected, depth);
  const auto cost = penalty_.cause + n_edges * penalty_.edge;
  Fit trial = refit(with(fit_.network, cause, elected.failures), 6, .5);
  const double gain = trial.log_posterior - fit_.log_posterior;
  if (gain < .5 * cost) {
    log::verbose("  {} of support {}: gains {:.1f}, costs {:.1f}", cause.name, elected.support,
                 gain, cost);
    return false;
  }
  tidy_edges(trial, 3);
  trial = refit(trial.network, 12, .3);
  const double before = score();
  const double after = quartet::score(trial, penalty_);
  log::verbose("  {} of support {}: score {:.1f} -> {:.1f}", cause.name, elected.support, before,
               after);
  if (!(after > before)) return false;
  fit_ = std::move(trial);
  drop_causes();
  return true;
}

bool Refiner::try_network(model::NoisyOrNetwork network) {
  Fit trial = refit(std::move(network), 10, .3);
  tidy_edges(trial, 3);
  if (!(quartet::score(trial, penalty_) > score() + least_gain)) return false;
  fit_ = std::move(trial);
  return true;
}

const EdgeTests& Refiner::tests_of(Fit& fit) const {
  if (!fit.tests) fit.tests = std::make_shared<EdgeTests>(test_edges(rows_, fit.network));
  return *fit.tests;
}

bool Refiner::tidy_edges(Fit& fit, int rounds) {
  bool any = false;
  for (int round = 0; round < rounds; ++round) {
    const model::NoisyOrNetwork& network = fit.network;
    const std::size_t n = network.n_causes();
    const std::size_t m = network.n_observed();
    if (n == 0) return any;
    const EdgeTests& tests = tests_of(fit);
    // A variable at a time one edge goes and one comes: two edges may stand for each other.
    std::vector<std::size_t> worst(m, network.edges().size());
    std::vector<double> most(m, 0);
    for (std::size_t e = 0; e < network.edges().size(); ++e) {
      const model::Edge& edge = network.edges()[e];
      const double gain = tests.without_edge[e] - prior_.log_density(edge.failure) + penalty_.edge;
      if (gain > most[edge.observed] && !is_fixed(network.causes()[edge.cause])) {
        most[edge.observed] = gain;
        worst[edge.observed] = e;
      }
    }
    std::vector<model::Edge> edges;
    bool changed = false;
    for (std::size_t e = 0; e < network.edges().size(); ++e) {
      const model::Edge& edge = network.edges()[e];
      if (worst[edge.observed] == e) {
        dropped_.emplace(network.causes()[edge.cause].name, edge.observed);
        changed = true;
      } else {
        edges.push_back(edge);
      }
    }
    for (std::uint32_t a = 0; a < m; ++a) {
      double best = penalty_.edge + 1;
      model::Edge added{0, a, 1};
      for (std::uint32_t u = 0; u < n; ++u) {
        const double slope = tests.slope[u * m + a];
        const double variance = tests.variance[u * m + a];
        if (!(slope > 0) || dropped_.contains({network.causes()[u].name, a})) continue;
        const double gain = slope * slope / (2 * variance);
        if (gain <= best) continue;
        best = gain;
        added = {u, a, std::clamp(1 - slope / variance, .2, .95)};
      }
      if (added.failure < 1) {
        edges.push_back(added);
        changed = true;
      }
    }
    if (!changed) return any;
    any = true;
    fit = refit({network.causes(), network.observed(), std::move(edges)}, 8, .5);
    // Causes that have lost their children.
    std::vector<std::size_t> rest;
    for (std::size_t u = 0; u < fit.network.n_causes(); ++u) {
      if (fit.network.children(u).size() >= least_children || is_fixed(fit.network.causes()[u])) {
        rest.push_back(u);
      }
    }
    if (rest.size() < fit.network.n_causes()) fit = refit(select(fit.network, rest), 8, .5);
  }
  return any;
}

// What the cause did falls to those that come with it: they get its children, as weak edges that
// EM and the tests of edges sort out.
model::NoisyOrNetwork Refiner::dissolve(std::size_t cause, const EdgeTests& tests) const {
  const model::NoisyOrNetwork& network = fit_.network;
  const std::size_t n = network.n_causes();
  std::vector<model::Edge> edges;
  for (const model::Edge& edge : network.edges()) {
    if (edge.cause != cause) edges.push_back(edge);
  }
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v == cause || is_fixed(network.causes()[v]) || lift(tests, cause, v) < 1.5) continue;
    for (const model::Edge& edge : network.children(cause)) {
      if (network.failure(v, edge.observed) < 1) continue;
      edges.push_back({v, edge.observed, .6});
    }
  }
  return without({network.causes(), network.observed(), std::move(edges)}, cause);
}

/// How much more often the two are there together than if they were independent.
double Refiner::lift(const EdgeTests& tests, std::size_t u, std::size_t v) const {
  const std::size_t n = tests.present.size();
  return tests.together[u * n + v] * static_cast<double>(rows_.n_rows()) /
         (tests.present[u] * tests.present[v]);
}

bool Refiner::drop_causes() {
  bool any = false;
  std::set<std::string> tried;
  for (bool again = true; again && fit_.network.n_causes() > 0;) {
    again = false;
    tests_of(fit_);
    const std::shared_ptr<const EdgeTests> tests = fit_.tests;
    const std::size_t n = fit_.network.n_causes();
    // Those that explain least first.
    std::vector<std::size_t> order = all_causes(fit_.network);
    std::ranges::sort(order, [&](std::size_t u, std::size_t v) {
      return std::pair(-tests->without_cause[u], u) < std::pair(-tests->without_cause[v], v);
    });
    for (const std::size_t u : order) {
      const model::Cause& cause = fit_.network.causes()[u];
      if (is_fixed(cause) || tried.contains(cause.name)) continue;
      double cost = penalty_.cause;
      for (const model::Edge& edge : fit_.network.children(u)) {
        cost += penalty_.edge - prior_.log_density(edge.failure);
      }
      bool replaceable = false;
      const auto failures = fit_.network.dense_failures(u);
      for (std::size_t v = 0; v < n && !replaceable; ++v) {
        replaceable = v != u && (lift(*tests, u, v) > 2 ||
                                 jaccard(failures, fit_.network.dense_failures(v)) > .5);
      }
      if (tests->without_cause[u] + cost <= 0 && !replaceable) continue;
      tried.insert(cause.name);
      const std::string name = cause.name;
      const double before = score();
      if (try_network(dissolve(u, *tests))) {
        log::verbose("  dropped {}: score {:.1f} -> {:.1f}", name, before, score());
        any = again = true;
        break;
      }
    }
  }
  return any;
}

bool Refiner::merge_causes() {
  const EdgeTests tests = tests_of(fit_);  // a copy: trials replace fit_
  const std::size_t n = fit_.network.n_causes();
  struct Pair {
    double lift;
    std::size_t u, v;
  };
  std::vector<Pair> pairs;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = u + 1; v < n; ++v) {
      const double more = lift(tests, u, v);
      if (more > 1.5 && !is_fixed(fit_.network.causes()[u]) &&
          !is_fixed(fit_.network.causes()[v])) {
        pairs.push_back({more, u, v});
      }
    }
  }
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) { return a.lift > b.lift; });
  if (pairs.size() > 3) pairs.resize(3);
  for (const Pair& pair : pairs) {
    std::vector<double> failures = fit_.network.dense_failures(pair.u);
    const std::vector<double> other = fit_.network.dense_failures(pair.v);
    for (std::size_t a = 0; a < failures.size(); ++a) failures[a] = std::min(failures[a], other[a]);
    model::Cause cause = fit_.network.causes()[pair.u];
    cause.prior = std::max(cause.prior, fit_.network.causes()[pair.v].prior);
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != pair.u && k != pair.v) rest.push_back(k);
    }
    if (try_network(with(select(fit_.network, rest), cause, failures))) {
      log::verbose("  merged two causes: score {:.1f}", score());
      return true;
    }
  }
  return false;
}

// Where one learned cause stands for two, its children depend more than it says within the two
// parts, less across: the leading eigenvector of the residual z-scores tells them apart. Under
// noise alone the leading eigenvalue of k children is near 2 sqrt(k) (Wigner's semicircle).
bool Refiner::split_causes() {
  const moments::Subtraction learned = subtraction_of(fit_.network, {});
  const Calibration calibration(context_.moments, learned, alpha_);
  struct Split {
    double excess;
    std::size_t cause;
    std::array<std::vector<double>, 2> failures;
  };
  std::vector<Split> splits;
  for (std::size_t u = 0; u < fit_.network.n_causes(); ++u) {
    const auto children = fit_.network.children(u);
    const auto k = static_cast<Eigen::Index>(children.size());
    if (children.size() < 2 * least_children || is_fixed(fit_.network.causes()[u])) continue;
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(k, k);
    for (Eigen::Index i = 0; i < k; ++i) {
      for (Eigen::Index j = 0; j < i; ++j) {
        const double value = calibration.pair_z(children[static_cast<std::size_t>(j)].observed,
                                                children[static_cast<std::size_t>(i)].observed);
        z(i, j) = z(j, i) = std::clamp(value, -20.0, 20.0);
      }
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(z);
    Split split{solver.eigenvalues()(k - 1) / (2 * std::sqrt(static_cast<double>(k))), u, {}};
    for (auto& part : split.failures) part.assign(fit_.network.n_observed(), 1);
    std::array<std::size_t, 2> n{};
    for (Eigen::Index i = 0; i < k; ++i) {
      const std::size_t part = solver.eigenvectors()(i, k - 1) > 0 ? 0 : 1;
      ++n[part];
      split.failures[part][children[static_cast<std::size_t>(i)].observed] = .2;
    }
    if (split.excess > 1.5 && std::min(n[0], n[1]) >= least_children) {
      splits.push_back(std::move(split));
    }
  }
  std::ranges::sort(splits, [](const Split& a, const Split& b) {
    return std::pair(-a.excess, a.cause) < std::pair(-b.excess, b.cause);
  });
  constexpr std::size_t most_trials = 4;
  if (splits.size() > most_trials) splits.resize(most_trials);
  for (const Split& split : splits) {
    model::NoisyOrNetwork network = without(fit_.network, split.cause);
    const model::Cause& whole = fit_.network.causes()[split.cause];
    for (std::size_t part = 0; part < 2; ++part) {
      const std::string name = fmt::format("split{}", n_named_++);
      origin_[name] = origin_[whole.name];
      network = with(network, {name, .6 * whole.prior}, split.failures[part]);
    }
    const double before = score();
    if (try_network(std::move(network))) {
      log::verbose("  split a cause (eigenvalue {:.1f} times noise): score {:.1f} -> {:.1f}",
                   split.excess, before, score());
      return true;
    }
  }
  return false;
}

// Where two causes share children, one of them may have been learned with both causes' rows and the
// other without the shared children; no single edge would gain. The other gets all of its children,
// as weak edges.
bool Refiner::share_children() {
  const EdgeTests tests = tests_of(fit_);  // a copy: trials replace fit_
  const model::NoisyOrNetwork& network = fit_.network;
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  struct Gift {
    double lift;
    std::uint32_t from, to;
  };
  std::vector<Gift> gifts;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t v = 0; v < n; ++v) {
      if (u == v || is_fixed(network.causes()[v])) continue;
      // The rarer one goes with the more frequent one.
      if (network.causes()[u].prior < network.causes()[v].prior) continue;
      const double more = lift(tests, u, v);
      if (more > 1.5) gifts.push_back({more, u, v});
    }
  }
  std::ranges::sort(gifts, [](const Gift& a, const Gift& b) {
    return std::tuple(-a.lift, a.from, a.to) < std::tuple(-b.lift, b.from, b.to);
  });
  constexpr std::size_t most_trials = 6;
  if (gifts.size() > most_trials) gifts.resize(most_trials);
  for (const Gift& gift : gifts) {
    std::vector<model::Edge> edges = network.edges();
    for (const model::Edge& edge : network.children(gift.from)) {
      if (network.failure(gift.to, edge.observed) < 1) continue;
      edges.push_back({gift.to, edge.observed, .3});
    }
    if (edges.size() == network.edges().size()) continue;
    const double before = score();
    if (try_network({network.causes(), network.observed(), std::move(edges)})) {
      log::verbose("  shared children: score {:.1f} -> {:.1f}", before, score());
      return true;
    }
  }
  return false;
}

bool Refiner::settle() {
  bool any = tidy_edges(fit_, 4);
  for (bool again = true; again; any = any || again) {
    again = drop_causes();
    again = merge_causes() || again;
    again = split_causes() || again;
    again = share_children() || again;
  }
  fit_ = refit(fit_.network, 20, .1);
  return any;
}

model::LearnedModel Refiner::finish() {
  if (!fit_.network.edges().empty()) {
    prior_ = empirical_prior(fit_.network);
    fit_ = refit(fit_.network, 500, 1e-3);
  }
  model::LearnedModel model;
  std::vector<model::Cause> causes = fit_.network.causes();
  for (std::size_t u = 0; u < causes.size(); ++u) {
    if (!is_fixed(causes[u])) causes[u].name = fmt::format("cause{}", u);
  }
  model.network = {std::move(causes), fit_.network.observed(), fit_.network.edges()};
  model.provenance = provenance();
  model.errors = standard_errors(rows_, model.network, prior_);
  model.learner = "quartet";
  model.n_samples = rows_.n_rows();
  if (fit_.n_truncated > 0) {
    log::warning("{} of {} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(fit_.n_truncated)),
                 format_count(rows_.n_rows()));
  }
  return model;
}

void Refiner::into(State& state) const {
  const model::NoisyOrNetwork& network = fit_.network;
  const std::vector<model::Provenance> origins = provenance();
  const model::StandardErrors errors = standard_errors(rows_, network, prior_);
  const auto known = [](double error) { return std::isnan(error) ? 0 : error; };
  const std::size_t m = network.n_observed();
  state.causes.clear();
  state.failures.assign(network.n_causes() * m, 1);
  state.failure_errors.assign(network.n_causes() * m, 0);
  state.leaks.clear();
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    state.causes.push_back({network.causes()[u].prior, origins[u], known(errors.prior[u])});
  }
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    state.failures[edge.cause * m + edge.observed] = edge.failure;
    state.failure_errors[edge.cause * m + edge.observed] = known(errors.failure[e]);
  }
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

std::vector<model::Provenance> Refiner::provenance() const {
  std::vector<model::Provenance> provenance;
  for (const model::Cause& cause : fit_.network.causes()) {
    const auto found = origin_.find(cause.name);
    provenance.push_back(found == origin_.end() ? model::Provenance{} : found->second);
  }
  return provenance;
}

}  // namespace orrery::quartet
