// The rounds' scans over ranks and threads: every thread has a Scanner, units come from the team,
// rank 0 merges. At 1,000 ranks the first thing to break is the merge: rank 0 gathers up to
// max_candidates from each rank.
//
// Samples that no rank holds whole have their counts made ahead. Units are then taken in order, as
// many at a time as their counts have room for:
//   1. the triples of all variables of a batch of units, in one pass over the rows;
//   2. every rank pretests the batch's pairs (the same everywhere);
//   3. the quartets that remain, as many pairs as fit, in one pass over the rows;
//   4. ranks and threads share the tests of those units; 3 and 4 until the batch is done.
// Cost: that of a scan in memory, and a pass over the rows for each budget_bytes of triples and of
// quartets. At 1,000 ranks the first thing to break is step 2, which no two ranks share.
#include "families/noisy_or/quartet/scan/scan.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>

#include "moments/moment_source.hpp"

namespace orrery::quartet {
namespace {

using parallel::Team;

class AheadScan {
 public:
  AheadScan(const Team& team, int threads, const Round& round, const Options& options, int depth,
            ScanState& state)
      : team_(team),
        threads_(threads),
        round_(round),
        options_(options),
        state_(state),
        plan_(round.m),
        ahead_(*round.moments.counts_ahead()),
        progress_(fmt::format("quartets, round {}", depth), plan_.n_units(), "blocks") {}

  /// False if it was given up half-way.
  bool run_batch();

 private:
  /// Units from the first one left on whose triples fit, and their variables.
  std::uint64_t choose_batch(std::set<std::size_t>& variables) const;
  /// The requests of the next few units.
  void request(std::uint64_t first, std::uint64_t last,
               std::vector<moments::QuartetRequest>& requests, std::size_t& bytes);
  void test(std::uint64_t n_units);
  Scanner& scanner(int thread);

  const Team& team_;
  int threads_;
  const Round& round_;
  const Options& options_;
  ScanState& state_;
  WorkPlan plan_;
  moments::CountsAhead& ahead_;
  Progress progress_;
  std::vector<std::unique_ptr<Scanner>> scanners_;  // of the batch
};

std::uint64_t AheadScan::choose_batch(std::set<std::size_t>& variables) const {
  std::size_t bytes = 0;
  std::uint64_t n = 0;
  for (; n < state_.units.left(); ++n) {
    const PairBlock block = plan_.pairs_of(state_.units.at(n));
    std::vector<std::size_t> added;
    for (std::size_t a = block.first_a; a < block.last_a; ++a) {
      for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
        if (!round_.siblings.has(a, b)) continue;
        for (const std::size_t x : {a, b}) {
          if (variables.insert(x).second) added.push_back(x);
        }
      }
    }
    for (const std::size_t x : added) {
      bytes += moments::CountsAhead::bytes_for(round_.later_siblings(x));
    }
    if (n > 0 && bytes > ahead_.budget_bytes()) {
      for (const std::size_t x : added) variables.erase(x);
      break;
    }
  }
  return n;
}

Scanner& AheadScan::scanner(int thread) {
  auto& scanner = scanners_[static_cast<std::size_t>(thread)];
  if (!scanner) scanner = std::make_unique<Scanner>(round_);
  return *scanner;
}

void AheadScan::request(std::uint64_t first, std::uint64_t last,
                        std::vector<moments::QuartetRequest>& requests, std::size_t& bytes) {
  std::vector<std::vector<moments::QuartetRequest>> parts(last - first);
#pragma omp parallel for num_threads(threads_) schedule(dynamic) default(shared)
  for (std::uint64_t i = first; i < last; ++i) {
    Scanner& own = scanner(omp_get_thread_num());
    const PairBlock block = plan_.pairs_of(state_.units.at(i));
    for (std::size_t a = block.first_a; a < block.last_a; ++a) {
      for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
        if (!round_.siblings.has(a, b) || !own.find_wanted(a, b)) continue;
        parts[i - first].push_back({a, b, round_.siblings.row(a), own.wanted()});
      }
    }
  }
  for (auto& part : parts) {
    for (auto& request : part) {
      bytes += moments::CountsAhead::bytes_for(request.wanted) + 8 * request.wanted.size();
      requests.push_back(std::move(request));
    }
  }
}

void AheadScan::test(std::uint64_t n_units) {
  parallel::Units units{n_units, 0, {}};
  Progress silent("", 0, "");
  (void)team_.run_units(units, threads_, Team::never, silent, [&](std::uint64_t i, int thread) {
    return scanner(thread).scan_block(plan_.pairs_of(state_.units.at(i)), [] { return false; });
  });
}

bool AheadScan::run_batch() {
  std::set<std::size_t> variables;
  std::uint64_t n_batch = choose_batch(variables);
  std::vector<moments::TripleRequest> triples;
  std::vector<std::vector<std::uint64_t>> later;
  for (const std::size_t x : variables) later.push_back(round_.later_siblings(x));
  for (const std::size_t x : variables) triples.push_back({x, later[triples.size()]});
  if (!triples.empty() && !ahead_.count_triples(triples)) return false;
  scanners_.clear();
  scanners_.resize(static_cast<std::size_t>(threads_));

  while (n_batch > 0) {
    std::vector<moments::QuartetRequest> requests;
    std::size_t bytes = 0;
    std::uint64_t n = 0;
    while (n < n_batch && bytes < ahead_.budget_bytes()) {
      const std::uint64_t more =
          std::min<std::uint64_t>(4U * static_cast<unsigned>(threads_), n_batch - n);
      request(n, n + more, requests, bytes);
      n += more;
    }
    std::ranges::sort(requests, {}, [](const auto& r) { return std::pair{r.a, r.b}; });
    if (!requests.empty()) {
      if (!ahead_.count_quartets(requests)) return false;
      test(n);
    }
    state_.units.advance(n, {});
    n_batch -= n;
    progress_.set(state_.units.next);
    merge(team_, scanners_, options_, state_.found);
  }
  return true;
}

/// As scan_quartets, for a source with counts_ahead(): the same result. Pauses come between
/// batches; a stop gives up the batch under way. Collective.
Team::Stretch scan_ahead(const Team& team, int threads, const moments::MomentSource& moments,
                         const moments::Subtraction& learned, const Options& options, int depth,
                         Team::Clock::time_point pause_at, ScanState& state) {
  // Slabs are made anew from counts in memory, which is cheap: a few are enough.
  Options few_slabs = options;
  few_slabs.slab_budget_bytes = std::min(options.slab_budget_bytes, std::size_t{8} << 20U);
  const Round round(moments, learned, few_slabs);
  AheadScan scan(team, threads, round, options, depth, state);
  auto pause = Team::Pause::none;
  while (!state.units.done() && pause == Team::Pause::none) {
    std::vector<std::uint64_t> decision{0, 0};  // a stop, a pause: rank 0 decides
    if (!scan.run_batch() || (team.is_root() && team.stop_requested())) decision[0] = 1;
    if (team.is_root() && Team::Clock::now() >= pause_at) decision[1] = 1;
    team.sum_words(decision);
    if (state.units.done()) break;
    const bool may_pause = pause_at != Team::never;
    if (may_pause && decision[1] > 0) pause = Team::Pause::due;
    if (may_pause && decision[0] > 0) pause = Team::Pause::stop;
  }
  if (state.units.done()) std::sort(state.found.candidates.begin(), state.found.candidates.end());
  return {pause, 0};  // ranks wait for each other at every sum: their balance is not measured
}

}  // namespace

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
