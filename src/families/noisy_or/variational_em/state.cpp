#include "families/noisy_or/variational_em/state.hpp"

#include <algorithm>
#include <cmath>

#include "learning/checkpoints.hpp"

namespace orrery::variational_em {

std::size_t best_number(const std::vector<Tried>& tried) {
  return std::ranges::max_element(tried,
                                  [](const Tried& x, const Tried& y) {
                                    return x.held_out < y.held_out ||
                                           (x.held_out == y.held_out && x.n_causes > y.n_causes);
                                  })
      ->n_causes;
}

std::optional<std::size_t> next_number(const std::vector<Tried>& tried, std::size_t most) {
  if (tried.empty()) return 1;
  const std::size_t best = best_number(tried);
  std::size_t below = 0;         // the next fewer that was tried; none: no causes
  std::size_t above = most + 1;  // the next more
  for (const Tried& other : tried) {
    if (other.n_causes < best) below = std::max(below, other.n_causes);
    if (other.n_causes > best) above = std::min(above, other.n_causes);
  }
  if (above > most && best < most) return std::min(2 * best, most);
  if (above - best <= 1 && best - below <= 1) return std::nullopt;
  return above - best >= best - below ? best + (above - best) / 2 : below + (best - below) / 2;
}

namespace {

using learning::array;
using learning::require;

constexpr const char* stage = "stage";                  // causes, hold out, restarts
constexpr const char* tried_numbers = "tried_numbers";  // causes
constexpr const char* tried_bounds = "tried_bounds";    // of the rows held out
constexpr const char* progress = "progress";            // passes, halvings, done of each restart
constexpr const char* bounds = "bounds";                // two of each restart
constexpr const char* best = "best";                    // n + m n + m of each restart
constexpr const char* next = "next";                    // the same

void append(const Parameters& parameters, std::vector<double>& values) {
  for (const auto* part : {&parameters.prior, &parameters.failure, &parameters.leak}) {
    values.insert(values.end(), part->begin(), part->end());
  }
}

/// The i-th parameters of an array of them.
Parameters cut(const std::vector<double>& values, std::size_t i, std::size_t n, std::size_t m) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * (n + m * n + m));
  const auto prior_end = begin + static_cast<std::ptrdiff_t>(n);
  const auto failure_end = prior_end + static_cast<std::ptrdiff_t>(m * n);
  return {n,
          m,
          {begin, prior_end},
          {prior_end, failure_end},
          {failure_end, failure_end + static_cast<std::ptrdiff_t>(m)}};
}

bool are_probabilities(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return x > 0 && x < 1; });
}

void take_restarts(const store::Checkpoint& checkpoint, std::size_t n_restarts, std::size_t m,
                   State& state) {
  const std::size_t n = state.n_causes;
  const std::size_t size = n + m * n + m;
  const auto& where = array(checkpoint.words, progress);
  const auto& bound = array(checkpoint.reals, bounds);
  const auto& at = array(checkpoint.reals, best);
  const auto& then = array(checkpoint.reals, next);
  require(where.size() == 3 * n_restarts, progress);
  require(bound.size() == 2 * n_restarts &&
              std::ranges::none_of(bound, [](double x) { return std::isnan(x); }),
          bounds);
  require(at.size() == size * n_restarts && are_probabilities(at), best);
  require(then.size() == size * n_restarts && are_probabilities(then), next);
  for (std::size_t i = 0; i < n_restarts; ++i) {
    state.restarts.push_back({cut(at, i, n, m), cut(then, i, n, m), bound[2 * i], bound[2 * i + 1],
                              where[3 * i], where[3 * i + 1], where[3 * i + 2] != 0});
  }
}

}  // namespace

void save(const State& state, store::Checkpoint& checkpoint) {
  checkpoint.words.clear();
  checkpoint.reals.clear();
  auto& words = checkpoint.words;
  auto& reals = checkpoint.reals;
  // Before the first pass a restart is a draw, made anew for nothing.
  const bool begun = !state.restarts.empty() && state.restarts[0].passes > 0;
  words[stage] = {state.n_causes, state.hold_out ? 1U : 0U, begun ? state.restarts.size() : 0};
  words[tried_numbers] = {};
  reals[tried_bounds] = {};
  for (const Tried& one : state.tried) {
    words[tried_numbers].push_back(one.n_causes);
    reals[tried_bounds].push_back(one.held_out);
  }
  words[progress] = {};
  for (const char* name : {bounds, best, next}) reals[name] = {};
  if (!begun) return;
  for (const Restart& restart : state.restarts) {
    for (const std::uint64_t word :
         {restart.passes, restart.halvings, std::uint64_t{restart.done ? 1U : 0U}}) {
      words[progress].push_back(word);
    }
    reals[bounds].push_back(restart.bound);
    reals[bounds].push_back(restart.held_out);
    append(restart.best, reals[best]);
    append(restart.next, reals[next]);
  }
}

State load(const store::Checkpoint& checkpoint, std::size_t m) {
  State state;
  if (!checkpoint.words.contains(stage)) return state;
  const auto& begun = array(checkpoint.words, stage);
  require(begun.size() == 3 && begun[0] <= 1'000'000 && begun[2] <= 1'000'000, stage);
  state.n_causes = begun[0];
  state.hold_out = begun[1] != 0;
  const auto& numbers = array(checkpoint.words, tried_numbers);
  const auto& held_out = array(checkpoint.reals, tried_bounds);
  require(numbers.size() == held_out.size(), tried_numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require(numbers[i] > 0 && numbers[i] <= m && !std::isnan(held_out[i]), tried_numbers);
    state.tried.push_back({numbers[i], held_out[i]});
  }
  if (begun[2] > 0) take_restarts(checkpoint, begun[2], m, state);
  return state;
}

State load_everywhere(const parallel::Team& team, const store::Checkpoint& checkpoint,
                      std::size_t m) {
  store::Checkpoint arrays;
  if (team.is_root()) {
    (void)load(checkpoint, m);  // what is wrong is said once
    arrays.words = checkpoint.words;
    arrays.reals = checkpoint.reals;
  }
  std::vector<int> begun{arrays.words.contains(stage) ? 1 : 0};
  team.broadcast(begun);
  if (begun[0] == 0) return {};
  for (const char* name : {stage, tried_numbers, progress}) team.broadcast(arrays.words[name]);
  for (const char* name : {tried_bounds, bounds, best, next}) team.broadcast(arrays.reals[name]);
  return load(arrays, m);
}

}  // namespace orrery::variational_em
