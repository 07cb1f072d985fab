#include "families/noisy_or/quartet/growth/growth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "learning/checkpoints.hpp"

namespace orrery::quartet {
namespace {

// Of a checkpoint: what stands before the network.
constexpr std::size_t header_words = 7;
// Of a cause in a checkpoint: its parents (-1: none) and the probabilities of their states.
constexpr std::size_t table_words = model::most_beam_parents + (1U << model::most_beam_parents);

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

template <class Put>
void put_table(const model::CauseTable& table, const Put& put) {
  for (std::size_t i = 0; i < model::most_beam_parents; ++i) {
    put(i < table.parents.size() ? static_cast<double>(table.parents[i]) : -1);
  }
  for (std::size_t i = 0; i < table_words - model::most_beam_parents; ++i) {
    put(i < table.on.size() ? table.on[i] : 0);
  }
}

/// The reverse. Throws InputError unless it is one of `n` causes.
template <class Take>
model::CauseTable take_table(const Take& take, std::size_t n) {
  model::CauseTable table;
  for (std::size_t i = 0; i < model::most_beam_parents; ++i) {
    const double parent = take();
    const bool is_parent = parent >= 0 && parent < static_cast<double>(n);
    learning::require((parent == -1 || is_parent) && parent == std::floor(parent), "growth");
    if (is_parent) table.parents.push_back(static_cast<std::uint32_t>(parent));
  }
  table.on.resize(std::size_t{1} << table.parents.size());
  for (std::size_t i = 0; i < table_words - model::most_beam_parents; ++i) {
    const double on = take();
    learning::require(on >= 0 && on <= 1 && (i < table.on.size() || on == 0), "growth");
    if (i < table.on.size()) table.on[i] = on;
  }
  return table;
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

std::vector<Growth::Proposal> Growth::proposals(const ResidualPairs& pairs) const {
  std::vector<Proposal> all;
  const auto m = static_cast<std::uint32_t>(pairs.n_observed());
  for (std::uint32_t a = 0; a < m; ++a) {
    for (std::uint32_t b = a + 1; b < m; ++b) {
      if (pairs.z(a, b) > constants::growth::least_proposal_z && !state_.refused.contains({a, b}))
        all.push_back({a, b, pairs.z(a, b)});
    }
  }
  std::ranges::stable_sort(all, std::greater{}, &Proposal::z);
  std::vector<Proposal> chosen;
  std::vector<bool> taken(m);
  for (const Proposal& p : all) {
    if (taken[p.a] || taken[p.b]) continue;
    taken[p.a] = taken[p.b] = true;
    chosen.push_back(p);
    if (chosen.size() == options_.n_proposals) break;
  }
  return chosen;
}

Grown Growth::with(const Grown& grown, const Proposal& p, const ResidualPairs& pairs) const {
  Grown more = grown;
  std::vector<double> failures(pairs.n_observed());
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const double z =
        i == p.a || i == p.b ? p.z : std::max(0.0, std::min(pairs.z(p.a, i), pairs.z(p.b, i)));
    failures[i] = 1 - std::max(constants::growth::least_strength,
                               constants::growth::start_strength * std::min(1.0, z / p.z));
  }
  more.failures.push_back(std::move(failures));
  more.causes.add_root(constants::growth::start_prior);
  for (double& leak : more.leaks) leak *= constants::growth::start_leak_factor;
  return more;
}

std::vector<GrownFit> Growth::fit_trials(const std::vector<Grown>& starts) const {
  const std::size_t m = moments_.n_observed();
  const std::size_t n = starts.front().n_causes();
  GrownFitOptions options = fit_options(options_.trial_passes, trial_rows_.n_rows());
  options.pause = nullptr;
  options.beam = options_.trial_beam;
  // Leaks, failures, the network of the causes and the likelihood of each, as words that ranks can
  // add.
  const std::size_t n_words = m + n * m + table_words * n + 1;
  std::vector<std::uint64_t> words(starts.size() * n_words);
  Progress silent("", 0, "");
  pass_.team().for_each_unit(
      starts.size(), pass_.n_threads(), silent, [&](std::uint64_t unit, int /*thread*/) {
        const GrownFit found = fit(trial_rows_, starts[unit], options);
        std::uint64_t* to = words.data() + unit * n_words;
        const auto put = [&](double value) { *to++ = std::bit_cast<std::uint64_t>(value); };
        for (const double leak : found.grown.leaks) put(leak);
        for (const auto& failures : found.grown.failures) std::ranges::for_each(failures, put);
        for (const model::CauseTable& table : found.grown.causes.tables) put_table(table, put);
        put(found.log_likelihood);
      });
  pass_.team().sum_words(words);
  std::vector<GrownFit> trials(starts.size());
  const std::uint64_t* from = words.data();
  const auto take = [&] { return std::bit_cast<double>(*from++); };
  for (GrownFit& trial : trials) {
    trial.grown.leaks.resize(m);
    for (double& leak : trial.grown.leaks) leak = take();
    trial.grown.failures.assign(n, std::vector<double>(m));
    for (auto& failures : trial.grown.failures) std::ranges::generate(failures, take);
    for (std::size_t c = 0; c < n; ++c) trial.grown.causes.tables.push_back(take_table(take, n));
    trial.log_likelihood = take();
  }
  return trials;
}

bool Growth::grow_one() {
  const ResidualPairs pairs(state_.fit.grown, moments_, pass_.n_threads(), n_rows_);
  const std::vector<Proposal> tried = proposals(pairs);
  if (tried.empty()) return false;
  std::vector<Grown> starts;
  for (const Proposal& p : tried) starts.push_back(with(state_.fit.grown, p, pairs));
  if (options_.pause) options_.pause();
  std::vector<GrownFit> trials = fit_trials(starts);
  const auto best = std::ranges::max_element(trials, {}, &GrownFit::log_likelihood);
  GrownFit full = fit(rows_, std::move(best->grown), fit_options(options_.full_passes, n_rows_));
  const double before = score();
  const double after = score(full, n_rows_);
  log::verbose(
      "cause {}: score {:.1f} -> {:.1f}, {:.4f} nats per row, {:.1f} % of the pairs misfit",
      full.grown.n_causes(), before, after, full.log_likelihood / n_rows_,
      100 * pairs.share_beyond(3));
  if (!(after - before > constants::growth::least_gained_share * (before - state_.independent))) {
    for (const Proposal& p : tried) state_.refused.insert({p.a, p.b});
    return false;
  }
  state_.fit = std::move(full);
  state_.z.push_back(tried[static_cast<std::size_t>(best - trials.begin())].z);
  return true;
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

std::vector<double> GrowthState::pack() const {
  const Grown& grown = fit.grown;
  std::vector<double> packed{static_cast<double>(stage),
                             static_cast<double>(step),
                             fit.log_likelihood,
                             fit.n_truncated,
                             independent,
                             static_cast<double>(grown.n_causes()),
                             static_cast<double>(refused.size())};
  const auto append = [&](const std::vector<double>& values) {
    packed.insert(packed.end(), values.begin(), values.end());
  };
  append(grown.leaks);
  for (const auto& failures : grown.failures) append(failures);
  append(z);
  for (const model::CauseTable& table : grown.causes.tables) {
    put_table(table, [&](double value) { packed.push_back(value); });
  }
  for (const auto& [a, b] : refused) append({static_cast<double>(a), static_cast<double>(b)});
  return packed;
}

GrowthState GrowthState::unpack(const std::vector<double>& packed, std::size_t n_observed) {
  const auto require = [](bool holds) { learning::require(holds, "growth"); };
  const auto at_most = [&](double value, double most) {
    require(value >= 0 && value <= most && value == std::floor(value));
    return static_cast<std::size_t>(value);
  };
  require(packed.size() >= header_words);
  GrowthState state;
  state.stage = static_cast<Stage>(at_most(packed[0], static_cast<double>(Stage::done)));
  state.step = static_cast<int>(at_most(packed[1], 1e6));
  state.fit.log_likelihood = packed[2];
  state.fit.n_truncated = packed[3];
  state.independent = packed[4];
  const std::size_t n = at_most(packed[5], static_cast<double>(model::most_beam_causes));
  const std::size_t n_refused = at_most(packed[6], 1e9);
  const std::size_t m = n_observed;
  require(packed.size() == header_words + m + n * (m + 1 + table_words) + 2 * n_refused);
  std::size_t next = header_words;
  const auto take = [&] { return packed[next++]; };
  const auto probability = [&] {
    require(packed[next] >= 0 && packed[next] <= 1);
    return take();
  };
  state.fit.grown.leaks.resize(m);
  std::ranges::generate(state.fit.grown.leaks, probability);
  state.fit.grown.failures.assign(n, std::vector<double>(m));
  for (auto& failures : state.fit.grown.failures) std::ranges::generate(failures, probability);
  for (std::size_t c = 0; c < n; ++c) state.z.push_back(take());
  CauseGraph& causes = state.fit.grown.causes;
  for (std::size_t c = 0; c < n; ++c) causes.tables.push_back(take_table(take, n));
  require(causes.is_sound());
  for (std::size_t i = 0; i < n_refused; ++i) {
    const auto a = static_cast<std::uint32_t>(at_most(take(), static_cast<double>(n_observed)));
    state.refused.insert(
        {a, static_cast<std::uint32_t>(at_most(take(), static_cast<double>(n_observed)))});
  }
  return state;
}

}  // namespace orrery::quartet
