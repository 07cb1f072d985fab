#include "learning/stages.hpp"

#include "base/progress.hpp"

namespace orrery::learning {
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

}  // namespace orrery::learning
