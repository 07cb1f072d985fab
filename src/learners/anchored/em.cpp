#include "learners/anchored/em.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/data/bits.hpp"
#include "orrery/learners/row_pass.hpp"
#include "orrery/learners/stage_watch.hpp"
#include "orrery/model/cause_draws.hpp"

namespace orrery::anchored {
namespace {

constexpr const char* kept_step = "em_step";
constexpr const char* kept_parameters = "em_parameters";
constexpr const char* kept_states = "em_states";
constexpr const char* kept_told = "em_told";
constexpr std::size_t numbers_told = 5;

/// Where the sums of a step stand. An edge is one of the start's loadings, in their order.
struct Places {
  std::size_t n, m, n_edges;

  [[nodiscard]] std::size_t cause_on(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t succeeded(std::size_t edge) const { return n + 2 * edge; }
  /// Draws in which the cause is on, but another has succeeded before.
  [[nodiscard]] std::size_t not_tried(std::size_t edge) const { return n + 2 * edge + 1; }
  [[nodiscard]] std::size_t leaked(std::size_t j) const { return n + 2 * n_edges + j; }
  [[nodiscard]] std::size_t draws() const { return n + 2 * n_edges + m; }
  [[nodiscard]] std::size_t fit() const { return draws() + 1; }
  [[nodiscard]] std::size_t log_likelihood() const { return draws() + 2; }
  [[nodiscard]] std::size_t exact() const { return draws() + 3; }
  [[nodiscard]] std::size_t impossible() const { return draws() + 4; }
  [[nodiscard]] std::size_t size() const { return draws() + 5; }
};

/// Failures and leaks as they come to be, beside what does not change.
class Em {
 public:
  Em(const learners::UnitMeans& means, const model::AnchoredNetwork& start,
     const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options);

  EmResult run();

 private:
  struct Link {
    std::uint32_t cause;
    std::uint32_t edge;
  };
  struct Scratch {
    model::CauseDraws draws;
    std::vector<model::CauseState> known;
    std::vector<std::uint8_t> state;
    std::vector<double> first;
  };

  [[nodiscard]] model::AnchoredNetwork network() const;
  EmStep expect(std::uint32_t step, std::vector<double>& sums);
  void visit_row(Scratch& mine, std::uint32_t step, std::uint64_t row,
                 std::span<const std::uint64_t> values, std::span<double> sums);
  void count_draw(Scratch& mine, std::span<const std::uint64_t> values, double weight,
                  std::span<double> sums) const;
  double count_positive(Scratch& mine, std::size_t j, double weight, std::span<double> sums) const;
  void read_known(std::uint64_t row, std::vector<model::CauseState>& known) const;
  double maximise(std::span<const double> sums);
  std::uint32_t resume();
  void keep(std::uint32_t next_step);

  [[nodiscard]] std::size_t n_words() const { return (places_.n + 63) / 64; }

  const learners::UnitMeans& means_;
  const model::AnchoredNetwork& start_;
  const data::BitPanels& rows_;
  KnownCauses known_;
  EmOptions options_;
  Places places_;
  std::vector<double> failure_, leak_;
  std::vector<std::vector<Link>> parents_;
  // log P(x = 0) of all variables by leaks alone, and what each cause adds to it if it is on.
  double log_quiet_ = 0;
  std::vector<double> log_silent_;
  std::vector<std::uint64_t> states_, next_states_;  // n_words() a row; all 0: no chain has begun
  std::vector<EmStep> told_;
};

Em::Em(const learners::UnitMeans& means, const model::AnchoredNetwork& start,
       const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options)
    : means_(means),
      start_(start),
      rows_(rows),
      known_(known),
      options_(options),
      places_{start.n_causes(), start.n_observed(), start.loadings().edges().size()},
      parents_(start.n_observed()) {
  // Inside (0, 1): what is 0 or 1 would stay so, and may make rows impossible.
  const double least = 1e-6;
  for (const model::Edge& edge : start.loadings().edges()) {
    parents_[edge.observed].push_back({edge.cause, static_cast<std::uint32_t>(failure_.size())});
    failure_.push_back(std::clamp(edge.failure, least, 1 - least));
  }
  for (const auto& one : start.loadings().observed()) {
    leak_.push_back(std::clamp(one.leak, least, 1 - least));
  }
  states_.assign(rows.n_rows() * n_words(), 0);
}

model::AnchoredNetwork Em::network() const {
  auto observed = start_.loadings().observed();
  auto edges = start_.loadings().edges();
  for (std::size_t j = 0; j < leak_.size(); ++j) observed[j].leak = leak_[j];
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].failure = failure_[e];
  return {{start_.loadings().causes(), std::move(observed), std::move(edges)},
          start_.causes(),
          start_.anchors()};
}

// --------------------------------------------------------------------------------------- E-step

EmStep Em::expect(std::uint32_t step, std::vector<double>& sums) {
  const model::AnchoredNetwork now = network();
  const model::PreparedAnchored prepared(now);
  log_quiet_ = prepared.log_quiet();
  log_silent_.clear();
  for (std::size_t i = 0; i < places_.n; ++i) log_silent_.push_back(prepared.log_silent(i));
  std::vector<Scratch> scratch;
  for (int t = 0; t < means_.threads; ++t) {
    scratch.push_back(
        {model::CauseDraws(prepared, {options_.exact_work, options_.burn_in, options_.seed}),
         {},
         std::vector<std::uint8_t>(places_.n),
         {}});
  }
  next_states_.assign(states_.size(), 0);
  const learners::RowPass pass(means_.team, means_.threads, rows_, nullptr);
  sums = pass.sum(places_.size(),
                  [&](const learners::RowBlock& block, int thread, std::span<double> of_block) {
                    for (std::size_t r = 0; r < block.n_rows; ++r) {
                      visit_row(scratch[static_cast<std::size_t>(thread)], step,
                                block.first_row + r, block.row(r), of_block);
                    }
                  });
  // Each row was one rank's.
  means_.team.sum_words(next_states_);
  states_.swap(next_states_);

  EmStep told;
  const auto n_possible = static_cast<double>(rows_.n_rows()) - sums[places_.impossible()];
  told.n_exact = static_cast<std::uint64_t>(sums[places_.exact()]);
  told.n_impossible = static_cast<std::uint64_t>(sums[places_.impossible()]);
  if (n_possible == 0) {
    throw InputError(
        "--em: no row is possible under the network of causes that was learned; leave out --em, or "
        "check the anchors");
  }
  told.fit = sums[places_.fit()] / n_possible;
  told.log_likelihood = static_cast<double>(told.n_exact) == n_possible
                            ? sums[places_.log_likelihood()] / n_possible
                            : std::numeric_limits<double>::quiet_NaN();
  return told;
}

void Em::read_known(std::uint64_t row, std::vector<model::CauseState>& known) const {
  known.clear();
  if (known_.values == nullptr) return;
  for (std::size_t i = 0; i < places_.n; ++i) {
    const bool is_known = known_.known == nullptr || known_.known->at(row, i);
    known.push_back(!is_known                   ? model::CauseState::unknown
                    : known_.values->at(row, i) ? model::CauseState::on
                                                : model::CauseState::off);
  }
}

void Em::visit_row(Scratch& mine, std::uint32_t step, std::uint64_t row,
                   std::span<const std::uint64_t> values, std::span<double> sums) {
  read_known(row, mine.known);
  const std::size_t first = row * n_words();
  std::span<const std::uint8_t> begin;
  if (step > 0) {
    for (std::size_t i = 0; i < places_.n; ++i) {
      mine.state[i] = static_cast<std::uint8_t>((states_[first + i / 64] >> (i % 64)) & 1U);
    }
    begin = mine.state;
  }
  if (!mine.draws.read(row, step, values, {}, mine.known, begin)) {
    sums[places_.impossible()] += 1;
    return;
  }
  if (mine.draws.is_exact()) {
    sums[places_.exact()] += 1;
    sums[places_.log_likelihood()] += mine.draws.log_evidence();
  }
  for (std::uint32_t d = 0; d < options_.n_draws; ++d) {
    mine.draws.draw(mine.state);
    count_draw(mine, values, 1.0 / options_.n_draws, sums);
  }
  for (std::size_t i = 0; i < places_.n; ++i) {
    if (mine.state[i] != 0) next_states_[first + i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

void Em::count_draw(Scratch& mine, std::span<const std::uint64_t> values, double weight,
                    std::span<double> sums) const {
  sums[places_.draws()] += weight;
  double fit = log_quiet_;
  for (std::size_t i = 0; i < places_.n; ++i) {
    if (mine.state[i] == 0) continue;
    sums[places_.cause_on(i)] += weight;
    fit += log_silent_[i];
  }
  data::for_each_bit(values, [&](std::size_t j) { fit += count_positive(mine, j, weight, sums); });
  sums[places_.fit()] += weight * fit;
}

/// Eq. (24): who was the first to switch x_j on. Returns log P(x_j = 1 | y) - log P(x_j = 0 | y).
double Em::count_positive(Scratch& mine, std::size_t j, double weight,
                          std::span<double> sums) const {
  mine.first.clear();
  double any = leak_[j], none = 1 - leak_[j];
  for (const Link& link : parents_[j]) {
    if (mine.state[link.cause] == 0) continue;
    mine.first.push_back(none * (1 - failure_[link.edge]));
    any += mine.first.back();
    none *= failure_[link.edge];
  }
  sums[places_.leaked(j)] += weight * leak_[j] / any;
  double before = leak_[j];
  std::size_t at = 0;
  for (const Link& link : parents_[j]) {
    if (mine.state[link.cause] == 0) continue;
    const double first = mine.first[at++];
    sums[places_.succeeded(link.edge)] += weight * first / any;
    sums[places_.not_tried(link.edge)] += weight * before / any;
    before += first;
  }
  return std::log(any) - std::log(none);
}

// --------------------------------------------------------------------------------------- M-step

/// Eq. (25). Returns the largest change.
double Em::maximise(std::span<const double> sums) {
  const double pseudo = options_.pseudo_rows;
  double change = 0;
  const auto move = [&](double& from, double to) {
    change = std::max(change, std::abs(to - from));
    from = to;
  };
  const auto& edges = start_.loadings().edges();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double tried = sums[places_.cause_on(edges[e].cause)] - sums[places_.not_tried(e)];
    if (tried + pseudo <= 0) continue;
    move(failure_[e], std::clamp(1 - sums[places_.succeeded(e)] / (tried + pseudo), 1e-9, 1.0));
  }
  for (std::size_t j = 0; j < leak_.size(); ++j) {
    const double leaked = sums[places_.leaked(j)] + pseudo;
    move(leak_[j], std::clamp(leaked / (sums[places_.draws()] + 2 * pseudo), 0.0, 1 - 1e-9));
  }
  return change;
}

// ----------------------------------------------------------------------------------- checkpoints

/// The step to go on with: 0, or where the checkpoint of this run ends.
std::uint32_t Em::resume() {
  const store::Checkpoint& state = means_.checkpoints.state();
  std::vector<std::uint64_t> words;
  std::vector<double> reals;
  if (means_.team.is_root() && state.words.contains(kept_step)) {
    words = learners::array(state.words, kept_states);
    learners::require(words.size() == states_.size(), kept_states);
    reals = learners::array(state.reals, kept_parameters);
    learners::require(reals.size() == failure_.size() + leak_.size(), kept_parameters);
    const auto& step = learners::array(state.words, kept_step);
    const auto& told = learners::array(state.reals, kept_told);
    learners::require(step.size() == 1 && told.size() == numbers_told * step[0], kept_step);
    words.push_back(step[0]);
    reals.insert(reals.end(), told.begin(), told.end());
  }
  means_.team.broadcast(words);
  means_.team.broadcast(reals);
  if (words.empty()) return 0;
  const auto step = static_cast<std::uint32_t>(words.back());
  std::copy_n(words.begin(), states_.size(), states_.begin());
  std::copy_n(reals.begin(), failure_.size(), failure_.begin());
  std::copy_n(reals.data() + failure_.size(), leak_.size(), leak_.begin());
  const double* told = reals.data() + failure_.size() + leak_.size();
  for (std::uint32_t s = 0; s < step; ++s, told += numbers_told) {
    told_.push_back({told[0], told[1], static_cast<std::uint64_t>(told[2]),
                     static_cast<std::uint64_t>(told[3]), told[4]});
  }
  return step;
}

/// Collective.
void Em::keep(std::uint32_t next_step) {
  const auto pause = means_.checkpoints.pause_now(means_.team);
  if (means_.team.is_root() && pause != parallel::Team::Pause::none) {
    store::Checkpoint& state = means_.checkpoints.state();
    state.words[kept_step] = {next_step};
    state.words[kept_states] = states_;
    std::vector<double>& parameters = state.reals[kept_parameters];
    parameters = failure_;
    parameters.insert(parameters.end(), leak_.begin(), leak_.end());
    std::vector<double>& told = state.reals[kept_told];
    told.clear();
    for (const EmStep& step : told_) {
      told.insert(told.end(), {step.log_likelihood, step.fit, static_cast<double>(step.n_exact),
                               static_cast<double>(step.n_impossible), step.change});
    }
  }
  means_.checkpoints.keep(means_.team, pause);
}

void log_step(std::uint32_t number, const EmStep& step, std::uint64_t n_rows) {
  if (std::isnan(step.log_likelihood)) {
    log::verbose(
        "EM, after {} steps: E[log P(row | causes)] {:.6f} nats a row (no likelihood: {} of {} "
        "rows "
        "are sampled by Gibbs chains); largest change {:.2g}",
        number, step.fit, n_rows - step.n_exact - step.n_impossible, n_rows, step.change);
  } else {
    log::verbose("EM, after {} steps: log-likelihood {:.6f} nats a row; largest change {:.2g}",
                 number, step.log_likelihood, step.change);
  }
}

EmResult Em::run() {
  learners::StageWatch watch(means_.stages, "em");
  Progress progress("em", std::uint64_t{options_.n_steps} + 1, "steps");
  std::vector<double> sums;
  for (std::uint32_t step = resume(); step <= options_.n_steps; ++step) {
    told_.push_back(expect(step, sums));
    if (step < options_.n_steps) told_.back().change = maximise(sums);
    log_step(step, told_.back(), rows_.n_rows());
    progress.set(std::uint64_t{step} + 1);
    if (step < options_.n_steps) keep(step + 1);
  }
  return {network().loadings(), told_};
}

}  // namespace

EmResult run_em(const learners::UnitMeans& means, const model::AnchoredNetwork& start,
                const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options) {
  return Em(means, start, rows, known, options).run();
}

}  // namespace orrery::anchored
