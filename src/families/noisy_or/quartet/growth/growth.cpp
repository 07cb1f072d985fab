#include "families/noisy_or/quartet/growth/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

std::string_view to_string(GrowthState::Stage stage) {
  constexpr std::array names{"begin",    "grow",   "settle", "prune",
                             "dissolve", "finish", "match",  "all"};
  return names.at(static_cast<std::size_t>(stage));
}

/// Independent variables.
GrownFit nothing_yet(const moments::MomentSource& moments) {
  GrownFit fit;
  for (std::size_t a = 0; a < moments.n_observed(); ++a) {
    fit.grown.leaks.push_back(std::clamp(1 - moments.single(a), constants::growth::least_leak,
                                         1 - constants::growth::least_leak));
  }
  fit.log_likelihood = -std::numeric_limits<double>::infinity();
  return fit;
}

TrialRows some_of(const learning::RowPass& rows, const AllRows& all, const GrowthOptions& options,
                  std::size_t n_observed) {
  if (all.distinct().n_rows() <= options.trial_rows) {
    return {all.distinct(), all.weights(), n_observed, options.trial_parts};
  }
  const std::uint64_t step = rows.n_rows() / std::max<std::uint64_t>(options.trial_rows, 1);
  return {step > 1 ? rows.thinned(step) : rows, {}, n_observed, options.trial_parts};
}

}  // namespace

Growth::Growth(const learning::RowPass& rows, const moments::MomentSource& moments,
               const GrowthOptions& options, GrowthState state)
    : pass_(rows),
      rows_(rows),
      trial_rows_(some_of(rows, rows_, options, moments.n_observed())),
      moments_(moments),
      options_(options),
      n_rows_(static_cast<double>(rows.n_rows())),
      state_(std::move(state)) {
  if (state_.stage == GrowthState::Stage::begin) state_.fit = nothing_yet(moments);
  // Few rows that differ: nothing is saved by a rougher or a shorter look at them.
  if (rows_.distinct().n_rows() <= options.trial_rows) {
    options_.beam = options_.trial_beam = options_.settle_beam;
    options_.trial_passes += options.trial_passes / 2;
    options_.full_passes *= 2;
  }
}

double Growth::score(const GrownFit& fit, double n_rows) const {
  double n_parameters = 0;
  for (const auto& failures : fit.grown.failures) {
    n_parameters += 1 + static_cast<double>(std::ranges::count_if(failures, [](double failure) {
                      return 1 - failure > constants::growth::least_strength;
                    }));
  }
  n_parameters += static_cast<double>(fit.grown.causes.n_dependences());
  return fit.log_likelihood - n_parameters * .5 * std::log(n_rows);
}

GrownFitOptions Growth::fit_options(int passes, double n_rows) const {
  GrownFitOptions fit;
  fit.passes = passes;
  const auto n = static_cast<double>(state_.fit.grown.n_causes() + 1);
  fit.second_parents = state_.stage >= GrowthState::Stage::finish;
  fit.tie_price = {.5 * std::log(n_rows), std::log(std::max(1.0, n * (n - 1) / 2))};
  fit.tolerance = constants::growth::least_pass_gain * n_rows;
  fit.beam = options_.beam;
  fit.pause = options_.pause;
  return fit;
}

void Growth::next_stage(GrowthState::Stage stage) {
  log::verbose(
      "growth, {} done: {} causes, score {:.1f}, {:.2f} % of the pairs misfit; of {:.1f} % of the "
      "rows the heaviest states only",
      to_string(state_.stage), state_.fit.grown.n_causes(), score(),
      100 * ResidualPairs(state_.fit.grown, moments_, pass_.n_threads(), n_rows_).share_beyond(3),
      100 * state_.fit.n_truncated / n_rows_);
  state_.stage = stage;
  state_.step = 0;
}

void Growth::run() {
  using Stage = GrowthState::Stage;
  if (state_.stage == Stage::begin) {
    state_.fit = fit(rows_, state_.fit.grown, fit_options(1, n_rows_));
    state_.independent = state_.fit.log_likelihood;
    next_stage(Stage::grow);
  }
  while (state_.stage == Stage::grow) {
    if (state_.step == options_.patience ||
        state_.fit.grown.n_causes() == model::most_beam_causes) {
      next_stage(Stage::settle);
    } else {
      state_.step = grow_one() ? 0 : state_.step + 1;
    }
  }
  while (state_.stage == Stage::settle) {
    if (!settle_step()) next_stage(Stage::prune);
  }
  while (state_.stage == Stage::prune) {
    if (!prune_step()) next_stage(Stage::dissolve);
  }
  while (state_.stage == Stage::dissolve) {
    if (!dissolve_step()) next_stage(Stage::finish);
  }
  while (state_.stage == Stage::finish) {
    if (!settle_step()) next_stage(Stage::match);
  }
  if (state_.stage == Stage::match) {
    match_shares();
    next_stage(Stage::done);
  }
}

/// Some passes of EM; true if they gained enough for more.
bool Growth::settle_step() {
  if (state_.fit.grown.n_causes() == 0 || state_.step == constants::growth::most_settle_steps)
    return false;
  GrowthState next = state_;
  GrownFitOptions options = fit_options(constants::growth::passes_per_step, n_rows_);
  options.beam = options_.settle_beam;
  next.fit = fit(rows_, next.fit.grown, options);
  ++next.step;
  // Second parents may pay where they are learned, and not in the end.
  if (score(next.fit, n_rows_) < score()) return false;
  const double gain = next.fit.log_likelihood - state_.fit.log_likelihood;
  state_ = std::move(next);
  return gain > constants::growth::settled_gain * n_rows_;
}

/// Where causes depend on one another in more ways than their network says, EM expects variables to
/// be on in other shares of the rows than they are. Leaks mend that as far as they go. They are
/// taken if the log likelihood loses less than a parameter's price for each variable: Jester loses
/// 0.01 nats per row, mushrooms, whose columns follow from one another, would lose 0.6.
void Growth::match_shares() {
  GrowthState next = state_;
  Grown& grown = next.fit.grown;
  if (grown.n_causes() == 0) return;
  const CauseGraphSums causes(grown.causes);
  std::vector<double> factors(grown.n_causes());
  for (std::size_t a = 0; a < grown.n_observed(); ++a) {
    for (std::size_t c = 0; c < factors.size(); ++c) factors[c] = grown.failures[c][a];
    grown.leaks[a] = std::clamp(1 - moments_.single(a) / causes.expectation(factors),
                                std::min(grown.leaks[a], constants::growth::least_matched_leak),
                                1 - constants::growth::least_leak);
  }
  if (options_.pause) options_.pause();
  const double before = log_likelihood(rows_, state_.fit.grown, options_.settle_beam);
  if (options_.pause) options_.pause();
  next.fit.log_likelihood = log_likelihood(rows_, grown, options_.settle_beam);
  const double price = .5 * std::log(n_rows_) * static_cast<double>(grown.n_observed());
  if (before - next.fit.log_likelihood < price) state_ = std::move(next);
}

}  // namespace orrery::quartet
