#include "families/categorical/structural_em/search.hpp"

#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/structural_em/hill_climbing.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "learning/stages.hpp"

namespace orrery::structural_em {
namespace {

using learning::Workers;

class Search {
 public:
  Search(const Data& data, const Options& options, std::uint64_t seed, const std::string& source,
         const Workers& workers)
      : data_(data), options_(options), seed_(seed), source_(source), workers_(workers) {
    auto stored = load_everywhere(workers.team, workers.checkpoints.state(), start(0));
    if (stored) {
      state_ = std::move(*stored);
    } else {
      begin_restart(0);
    }
  }

  [[nodiscard]] Fit run() {
    learning::StageWatch watch(workers_.stages, "structural_em");
    Progress progress("structural EM", 0, "passes");
    try {
      while (state_.restart < options_.restarts) {
        while (!state_.trial.is_done) {
          advance(data_, settings(), state_.trial);
          watch.add(workers_.team, {}, 1);
          progress.advance();
          keep();
        }
        judge();
      }
    } catch (const learning::TimeUp&) {
      return best_so_far();
    }
    return std::move(*state_.best);
  }

 private:
  [[nodiscard]] model::CategoricalNetwork start(std::uint64_t restart) const {
    return random_start(data_.table, options_.causes, options_.cardinality, options_.start, seed_,
                        restart, source_);
  }

  /// When the time is over: the best structure of those that EM has judged, else the one under EM.
  [[nodiscard]] Fit best_so_far() {
    const bool has_better =
        state_.accepted && (!state_.best || state_.accepted->score > state_.best->score);
    if (has_better) return std::move(*state_.accepted);
    if (state_.best) return std::move(*state_.best);
    Fit& trial = state_.trial;
    const ExpectedCounts counts = expected_counts(trial.network, data_);
    trial.score = score_of(trial.network, counts, data_.table.n_rows, options_.fit.score);
    return std::move(trial);
  }

  void begin_restart(std::uint64_t restart) {
    state_.restart = restart;
    state_.is_early = options_.early_passes > 0;
    state_.trial.network = start(restart);
  }

  [[nodiscard]] FitSettings settings() const {
    FitSettings settings = options_.fit;
    if (state_.is_early) settings.max_passes = options_.early_passes;
    return settings;
  }

  void keep() {
    workers_.checkpoints.between_steps(workers_.team, [&] {
      if (workers_.team.is_root()) save(state_, workers_.checkpoints.state());
    });
  }

  /// EM has ended: is the structure better than the one it came from, and what is tried next?
  /// First all variables change; if that makes things worse once EM has answered, the better half
  /// of the changes, and so on down to the best alone.
  void judge() {
    const double least_gain = options_.fit.tolerance * static_cast<double>(data_.table.n_rows);
    const bool is_better =
        !state_.accepted || state_.trial.score > state_.accepted->score + least_gain;
    if (is_better) {
      state_.accepted = std::move(state_.trial);
      has_climbed_ = false;
    }
    if (!has_climbed_) {
      changes_ = climb(state_.accepted->network, data_, options_.fit.score);
      has_climbed_ = true;
    }
    state_.n_changes = is_better ? changes_.size() : state_.n_changes / 2;
    state_.trial = {};
    if (state_.n_changes == 0) {
      end_phase();
    } else {
      state_.trial.network =
          changed(state_.accepted->network, changes_, state_.n_changes, options_.fit.score.alpha);
    }
  }

  /// No climb leads further: EM goes on until it has converged, and then the search.
  void end_phase() {
    has_climbed_ = false;
    if (!state_.is_early) return end_restart();
    state_.is_early = false;
    state_.trial.network = std::move(state_.accepted->network);
    state_.accepted.reset();
  }

  void end_restart() {
    const Fit& found = *state_.accepted;
    log::verbose("restart {}: score {:.4f}, {} edges", state_.restart, found.score,
                 found.network.n_edges());
    if (!state_.best || found.score > state_.best->score) state_.best = std::move(state_.accepted);
    state_.accepted.reset();
    begin_restart(state_.restart + 1);
  }

  const Data& data_;
  const Options& options_;
  std::uint64_t seed_;
  const std::string& source_;
  const Workers& workers_;
  State state_;
  std::vector<Change> changes_;  // of the accepted structure, once has_climbed_
  bool has_climbed_ = false;
};

}  // namespace

Fit search(const data::CategoricalTable& table, const Options& options, std::uint64_t seed,
           const std::string& source, const Workers& workers) {
  const learning::RowShare rows(workers.team, workers.threads, table.n_rows);
  const Data data{table, rows};
  return Search(data, options, seed, source, workers).run();
}

}  // namespace orrery::structural_em
