// Units are drawn evenly over the plan, one of every k in a row, and scanned in their order, as a
// run would. Two things do not grow with the number of units: slabs are made once and kept, so a
// sample makes too many for its pairs, and they are timed apart; and a cause needs one of its
// quartets only, so a sample finds nearly all. What is assumed: work on pairs grows with
// pair_weight, work on slabs with k (m - a).
#include "families/noisy_or/quartet/scan/thinned_round.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <list>
#include <memory>
#include <numeric>
#include <utility>

#include "base/work_time.hpp"
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a scan of some units took.
struct Sample {
  std::vector<std::uint64_t> done;  // units, rising
  double weight = 0;                // of their pairs
  double whole_weight = 0;          // of those of whole units, whose quartets are in `found`
  std::uint64_t n_pairs = 0;        // of siblings
  std::uint64_t n_open = 0;         // of these: a triple passes
  double slab_seconds = 0;
  double pair_seconds = 0;
  ScanResult found;
};

/// Weight of the first `n` pairs of siblings of a block.
double weight_of(const SiblingGraph& siblings, const PairBlock& block, std::size_t n) {
  double weight = 0;
  for (std::size_t a = block.first_a; a < block.last_a; ++a) {
    for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
      if (!siblings.has(a, b)) continue;
      if (n-- == 0) return weight;
      weight += pair_weight(siblings, a, b);
    }
  }
  return weight;
}

using Scanners = std::vector<std::unique_ptr<Scanner>>;  // one per thread, made when it is needed

/// One thread's part: units from `next` on until the time is up, one pair at least.
Sample scan_part(const Round& round, const WorkPlan& plan, const std::vector<std::uint64_t>& units,
                 std::atomic<std::size_t>& next, Clock::time_point end,
                 std::unique_ptr<Scanner>& scanner) {
  const double begin = thread_seconds();
  if (!scanner) scanner = std::make_unique<Scanner>(round);
  const double slabs_before = scanner->slab_seconds();
  const std::uint64_t open_before = scanner->n_open_pairs();
  Sample part;
  for (std::size_t i = next++; i < units.size() && (part.done.empty() || Clock::now() < end);
       i = next++) {
    const PairBlock block = plan.pairs_of(units[i]);
    std::size_t n_begun = 0;
    const bool whole =
        scanner->scan_block(block, [&] { return ++n_begun > 1 && Clock::now() >= end; });
    part.n_pairs += n_begun;
    const double weight = weight_of(round.siblings, block, whole ? n_begun : n_begun - 1);
    part.weight += weight;
    if (whole) part.whole_weight += weight;
    part.done.push_back(units[i]);
  }
  part.found = scanner->take();
  part.n_open = scanner->n_open_pairs() - open_before;
  part.slab_seconds = scanner->slab_seconds() - slabs_before;
  part.pair_seconds = thread_seconds() - begin - part.slab_seconds;
  return part;
}

/// Scans the units in their order until the time is up.
Sample scan_some(const Round& round, const WorkPlan& plan, const std::vector<std::uint64_t>& units,
                 Clock::time_point end, Scanners& scanners, learning::Timing& timing) {
  const auto begin = Clock::now();
  const auto threads = static_cast<int>(scanners.size());
  std::atomic<std::size_t> next{0};
  std::vector<Sample> parts(scanners.size());
  std::exception_ptr failure;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (std::size_t t = 0; t < parts.size(); ++t) {
    try {
      parts[t] = scan_part(round, plan, units, next, end, scanners[t]);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  Sample sample;
  for (const Sample& part : parts) {
    sample.weight += part.weight;
    sample.whole_weight += part.whole_weight;
    sample.n_pairs += part.n_pairs;
    sample.n_open += part.n_open;
    sample.slab_seconds += part.slab_seconds;
    sample.pair_seconds += part.pair_seconds;
    sample.done.insert(sample.done.end(), part.done.begin(), part.done.end());
    sample.found.n_accepted += part.found.n_accepted;
    sample.found.candidates.insert(sample.found.candidates.end(), part.found.candidates.begin(),
                                   part.found.candidates.end());
  }
  std::ranges::sort(sample.done);
  timing.gave(sample.slab_seconds + sample.pair_seconds, seconds_since(begin), threads);
  return sample;
}

/// One unit of every `stride` in a row, at a place that looks random: rows of blocks have a rhythm.
std::vector<std::uint64_t> every(const std::vector<std::uint64_t>& units, std::size_t stride) {
  std::vector<std::uint64_t> some;
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < units.size(); i += stride) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::size_t at = i + (state >> 33U) % stride;
    if (at < units.size()) some.push_back(units[at]);
  }
  return some;
}

/// As many of the units as fit in the time, by a first guess from a few of them.
Sample scan_sample(const Round& round, const WorkPlan& plan,
                   const std::vector<std::uint64_t>& units, std::size_t threads, double seconds,
                   learning::Timing& timing) {
  const auto begin = Clock::now();
  const std::size_t n_few = std::min(units.size(), 8 * threads);
  Scanners scanners(threads);
  Sample guess = scan_some(round, plan, every(units, (units.size() + n_few - 1) / n_few),
                           after(seconds / 2), scanners, timing);
  const double left = seconds - seconds_since(begin);
  if (guess.done.size() == units.size() || left < seconds / 8) return guess;
  // Slabs make the guess high: a little too much is begun, the end is kept anyway.
  const double whole = seconds_since(begin) / static_cast<double>(guess.done.size()) *
                       static_cast<double>(units.size());
  const auto stride = whole < 2 * left ? 1 : static_cast<std::size_t>(whole / left);
  // The whole begins as a run does; a sample goes on with slabs that have their memory already, as
  // a run has after its first moments.
  if (stride == 1) scanners = Scanners(threads);
  return scan_some(round, plan, every(units, stride), after(1.5 * left), scanners, timing);
}

/// Lines 7 to 10 of the paper's Algorithm 1 on the sample's candidates.
void choose(const Round& round, Clock::time_point end, State& state, RoundForecast& forecast) {
  std::vector<Candidate>& candidates = state.scan.found.candidates;
  const double begin = thread_seconds();
  double extending = 0;
  std::sort(candidates.begin(), candidates.end());
  for (const Candidate& candidate : candidates) {
    if (Clock::now() >= end) break;
    if (state.overlaps(candidate, round.m)) continue;
    const double extend_begin = thread_seconds();
    const auto estimate =
        mixture(moments::adjusted_quartet(round.moments, round.learned, candidate.members));
    if (estimate) {
      const auto failures = failures_of(round.moments, round.learned, *estimate, candidate.members,
                                        {round.options.tau_e, round.options.extend}, 0, round.m);
      state.failures.insert(state.failures.end(), failures.begin(), failures.end());
      state.causes.push_back({estimate->prior, {}});
    }
    extending += thread_seconds() - extend_begin;
  }
  forecast.choose_seconds = thread_seconds() - begin - extending;
  forecast.extend_seconds = extending;
}

/// The vote of the sample's candidates.
void choose_by_vote(const Round& round, Clock::time_point end, State& state,
                    RoundForecast& forecast) {
  std::vector<Candidate>& candidates = state.scan.found.candidates;
  if (Clock::now() >= end || candidates.empty()) return;
  const parallel::Team alone;
  double begin = thread_seconds();
  const auto lap = [&begin] {
    const double last = std::exchange(begin, thread_seconds());
    return begin - last;
  };
  std::sort(candidates.begin(), candidates.end());
  forecast.choose_seconds = lap();
  const Signatures signatures(alone, 1, round.moments, *round.calibration, candidates);
  forecast.extend_seconds = lap();
  std::vector<Cluster> clusters = vote(candidates, signatures);
  forecast.choose_seconds += lap();
  for (const Elected& cause :
       estimate_causes(alone, 1, round.moments, round.learned, *round.calibration,
                       std::move(clusters), candidates)) {
    if (!state.knows(cause)) state.add(cause);
  }
  forecast.extend_seconds += lap();
}

}  // namespace

SlabUse slab_use(const WorkPlan& plan, const SiblingGraph& siblings,
                 const std::vector<std::uint64_t>& units, double open, std::size_t kept,
                 std::size_t workers) {
  const std::size_t m = siblings.n_variables();
  struct Slot {
    std::size_t variable;
    std::size_t bytes;  // never given back
  };
  struct Worker {
    std::list<Slot> slots;  // most recently used first
    std::vector<std::list<Slot>::iterator> where;
  };
  std::vector<Worker> all(workers);
  for (Worker& worker : all) worker.where.assign(m, worker.slots.end());
  std::vector<std::size_t> n_later(m);
  for (std::size_t a = 0; a < m; ++a) n_later[a] = siblings.n_later(a);
  SlabUse use;
  const auto ask = [&](Worker& worker, std::size_t a) {
    auto& [slots, where] = worker;
    if (where[a] == slots.end()) {
      use.work += static_cast<double>(n_later[a] * (m - a));
      if (slots.size() < kept) {
        slots.push_back({m, 0});
      } else {
        where[slots.back().variable] = slots.end();
      }
      where[a] = std::prev(slots.end());
      where[a]->variable = a;
      where[a]->bytes = std::max(where[a]->bytes, slab_bytes(m, n_later[a]));
    }
    slots.splice(slots.begin(), slots, where[a]);
  };
  for (std::size_t i = 0; i < units.size(); ++i) {
    const PairBlock block = plan.pairs_of(units[i]);
    for (std::size_t a = block.first_a; a < block.last_a; ++a) {
      for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
        if (!siblings.has(a, b)) continue;
        ask(all[i % workers], a);
        const std::uint64_t lot = (a * m + b) * 0x9e3779b97f4a7c15U;
        if (static_cast<double>(lot >> 11U) * 0x1p-53 < open) ask(all[i % workers], b);
      }
    }
  }
  for (const Worker& worker : all) {
    double bytes = 0;
    for (const Slot& slot : worker.slots) bytes += static_cast<double>(slot.bytes);
    use.bytes += bytes / static_cast<double>(workers);
  }
  return use;
}

RoundForecast thinned_round(const moments::MomentSource& moments, const Options& options,
                            const learning::Resources& resources, double seconds, State& state,
                            learning::Timing& timing) {
  RoundForecast forecast;
  const double begin = thread_seconds();
  const moments::Subtraction learned = state.learned_before(moments.n_observed());
  const Round round(moments, learned, options);
  forecast.setup_seconds = thread_seconds() - begin;
  const WorkPlan plan(round.m);
  const std::vector<double> weights = plan.weights(round.siblings);
  std::vector<std::uint64_t> units;
  for (std::uint64_t unit = 0; unit < weights.size(); ++unit) {
    if (weights[unit] > 0) units.push_back(unit);
  }
  if (units.empty()) return forecast;
  const auto threads = static_cast<std::size_t>(resources.threads);
  Sample sample = scan_sample(round, plan, units, threads, seconds, timing);
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  // Where too little was scanned to weigh anything, units are counted.
  const double share = sample.weight > 0 ? sample.weight / weight
                                         : static_cast<double>(sample.done.size()) /
                                               static_cast<double>(units.size());
  forecast.whole = sample.done.size() == units.size();
  const std::size_t workers =
      std::min<std::size_t>(64, threads * static_cast<std::size_t>(resources.ranks));
  const double open = static_cast<double>(sample.n_open) / static_cast<double>(sample.n_pairs);
  const SlabUse use = slab_use(plan, round.siblings, units, open, round.slabs_kept, workers);
  const double slabs =
      use.work / slab_use(plan, round.siblings, sample.done, open, round.slabs_kept, threads).work;
  forecast.thread_bytes = use.bytes + static_cast<double>(moments.walker_bytes());
  forecast.scan_seconds = sample.pair_seconds / share + sample.slab_seconds * slabs;
  // Weights are quartets of siblings: where no unit was done, they may all be accepted.
  forecast.n_accepted = sample.whole_weight > 0 ? static_cast<double>(sample.found.n_accepted) *
                                                      weight / sample.whole_weight
                                                : weight;

  state.scan.found = std::move(sample.found);
  const auto n_candidates = static_cast<double>(state.scan.found.candidates.size());
  if (round.calibration) {
    choose_by_vote(round, after(seconds), state, forecast);
  } else {
    choose(round, after(seconds), state, forecast);
  }
  if (n_candidates > 0) {
    forecast.choose_seconds *=
        std::min(forecast.n_accepted, static_cast<double>(options.max_candidates)) / n_candidates;
  }
  return forecast;
}

}  // namespace orrery::quartet
