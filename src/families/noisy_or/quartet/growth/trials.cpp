// A step of growth: pairs of variables that come together more often than the network explains
// propose causes, which are tried on some thousand rows. The best is fitted to all rows.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/growth/growth.hpp"
#include "families/noisy_or/quartet/growth/packed_table.hpp"

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

}  // namespace orrery::quartet
