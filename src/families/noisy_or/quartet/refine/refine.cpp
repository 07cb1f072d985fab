#include "families/noisy_or/quartet/refine/refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

// A cause whose first trial gains less than this share of its cost is given up.
constexpr double least_share = .5;

// Failures that are all alike are not held to each other more than by so many cases: their errors
// would tell of the others rather than of themselves.
constexpr double most_alike = 200;
constexpr double least_alike = 4;

/// Beta by moments (empirical Bayes): of the failures as they were without the prior `used`, less
/// what their sampling adds to the variance (an edge seen n times: f (1 - f) / n).
FailurePrior empirical_prior(const model::NoisyOrNetwork& network, const Expectation& expectation,
                             const FailurePrior& used) {
  double cases = 0;
  double failed = 0;
  double squares = 0;
  double sampling = 0;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    const double exposed = expectation.present[edge.cause] - expectation.unseen[e];
    if (!(exposed > 1)) continue;
    const double held = exposed + used.failures + used.successes;
    const double failure = std::clamp((edge.failure * held - used.failures) / exposed, 0.0, 1.0);
    cases += exposed;
    failed += exposed * failure;
    squares += exposed * failure * failure;
    sampling += failure * (1 - failure);
  }
  if (cases == 0) return used;
  const double mean = std::clamp(failed / cases, .01, .99);
  const double variance = std::max((squares - sampling) / cases - mean * mean, 1e-9);
  const double weight = std::clamp(mean * (1 - mean) / variance - 1, least_alike, most_alike);
  return {std::max(mean * weight - 1, .5), std::max((1 - mean) * weight - 1, .5)};
}

/// P(a off) without parents, as leaks; kept away from 0 and 1.
model::NoisyOrNetwork independent(const learning::LearnContext& context) {
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    observed.push_back(
        {context.names[a], std::clamp(1 - context.moments.single(a), 1e-6, 1 - 1e-6)});
  }
  return {{}, std::move(observed), {}};
}

}  // namespace

Refiner::Refiner(const learning::LearnContext& context, const Options& options, const State& state,
                 Journal& journal, std::function<void()> pause)
    : context_(context),
      rules_(context.known, context.names),
      rows_(*context.rows),
      journal_(journal),
      pause_(std::move(pause)),
      alpha_(options.alpha),
      penalty_(rows_.n_rows(), context.names.size(), alpha_) {
  fit_.network = rules_.conform(first_network(state));
}

void Refiner::start() {
  const bool begun = fit_.network.n_causes() > 0;
  fit_ = refit(fit_.network, begun ? 8 : 1, begun ? .5 : 0);
  has_started_ = true;
}

void Refiner::look_at(std::uint64_t step) {
  rows_ = context_.rows->thinned(step);
  penalty_ = Penalty(rows_.n_rows(), context_.names.size(), alpha_);
  failed_.clear();  // for want of rows, it may be
  fit_ = refit(fit_.network, 10, .5);
}

model::NoisyOrNetwork Refiner::first_network(const State& state) {
  model::NoisyOrNetwork network = independent(context_);
  const std::size_t m = network.n_observed();
  const auto add = [&](const model::Cause& cause, const std::vector<double>& failures,
                       std::size_t u) {
    const auto first = failures.begin() + static_cast<std::ptrdiff_t>(u * m);
    network = with(network, cause, {first, first + static_cast<std::ptrdiff_t>(m)});
  };
  if (state.causes.empty()) {
    for (std::size_t u = 0; u < rules_.causes().size(); ++u) {
      add(rules_.causes()[u], rules_.failures(), u);
    }
  }
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const LearnedCause& learned = state.causes[u];
    const std::string name = learned.known >= 0
                                 ? rules_.causes()[static_cast<std::size_t>(learned.known)].name
                                 : fresh_name("old");
    origin_[name] = learned.provenance;
    add({name, learned.prior}, state.failures, u);
  }
  if (state.leaks.empty()) return explain_leaks(network);
  std::vector<model::Observed> observed = network.observed();
  for (std::size_t a = 0; a < m; ++a) observed[a].leak = state.leaks[a];
  return {network.causes(), std::move(observed), network.edges()};
}

Fit Refiner::refit(model::NoisyOrNetwork network, int iterations, double tolerance) const {
  const FitOptions options{iterations, tolerance, prior_, state_tolerance_,
                           [this](const Fit& so_far) {
                             journal_.set_running(so_far);
                             if (pause_) pause_();
                           }};
  return journal_.fit([&](const Fit* begun) {
    return begun == nullptr
               ? quartet::fit(rows_, rules_.conform(std::move(network)), options)
               : quartet::fit(rows_, begun->network, options, begun->iterations, begun->n_states);
  });
}

std::string Refiner::fresh_name(const char* origin) {
  std::string name;
  do name = fmt::format("{}{}", origin, n_named_++);
  while (rules_.is_known_name(name));
  return name;
}

model::Cause Refiner::name_cause(const Elected& elected, int depth) {
  const std::string name = fresh_name("new");
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
  auto better = journal_.trial([&]() -> std::optional<Fit> {
    Fit trial = refit(with(fit_.network, cause, elected.failures), 6, .5);
    const double gain = trial.log_posterior - fit_.log_posterior;
    if (gain < least_share * cost) {
      log::verbose("  {} of support {}: gains {:.1f}, costs {:.1f}", cause.name, elected.support,
                   gain, cost);
      return std::nullopt;
    }
    tidy_edges(trial, 3);
    trial = refit(trial.network, 12, .3);
    const double before = score();
    const double after = quartet::score(trial, penalty_);
    log::verbose("  {} of support {}: score {:.1f} -> {:.1f}", cause.name, elected.support, before,
                 after);
    if (!(after > before)) return std::nullopt;
    return trial;
  });
  if (!better) return false;
  fit_ = std::move(*better);
  drop_causes();
  return true;
}

void Refiner::settle() {
  for (bool again = true; again;) {
    const double before = score();
    tidy_edges(fit_, 4);
    drop_causes();
    merge_causes();
    split_causes();
    share_children();
    // Edges may come and go for ever: it goes on as long as the score rises.
    again = score() > before + least_gain;
    if (!again) again = uncover_parts(0);
  }
  fit_ = refit(fit_.network, 20, .1);
}

model::LearnedModel Refiner::finish() {
  state_tolerance_ = state_tolerance;
  if (!fit_.network.edges().empty()) {
    prior_ = empirical_prior(fit_.network, expect(rows_, fit_.network, state_tolerance_), prior_);
    fit_to_the_end();
  }
  return learned();
}

void Refiner::fit_to_the_end() {
  try {
    fit_ = refit(fit_.network, 500, 1e-3);
  } catch (const learning::TimeUp&) {
    fit_ = journal_.running().value();
  }
}

model::LearnedModel Refiner::learned() const {
  model::LearnedModel model;
  std::vector<model::Cause> causes = fit_.network.causes();
  std::size_t number = 0;
  for (std::size_t u = 0; u < causes.size(); ++u) {
    if (rules_.is_known_name(causes[u].name)) continue;
    while (rules_.is_known_name(fmt::format("cause{}", number))) ++number;
    causes[u].name = fmt::format("cause{}", number++);
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

model::LearnedModel Refiner::finish_early(const std::vector<Elected>& found, int depth) {
  journal_.clear();  // it may be in the middle of a trial
  rows_ = *context_.rows;
  model::NoisyOrNetwork network = fit_.network;
  for (const Elected& cause : found) {
    network = with(network, name_cause(cause, depth), cause.failures);
  }
  if (!found.empty()) fit_.network = rules_.conform(explain_leaks(network));
  if (!fit_.network.edges().empty()) fit_to_the_end();
  return learned();
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
    LearnedCause learned{network.causes()[u].prior, origins[u], known(errors.prior[u]), -1};
    for (std::size_t k = 0; k < rules_.causes().size(); ++k) {
      if (rules_.causes()[k].name == network.causes()[u].name) learned.known = static_cast<int>(k);
    }
    state.causes.push_back(learned);
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
