#include "families/categorical/structural_em/search.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "learning/checkpoints.hpp"
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

// ---- what a checkpoint keeps

namespace {

using learning::array;
using learning::require;

constexpr const char* stage = "stage";  // restart, early, changes, accepted is there, best is there
// Of a fit: passes, done, converged; then the number of each variable's parents, and these.
constexpr const char* words_of[] = {"trial_parents", "accepted_parents", "best_parents"};
// Objective, score; priors; of each variable the table, and the counts if there are any.
constexpr const char* reals_of[] = {"trial_tables", "accepted_tables", "best_tables"};

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void put_fit(const Fit& fit, std::vector<std::uint64_t>& words, std::vector<double>& reals) {
  words = {fit.n_passes, fit.is_done ? 1U : 0U, fit.has_converged ? 1U : 0U};
  reals = {fit.objective, fit.score};
  for (const auto& cause : fit.network.causes()) append(reals, cause.prior);
  for (const auto& variable : fit.network.variables()) {
    words.push_back(variable.parents.size());
    words.push_back(variable.counts.empty() ? 0 : 1);
    words.insert(words.end(), variable.parents.begin(), variable.parents.end());
    append(reals, variable.table);
    append(reals, variable.counts);
  }
}

/// Takes numbers off the front.
template <class T>
class Reader {
 public:
  Reader(const std::vector<T>& values, const char* name) : rest_(values), name_(name) {}

  [[nodiscard]] std::span<const T> take(std::uint64_t n) {
    require(n <= rest_.size(), name_);
    const auto front = rest_.first(n);
    rest_ = rest_.subspan(n);
    return front;
  }
  [[nodiscard]] T next() { return take(1)[0]; }
  void end() const { require(rest_.empty(), name_); }

 private:
  std::span<const T> rest_;
  const char* name_;
};

std::vector<double> take_positive(Reader<double>& reals, std::size_t n, const char* name) {
  const auto values = reals.take(n);
  require(std::ranges::all_of(values, [](double x) { return x > 0 && std::isfinite(x); }), name);
  return {values.begin(), values.end()};
}

void take_variable(const std::vector<model::CategoricalCause>& causes, Reader<std::uint64_t>& words,
                   Reader<double>& reals, std::size_t part, model::CategoricalVariable& variable) {
  const std::uint64_t n_parents = words.next();
  const bool has_counts = words.next() != 0;
  std::size_t n_entries = variable.n_categories();
  variable.parents.clear();
  for (const std::uint64_t parent : words.take(n_parents)) {
    require(
        parent < causes.size() && (variable.parents.empty() || variable.parents.back() < parent),
        words_of[part]);
    variable.parents.push_back(static_cast<std::uint32_t>(parent));
    n_entries *= causes[parent].cardinality();
  }
  variable.table = take_positive(reals, n_entries, reals_of[part]);
  variable.counts = take_positive(reals, has_counts ? n_entries : 0, reals_of[part]);
}

Fit take_fit(const store::Checkpoint& checkpoint, const model::CategoricalNetwork& like,
             std::size_t part) {
  Reader<std::uint64_t> words(array(checkpoint.words, words_of[part]), words_of[part]);
  Reader<double> reals(array(checkpoint.reals, reals_of[part]), reals_of[part]);
  Fit fit;
  fit.n_passes = words.next();
  fit.is_done = words.next() != 0;
  fit.has_converged = words.next() != 0;
  fit.objective = reals.next();
  fit.score = reals.next();
  require(std::isfinite(fit.objective) && std::isfinite(fit.score), reals_of[part]);
  std::vector<model::CategoricalCause> causes = like.causes();
  for (auto& cause : causes)
    cause.prior = take_positive(reals, cause.cardinality(), reals_of[part]);
  std::vector<model::CategoricalVariable> variables = like.variables();
  for (auto& variable : variables) take_variable(causes, words, reals, part, variable);
  words.end();
  reals.end();
  fit.network = {std::move(causes), std::move(variables)};
  return fit;
}

State load(const store::Checkpoint& checkpoint, const model::CategoricalNetwork& like) {
  const auto& begun = array(checkpoint.words, stage);
  require(begun.size() == 5 && begun[2] <= like.n_observed(), stage);
  State state;
  state.restart = begun[0];
  state.is_early = begun[1] != 0;
  state.n_changes = begun[2];
  state.trial = take_fit(checkpoint, like, 0);
  if (begun[3] != 0) state.accepted = take_fit(checkpoint, like, 1);
  if (begun[4] != 0) state.best = take_fit(checkpoint, like, 2);
  return state;
}

}  // namespace

void save(const State& state, store::Checkpoint& checkpoint) {
  checkpoint.words.clear();
  checkpoint.reals.clear();
  checkpoint.words[stage] = {state.restart, state.is_early ? 1U : 0U, state.n_changes,
                             state.accepted ? 1U : 0U, state.best ? 1U : 0U};
  const Fit* fits[] = {&state.trial, state.accepted ? &*state.accepted : nullptr,
                       state.best ? &*state.best : nullptr};
  for (std::size_t part = 0; part < std::size(fits); ++part) {
    auto& words = checkpoint.words[words_of[part]];
    auto& reals = checkpoint.reals[reals_of[part]];
    if (fits[part] != nullptr) put_fit(*fits[part], words, reals);
  }
}

std::optional<State> load_everywhere(const parallel::Team& team,
                                     const store::Checkpoint& checkpoint,
                                     const model::CategoricalNetwork& like) {
  store::Checkpoint arrays;
  std::vector<int> begun{0};
  if (team.is_root() && checkpoint.words.contains(stage)) {
    (void)load(checkpoint, like);  // what is wrong is said once
    arrays.words = checkpoint.words;
    arrays.reals = checkpoint.reals;
    begun[0] = 1;
  }
  team.broadcast(begun);
  if (begun[0] == 0) return std::nullopt;
  team.broadcast(arrays.words[stage]);
  for (const char* name : words_of) team.broadcast(arrays.words[name]);
  for (const char* name : reals_of) team.broadcast(arrays.reals[name]);
  return load(arrays, like);
}

}  // namespace orrery::structural_em
