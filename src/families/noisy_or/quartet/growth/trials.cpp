// A step of growth: pairs of variables that come together more often than the network explains
// propose causes, which are tried on some thousand rows. The best is fitted to all rows, where
// causes hardly depend on one another with those that have little to do with it or with each other.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/growth.hpp"
#include "families/noisy_or/quartet/growth/packed_table.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {

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
  GrownFitOptions options = fit_options(options_.trial_passes, trial_rows_.n_rows());
  options.pause = nullptr;
  options.beam = options_.trial_beam;
  // Leaks, failures, the network of the causes and the likelihood of each, as words that ranks can
  // add.
  std::vector<std::size_t> first{0};
  for (const Grown& start : starts) {
    first.push_back(first.back() + m + start.n_causes() * (m + table_words) + 1);
  }
  std::vector<std::uint64_t> words(first.back());
  Progress silent("", 0, "");
  pass_.team().for_each_unit(
      starts.size(), pass_.n_threads(), silent, [&](std::uint64_t unit, int /*thread*/) {
        const GrownFit found = fit(trial_rows_, starts[unit], options);
        std::uint64_t* to = words.data() + first[unit];
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
  for (std::size_t t = 0; t < trials.size(); ++t) {
    const std::size_t n = starts[t].n_causes();
    GrownFit& trial = trials[t];
    trial.grown.leaks.resize(m);
    for (double& leak : trial.grown.leaks) leak = take();
    trial.grown.failures.assign(n, std::vector<double>(m));
    for (auto& failures : trial.grown.failures) std::ranges::generate(failures, take);
    for (std::size_t c = 0; c < n; ++c) trial.grown.causes.tables.push_back(take_table(take, n));
    trial.log_likelihood = take();
  }
  return trials;
}

/// Trials may be taken together: the causes so far hardly depend on one another.
bool Growth::may_join() const {
  const CauseGraph& causes = state_.fit.grown.causes;
  return options_.join_trials && causes.size() >= constants::growth::least_joining_causes &&
         static_cast<double>(causes.n_edges()) <
             constants::growth::few_edges * static_cast<double>(causes.size());
}

/// The best trial, and those that gain nearly as much and whose causes have hardly any children in
/// common with each other. `before`: log likelihood of the trials' rows without a new cause.
std::vector<std::size_t> Growth::unrelated(const std::vector<GrownFit>& trials,
                                           double before) const {
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t t) { return trials[t].log_likelihood; });
  const double best = trials[order.front()].log_likelihood;
  std::vector<std::size_t> chosen{order.front()};
  for (const std::size_t t : order) {
    const bool is_related = std::ranges::any_of(chosen, [&](std::size_t other) {
      return cosine_of_strengths(trials[t].grown.failures.back(),
                                 trials[other].grown.failures.back()) >
             constants::growth::most_joined_cosine;
    });
    const bool gains_enough =
        trials[t].log_likelihood - before > constants::growth::least_joined_gain * (best - before);
    const std::size_t n_causes = state_.fit.grown.n_causes() + chosen.size();
    if (!is_related && gains_enough && n_causes < model::most_beam_causes) chosen.push_back(t);
  }
  return chosen;
}

/// The first of the `chosen` trials with the causes that the others found.
Grown Growth::joined(const std::vector<GrownFit>& trials,
                     std::span<const std::size_t> chosen) const {
  Grown all = trials[chosen.front()].grown;
  for (const std::size_t t : chosen.subspan(1)) {
    const Grown& other = trials[t].grown;
    all.failures.push_back(other.failures.back());
    all.causes.add_root(other.causes.marginals().back());
    for (std::size_t a = 0; a < all.leaks.size(); ++a) {
      all.leaks[a] =
          std::clamp(all.leaks[a] * std::min(1.0, other.leaks[a] / state_.fit.grown.leaks[a]),
                     constants::growth::least_leak, 1 - constants::growth::least_leak);
    }
  }
  return all;
}

/// The trial that is to be fitted to all rows, and the proposals that its causes come from: the
/// best trial, or as many of the best ones as together gain nearly what each gains by itself.
std::pair<Grown, std::vector<std::size_t>> Growth::best_of(const std::vector<Grown>& starts) const {
  const bool joins = may_join();
  std::vector<Grown> tried = starts;
  if (joins) tried.push_back(state_.fit.grown);
  std::vector<GrownFit> trials = fit_trials(tried);
  if (!joins) {
    const auto best = std::ranges::max_element(trials, {}, &GrownFit::log_likelihood);
    return {best->grown, {static_cast<std::size_t>(best - trials.begin())}};
  }
  const double before = trials.back().log_likelihood;
  trials.pop_back();
  std::vector<std::size_t> chosen = unrelated(trials, before);
  std::vector<Grown> together;
  for (std::size_t n = 2; n <= chosen.size(); ++n) {
    together.push_back(joined(trials, std::span(chosen).first(n)));
  }
  std::vector<GrownFit> joint = fit_trials(together);
  for (; chosen.size() > 1; chosen.pop_back(), joint.pop_back()) {
    double sum = 0;
    for (const std::size_t t : chosen) sum += trials[t].log_likelihood - before;
    const double gain = joint.back().log_likelihood - before;
    if (gain > constants::growth::least_joint_gain * sum) {
      return {std::move(joint.back().grown), std::move(chosen)};
    }
  }
  return {std::move(trials[chosen.front()].grown), std::move(chosen)};
}

bool Growth::grow_some() {
  const ResidualPairs pairs(state_.fit.grown, moments_, pass_.n_threads(), n_rows_);
  const std::vector<Proposal> tried = proposals(pairs);
  if (tried.empty()) return false;
  std::vector<Grown> starts;
  for (const Proposal& p : tried) starts.push_back(with(state_.fit.grown, p, pairs));
  if (options_.pause) options_.pause();
  auto [best, chosen] = best_of(starts);
  GrownFit full = fit(rows_, std::move(best), fit_options(options_.full_passes, n_rows_));
  const double before = score();
  const double after = score(full, n_rows_);
  log::verbose(
      "{} causes: score {:.1f} -> {:.1f}, {:.4f} nats per row, {:.1f} % of the pairs misfit",
      full.grown.n_causes(), before, after, full.log_likelihood / n_rows_,
      100 * pairs.share_beyond(3));
  if (!(after - before > constants::growth::least_gained_share * (before - state_.independent))) {
    for (const Proposal& p : tried) state_.refused.insert({p.a, p.b});
    return false;
  }
  state_.fit = std::move(full);
  for (const std::size_t t : chosen) state_.z.push_back(tried[t].z);
  return true;
}

}  // namespace orrery::quartet
