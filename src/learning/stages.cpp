// Stages whose units give numbers that every rank needs; and the first stage of every learner, the
// counts of all pairs.
#include "learning/stages.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "learning/learner.hpp"
#include "learning/sliced_moments.hpp"
#include "orrery/base/error.hpp"
#include "parallel/ledger.hpp"

namespace orrery::learning {

StageWatch::StageWatch(std::vector<Stage>& stages, std::string name)
    : stages_(stages), begin_(parallel::Team::Clock::now()), stage_{std::move(name)} {}

StageWatch::~StageWatch() {
  stage_.seconds = std::chrono::duration<double>(parallel::Team::Clock::now() - begin_).count();
  stage_.imbalance = parallel::imbalance(busy_);
  stages_.push_back(stage_);
  meter_.end(stage_.name);
}

namespace {

using parallel::Team;

/// What the checkpoint has of this stage, at rank 0.
void load(const store::Checkpoint& state, const UnitStage& stage, parallel::Units& units,
          std::vector<double>& values) {
  const auto done = state.words.find(stage.name + "_units");
  if (done == state.words.end()) return;
  const std::vector<double>& stored = array(state.reals, stage.name.c_str());
  const parallel::Units left = unpack_units(done->second);
  require(left.total == units.total && stored.size() == values.size(), stage.name.c_str());
  units = left;
  values = stored;
}

}  // namespace

std::vector<double> unit_values(const Workers& workers, const UnitStage& stage,
                                const UnitWork& work) {
  const Team& team = workers.team;
  Checkpoints& checkpoints = workers.checkpoints;
  StageWatch watch(workers.stages, stage.name);
  parallel::Units units{stage.n_units, 0, {}};
  std::vector<double> own(static_cast<std::size_t>(stage.n_units) * stage.size, 0);
  if (team.is_root()) load(checkpoints.state(), stage, units, own);
  std::vector<std::uint64_t> left = pack(units);
  team.broadcast(left);
  units = unpack_units(left);

  const bool keeps = checkpoints.due() != Team::never;
  Progress progress(stage.name, units.total, stage.unit);
  auto pause = Team::Pause::none;
  std::vector<double> all;
  do {
    const std::uint64_t before = units.left();
    const auto stretch = team.run_units(
        units, workers.threads, checkpoints.pause_at(), progress,
        [&](std::uint64_t unit, int thread) {
          work(unit, thread,
               std::span(own).subspan(static_cast<std::size_t>(unit) * stage.size, stage.size));
          return true;
        });
    watch.add(team, stretch, before - units.left());
    pause = stretch.pause;
    all = own;
    if (team.size() > 1) team.share_values(all);
    if (keeps && team.is_root()) {
      checkpoints.state().reals[stage.name] = all;
      checkpoints.state().words[stage.name + "_units"] = pack(units);
    }
    checkpoints.between_steps(team, pause, [] {});
  } while (pause != Team::Pause::none);
  return all;
}

// Counts of all pairs. Cost: see moments/pair_counts.cpp; m^2 words per rank, and as much again at
// rank 0 when a checkpoint is kept.

namespace {

/// Names in a checkpoint.
struct StateNames {
  explicit StateNames(const std::string& of) : counts(of + "_counts"), units(of + "_units") {}
  std::string counts;  // rows with both on: a <= b, row by row
  std::string units;   // see pack
};

std::vector<std::uint64_t> upper_triangle(const std::vector<std::uint64_t>& both_on,
                                          std::size_t m) {
  std::vector<std::uint64_t> packed;
  packed.reserve(m * (m + 1) / 2);
  for (std::size_t a = 0; a < m; ++a) {
    packed.push_back(both_on[a * m + a]);
    for (std::size_t b = a + 1; b < m; ++b)
      packed.push_back(both_on[a * m + b] + both_on[b * m + a]);
  }
  return packed;
}

/// What the checkpoint has of this stage, at rank 0.
void load(const store::Checkpoint& state, const StateNames& names, std::size_t m,
          parallel::Units& units, std::vector<std::uint64_t>& both_on) {
  const auto counts = state.words.find(names.counts);
  const auto done = state.words.find(names.units);
  if (counts == state.words.end() || done == state.words.end()) return;
  const parallel::Units stored = unpack_units(done->second);
  if (counts->second.size() != m * (m + 1) / 2 || stored.total != units.total) {
    throw InputError(
        "the checkpoint's pair counts are not those of this input; it was not written by orrery: "
        "remove it and start anew");
  }
  units = stored;
  auto next = counts->second.begin();
  for (std::size_t a = 0; a < m; ++a) {
    const auto n = static_cast<std::ptrdiff_t>(m - a);
    std::copy_n(next, n, both_on.begin() + static_cast<std::ptrdiff_t>(a * m + a));
    next += n;
  }
}

}  // namespace

moments::PairCounts count_pairs(const parallel::Team& team, int threads,
                                const data::BitPanels& values, Checkpoints& checkpoints,
                                std::vector<Stage>& stages, const std::string& of) {
  const std::size_t m = values.n_columns();
  const StateNames names(of);
  StageWatch watch(stages, of + "s");
  const moments::PairCounter counter(values);
  parallel::Units units{counter.n_units(), 0, {}};
  std::vector<std::uint64_t> own(m * m, 0);  // this rank's share of the counts
  if (team.is_root()) load(checkpoints.state(), names, m, units, own);
  std::vector<std::uint64_t> left = pack(units);
  team.broadcast(left);
  units = unpack_units(left);

  const bool keeps = checkpoints.due() != parallel::Team::never;
  Progress progress("pairs", units.total, "blocks");
  auto pause = parallel::Team::Pause::none;
  do {
    const std::uint64_t before = units.left();
    const auto stretch = team.run_units(units, threads, checkpoints.due(), progress,
                                        [&](std::uint64_t unit, int /*thread*/) {
                                          counter.count(unit, own);
                                          return true;
                                        });
    watch.add(team, stretch, before - units.left());
    pause = stretch.pause;
    if (keeps) {  // also when done: a later checkpoint spares the counting
      std::vector<std::uint64_t> all = own;
      team.sum_words(all);
      if (team.is_root()) {
        checkpoints.state().words[names.counts] = upper_triangle(all, m);
        checkpoints.state().words[names.units] = pack(units);
      }
    }
    checkpoints.keep(team, pause);
  } while (pause != parallel::Team::Pause::none);
  team.sum_words(own);
  return moments::pair_counts_from_on(m, values.n_rows(), std::move(own));
}

SampleCounts count_sliced_pairs(const parallel::Team& team, int threads, const RowSlices& slices,
                                std::size_t m, std::uint64_t n_rows, Checkpoints& checkpoints,
                                std::vector<Stage>& stages, const std::string& stage) {
  const StageWatch watch(stages, stage);
  std::vector<std::uint64_t> on(m * m, 0);
  std::vector<std::uint64_t> missing(slices.may_miss() ? m * m : 0, 0);
  std::vector<std::uint64_t> others{0, 0};  // incomplete rows, ranks that gave up
  const auto count = [&](const data::BitPanels& bits, std::vector<std::uint64_t>& both) {
    const moments::PairCounter counter(bits);
#pragma omp parallel for num_threads(threads) schedule(dynamic) default(shared)
    for (std::size_t unit = 0; unit < counter.n_units(); ++unit) counter.count(unit, both);
  };
  std::optional<parallel::SharedTime> time(threads);
  const bool whole = slices.for_each([&](const RowSlices::Slice& rows) {
    count(rows.values, on);
    if (rows.missing) {
      count(*rows.missing, missing);
      others[0] += count_incomplete_rows(*rows.missing);
    }
    return !team.stop_requested();
  });
  time.reset();
  others[1] = whole ? 0 : 1;
  team.sum_words(others);
  if (others[1] > 0) checkpoints.keep(team, parallel::Team::Pause::stop);
  team.sum_words(on);
  SampleCounts counts{moments::pair_counts_from_on(m, n_rows, std::move(on)), std::nullopt,
                      others[0]};
  if (slices.may_miss()) {
    team.sum_words(missing);
    counts.observed = moments::pair_counts_from_on(m, n_rows, std::move(missing));
  }
  return counts;
}

}  // namespace orrery::learning
