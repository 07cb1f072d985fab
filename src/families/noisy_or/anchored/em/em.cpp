#include "families/noisy_or/anchored/em/em.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/bits.hpp"
#include "learning/row_sums.hpp"
#include "learning/stages.hpp"
#include "model/cause_states.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {

EmParameters::EmParameters(const model::NoisyOrNetwork& start)
    : start_(start),
      places_{start.n_causes(), start.n_observed(), start.edges().size()},
      parents_(start.n_observed()) {
  // Inside (0, 1): what is 0 or 1 would stay so, and may make rows impossible.
  const double least = 1e-6;
  for (const model::Edge& edge : start.edges()) {
    parents_[edge.observed].push_back({edge.cause, static_cast<std::uint32_t>(values_.size())});
    values_.push_back(std::clamp(edge.failure, least, 1 - least));
  }
  for (const auto& one : start.observed()) {
    values_.push_back(std::clamp(one.leak, least, 1 - least));
  }
}

model::NoisyOrNetwork EmParameters::network() const {
  auto observed = start_.observed();
  auto edges = start_.edges();
  for (std::size_t j = 0; j < observed.size(); ++j) observed[j].leak = leak(j);
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].failure = failure(e);
  return {start_.causes(), std::move(observed), std::move(edges), start_.cause_network(),
          start_.anchors()};
}

double EmParameters::maximise(std::span<const double> sums, double pseudo) {
  double change = 0;
  const auto move = [&](double& from, double to) {
    change = std::max(change, std::abs(to - from));
    from = to;
  };
  const auto& edges = start_.edges();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double tried = sums[places_.cause_on(edges[e].cause)] - sums[places_.not_tried(e)];
    if (tried + pseudo <= 0) continue;
    move(values_[e], std::clamp(1 - sums[places_.succeeded(e)] / (tried + pseudo), 1e-9, 1.0));
  }
  for (std::size_t j = 0; j < places_.m; ++j) {
    const double leaked = sums[places_.leaked(j)] + pseudo;
    move(values_[places_.n_edges + j],
         std::clamp(leaked / (sums[places_.draws()] + 2 * pseudo), 0.0, 1 - 1e-9));
  }
  return change;
}

EmCounter::EmCounter(const EmParameters& parameters, const model::PreparedAnchored& prepared)
    : parameters_(parameters), log_quiet_(prepared.log_quiet()) {
  for (std::size_t i = 0; i < parameters.places().n; ++i) {
    log_silent_.push_back(prepared.log_silent(i));
  }
}

void EmCounter::count(std::span<const std::uint8_t> state, std::span<const std::uint64_t> values,
                      double weight, std::span<double> sums) {
  const EmPlaces& places = parameters_.places();
  sums[places.draws()] += weight;
  double fit = log_quiet_;
  for (std::size_t i = 0; i < places.n; ++i) {
    if (state[i] == 0) continue;
    sums[places.cause_on(i)] += weight;
    fit += log_silent_[i];
  }
  data::for_each_bit(values, [&](std::size_t j) { fit += count_positive(state, j, weight, sums); });
  sums[places.fit()] += weight * fit;
}

/// Eq. (24): who was the first to switch x_j on. Returns log P(x_j = 1 | y) - log P(x_j = 0 | y).
double EmCounter::count_positive(std::span<const std::uint8_t> state, std::size_t j, double weight,
                                 std::span<double> sums) {
  const EmPlaces& places = parameters_.places();
  const double leak = parameters_.leak(j);
  first_.clear();
  double any = leak, none = 1 - leak;
  for (const EmParameters::Link& link : parameters_.parents(j)) {
    if (state[link.cause] == 0) continue;
    const double failure = parameters_.failure(link.edge);
    first_.push_back(none * (1 - failure));
    any += first_.back();
    none *= failure;
  }
  sums[places.leaked(j)] += weight * leak / any;
  double before = leak;
  std::size_t at = 0;
  for (const EmParameters::Link& link : parameters_.parents(j)) {
    if (state[link.cause] == 0) continue;
    const double first = first_[at++];
    sums[places.succeeded(link.edge)] += weight * first / any;
    sums[places.not_tried(link.edge)] += weight * before / any;
    before += first;
  }
  return std::log(any) - std::log(none);
}

namespace {

constexpr const char* kept_step = "em_step";
constexpr const char* kept_parameters = "em_parameters";
constexpr const char* kept_states = "em_states";
constexpr const char* kept_told = "em_told";
constexpr std::size_t numbers_told = 5;

class Em {
 public:
  Em(const learning::Workers& workers, const model::NoisyOrNetwork& start,
     const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options);

  EmResult run();

 private:
  struct Scratch {
    model::CauseDraws draws;
    std::vector<model::CauseState> known;
    std::vector<std::uint8_t> state;
    EmCounter counter;
  };

  EmStep expect(std::uint32_t step, std::vector<double>& sums);
  void visit_row(Scratch& mine, std::uint32_t step, std::uint64_t row,
                 std::span<const std::uint64_t> values, std::span<double> sums);
  void read_known(std::uint64_t row, std::vector<model::CauseState>& known) const;
  std::uint32_t resume();
  void keep(std::uint32_t next_step);

  [[nodiscard]] std::size_t n_words() const { return (parameters_.places().n + 63) / 64; }

  const learning::Workers& workers_;
  const data::BitPanels& rows_;
  KnownCauses known_;
  EmOptions options_;
  EmParameters parameters_;
  std::vector<std::uint64_t> states_, next_states_;  // n_words() a row; all 0: no chain has begun
  std::vector<EmStep> told_;
};

Em::Em(const learning::Workers& workers, const model::NoisyOrNetwork& start,
       const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options)
    : workers_(workers), rows_(rows), known_(known), options_(options), parameters_(start) {
  states_.assign(rows.n_rows() * n_words(), 0);
}

// --------------------------------------------------------------------------------------- E-step

EmStep Em::expect(std::uint32_t step, std::vector<double>& sums) {
  const EmPlaces& places = parameters_.places();
  const model::NoisyOrNetwork now = parameters_.network();
  const model::PreparedAnchored prepared(now);
  const EmCounter counter(parameters_, prepared);
  std::vector<Scratch> scratch;
  scratch.reserve(static_cast<std::size_t>(workers_.threads));
  for (int t = 0; t < workers_.threads; ++t) {
    scratch.push_back(
        {model::CauseDraws(prepared, {options_.exact_work, options_.burn_in, options_.seed}),
         {},
         std::vector<std::uint8_t>(places.n),
         counter});
  }
  next_states_.assign(states_.size(), 0);
  const learning::RowPass pass(workers_.team, workers_.threads, rows_, nullptr);
  sums = pass.sum(places.size(),
                  [&](const learning::RowBlock& block, int thread, std::span<double> of_block) {
                    for (std::size_t r = 0; r < block.n_rows; ++r) {
                      visit_row(scratch[static_cast<std::size_t>(thread)], step,
                                block.first_row + r, block.row(r), of_block);
                    }
                  });
  // Each row was one rank's.
  workers_.team.sum_words(next_states_);
  states_.swap(next_states_);

  EmStep told;
  const auto n_possible = static_cast<double>(rows_.n_rows()) - sums[places.impossible()];
  told.n_exact = static_cast<std::uint64_t>(sums[places.exact()]);
  told.n_impossible = static_cast<std::uint64_t>(sums[places.impossible()]);
  if (n_possible == 0) {
    throw InputError(
        "--em: no row is possible under the network of causes that was learned; leave out --em, or "
        "check the anchors");
  }
  told.fit = sums[places.fit()] / n_possible;
  told.log_likelihood = static_cast<double>(told.n_exact) == n_possible
                            ? sums[places.log_likelihood()] / n_possible
                            : std::numeric_limits<double>::quiet_NaN();
  return told;
}

void Em::read_known(std::uint64_t row, std::vector<model::CauseState>& known) const {
  known.clear();
  if (known_.values == nullptr) return;
  for (std::size_t i = 0; i < parameters_.places().n; ++i) {
    const bool is_known = known_.known == nullptr || known_.known->at(row, i);
    known.push_back(!is_known                   ? model::CauseState::unknown
                    : known_.values->at(row, i) ? model::CauseState::on
                                                : model::CauseState::off);
  }
}

void Em::visit_row(Scratch& mine, std::uint32_t step, std::uint64_t row,
                   std::span<const std::uint64_t> values, std::span<double> sums) {
  const EmPlaces& places = parameters_.places();
  read_known(row, mine.known);
  const std::size_t first = row * n_words();
  std::span<const std::uint8_t> begin;
  if (step > 0) {
    for (std::size_t i = 0; i < places.n; ++i) {
      mine.state[i] = static_cast<std::uint8_t>((states_[first + i / 64] >> (i % 64)) & 1U);
    }
    begin = mine.state;
  }
  if (!mine.draws.read(row, step, values, {}, mine.known, begin)) {
    sums[places.impossible()] += 1;
    return;
  }
  if (mine.draws.is_exact()) {
    sums[places.exact()] += 1;
    sums[places.log_likelihood()] += mine.draws.log_evidence();
  }
  for (std::uint32_t d = 0; d < options_.n_draws; ++d) {
    mine.draws.draw(mine.state);
    mine.counter.count(mine.state, values, 1.0 / options_.n_draws, sums);
  }
  for (std::size_t i = 0; i < places.n; ++i) {
    if (mine.state[i] != 0) next_states_[first + i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

// ----------------------------------------------------------------------------------- checkpoints

/// The step to go on with: 0, or where the checkpoint of this run ends.
std::uint32_t Em::resume() {
  const store::Checkpoint& state = workers_.checkpoints.state();
  std::vector<std::uint64_t> words;
  std::vector<double> reals;
  if (workers_.team.is_root() && state.words.contains(kept_step)) {
    words = learning::array(state.words, kept_states);
    learning::require(words.size() == states_.size(), kept_states);
    reals = learning::array(state.reals, kept_parameters);
    learning::require(reals.size() == parameters_.values().size(), kept_parameters);
    const auto& step = learning::array(state.words, kept_step);
    const auto& told = learning::array(state.reals, kept_told);
    learning::require(step.size() == 1 && told.size() == numbers_told * step[0], kept_step);
    words.push_back(step[0]);
    reals.insert(reals.end(), told.begin(), told.end());
  }
  workers_.team.broadcast(words);
  workers_.team.broadcast(reals);
  if (words.empty()) return 0;
  const auto step = static_cast<std::uint32_t>(words.back());
  std::copy_n(words.begin(), states_.size(), states_.begin());
  const std::size_t n_values = parameters_.values().size();
  parameters_.set_values(std::span(reals).first(n_values));
  const double* told = reals.data() + n_values;
  for (std::uint32_t s = 0; s < step; ++s, told += numbers_told) {
    told_.push_back({told[0], told[1], static_cast<std::uint64_t>(told[2]),
                     static_cast<std::uint64_t>(told[3]), told[4]});
  }
  return step;
}

/// Collective.
void Em::keep(std::uint32_t next_step) {
  workers_.checkpoints.between_steps(workers_.team, [&] {
    if (!workers_.team.is_root()) return;
    store::Checkpoint& state = workers_.checkpoints.state();
    state.words[kept_step] = {next_step};
    state.words[kept_states] = states_;
    state.reals[kept_parameters] = parameters_.values();
    std::vector<double>& told = state.reals[kept_told];
    told.clear();
    for (const EmStep& step : told_) {
      told.insert(told.end(), {step.log_likelihood, step.fit, static_cast<double>(step.n_exact),
                               static_cast<double>(step.n_impossible), step.change});
    }
  });
}

void log_step(std::uint32_t number, const EmStep& step, std::uint64_t n_rows) {
  if (std::isnan(step.log_likelihood)) {
    log::verbose(
        "EM, after {} steps: E[log P(row | causes)] {:.6f} nats per row (no likelihood: {} of {} "
        "rows "
        "are sampled by Gibbs chains); largest change {:.2g}",
        number, step.fit, n_rows - step.n_exact - step.n_impossible, n_rows, step.change);
  } else {
    log::verbose("EM, after {} steps: log-likelihood {:.6f} nats per row; largest change {:.2g}",
                 number, step.log_likelihood, step.change);
  }
}

EmResult Em::run() {
  learning::StageWatch watch(workers_.stages, "em");
  Progress progress("em", std::uint64_t{options_.n_steps} + 1, "steps");
  std::vector<double> sums;
  for (std::uint32_t step = resume(); step <= options_.n_steps; ++step) {
    told_.push_back(expect(step, sums));
    if (step < options_.n_steps)
      told_.back().change = parameters_.maximise(sums, options_.pseudo_rows);
    log_step(step, told_.back(), rows_.n_rows());
    progress.set(std::uint64_t{step} + 1);
    if (step == options_.n_steps) break;
    try {
      keep(step + 1);
    } catch (const learning::TimeUp&) {  // the parameters are those of so many steps
      break;
    }
  }
  return {parameters_.network(), told_};
}

}  // namespace

EmResult run_em(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                const data::BitPanels& rows, const KnownCauses& known, const EmOptions& options) {
  return Em(workers, start, rows, known, options).run();
}

}  // namespace orrery::anchored
