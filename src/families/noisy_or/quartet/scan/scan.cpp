// The rounds' scans over ranks and threads: every thread has a Scanner, units come from the team,
// rank 0 merges. At 1,000 ranks the first thing to break is the merge: rank 0 gathers up to
// max_candidates from each rank.
#include "families/noisy_or/quartet/scan/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "families/noisy_or/quartet/scan/scan_ahead.hpp"

namespace orrery::quartet {

void merge(const parallel::Team& team, std::vector<std::unique_ptr<Scanner>>& scanners,
           const Options& options, ScanResult& merged) {
  std::vector<Candidate> own;
  std::vector<std::uint64_t> totals(2, 0);
  for (const auto& scanner : scanners) {
    if (!scanner) continue;
    const ScanResult part = scanner->take();
    own.insert(own.end(), part.candidates.begin(), part.candidates.end());
    totals[0] += part.n_pretested;
    totals[1] += part.n_accepted;
  }
  keep_best(own, options.max_candidates);
  team.sum_words(totals);
  merged.n_pretested += totals[0];
  merged.n_accepted += totals[1];
  const std::vector<Candidate> all = team.gather(own);
  merged.candidates.insert(merged.candidates.end(), all.begin(), all.end());
  keep_best(merged.candidates, options.max_candidates);
}

parallel::Team::Stretch scan_quartets(const parallel::Team& team, int threads,
                                      const moments::MomentSource& moments,
                                      const moments::Subtraction& learned, const Options& options,
                                      int depth, parallel::Team::Clock::time_point pause_at,
                                      ScanState& state) {
  if (moments.counts_ahead() != nullptr) {
    return scan_ahead(team, threads, moments, learned, options, depth, pause_at, state);
  }
  const Round round(moments, learned, options);
  const WorkPlan plan(round.m);
  state.units.total = plan.n_units();
  std::vector<std::unique_ptr<Scanner>> scanners(static_cast<std::size_t>(threads));
  Progress progress(fmt::format("quartets, round {}", depth), plan.n_units(), "blocks");
  const auto stops = [&] { return pause_at != parallel::Team::never && team.stop_requested(); };
  const auto stretch =
      team.run_units(state.units, threads, pause_at, progress, [&](std::uint64_t unit, int thread) {
        auto& scanner = scanners[static_cast<std::size_t>(thread)];
        if (!scanner) scanner = std::make_unique<Scanner>(round);
        return scanner->scan_block(plan.pairs_of(unit), stops);
      });
  merge(team, scanners, options, state.found);
  if (state.units.done()) std::sort(state.found.candidates.begin(), state.found.candidates.end());
  return stretch;
}

}  // namespace orrery::quartet
