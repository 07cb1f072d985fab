#include "families/noisy_or/variational_em/fit.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "families/noisy_or/variational_em/e_step.hpp"
#include "families/noisy_or/variational_em/start.hpp"
#include "learning/checkpoints.hpp"

namespace orrery::variational_em {
namespace {

// The M-step of one restart from the sums of a pass.
//
// With q and the shares fixed, the bound of a variable that is on is a sum over causes of
//   q r log(1 - (1 - nu) f^(1/r)),
// an OR of the leak and of an activation with probability 1 - f^(1/r). Given that it is on, the
// leak was so with probability nu / D, the activation with w = (1 - f^(1/r)) / D (D as in
// e_step_lanes.hpp): the usual EM bound separates leak and failure. What it leaves of the failure,
//   q r (w log(1 - f^c) + (1 - w) c log f),  c = 1 / r >= 1,
// is no Bernoulli yet. But log (1 - f^c) / (1 - f) is convex in log f for c >= 1, so its tangent
// lies below it, and everything becomes A log(1 - f) + B log f with
//   A = sum_on q r w,  B = f / (1 - f) A - sum_on q / D + sum q,
// whose maximum is f = B / (A + B). Each of these bounds touches at the old parameters: the bound
// of the rows cannot fall. Where shares are 1 and nothing leaks, this is the exact M-step.

/// The parameters that raise the bound from `at`, whose sums these are: `lane` of a group's.
Parameters maximise(const Parameters& at, const Counts& counts, const SumLayout& layout,
                    std::span<const double> sums, std::size_t lane) {
  const auto sum = [&](std::size_t i) { return sums[i + lane]; };
  Parameters better = at;
  for (std::size_t k = 0; k < at.n_causes; ++k) {
    better.prior[k] = std::clamp(sum(layout.mass(k)) / counts.n_rows, least_prior, 1 - least_prior);
  }
  for (std::size_t a = 0; a < at.n_observed; ++a) {
    double leaked = counts.on[a];
    for (std::size_t k = 0; k < at.n_causes; ++k) {
      const double failure = at.failure[a * at.n_causes + k];
      const double credit = sum(layout.credit(a, k));  // (1 - nu) A
      leaked -= credit;
      const double on = credit / (1 - at.leak[a]);
      const double off = std::max(
          0.0, failure / (1 - failure) * on - sum(layout.excuse(a, k)) + sum(layout.mass(k)));
      if (!(on + off > 0)) continue;  // the cause is never present: nothing is known of its edges
      better.failure[a * at.n_causes + k] =
          std::clamp(off / (on + off), least_failure, most_failure);
    }
    if (counts.observed[a] > 0) {
      better.leak[a] = std::clamp(leaked / counts.observed[a], least_leak, 1 - least_leak);
    }
  }
  return better;
}

constexpr std::size_t bytes_a_sum = 56;  // see learning::RowPass
constexpr std::uint64_t most_halvings = 8;

std::size_t groups_in_a_pass(std::size_t n_causes, std::size_t n_observed,
                             const FitSettings& settings) {
  return std::max<std::size_t>(
      1, settings.sums_bytes / (bytes_a_sum * SumLayout(n_causes, n_observed, lanes).size()));
}

/// The bound of restart.next, and the M-step from there. Where the rows have settled in another
/// optimum with a lower bound, half the step is tried.
void advance(const Counts& counts, const FitSettings& settings, const SumLayout& layout,
             std::span<const double> sums, std::size_t lane, Restart& restart) {
  const double bound = sums[layout.bound() + lane] / counts.n_rows;
  ++restart.passes;
  const double gain = bound - restart.bound;
  if (gain >= 0) {
    restart.best = std::move(restart.next);
    restart.bound = bound;
    restart.gain = gain;
    if (counts.n_held_out > 0) {
      restart.held_out = sums[layout.held_out() + lane] / counts.n_held_out;
    }
    restart.halvings = 0;
    restart.next = maximise(restart.best, counts, layout, sums, lane);
  } else {
    ++restart.halvings;
    restart.gain *= 0.5;
    restart.next = between(restart.best, restart.next, 0.5);
  }
  restart.done = std::abs(gain) < settings.tolerance || restart.halvings > most_halvings ||
                 restart.passes >= settings.max_iterations;
}

/// The sums of a pass for these restarts, group after group; the last may have fewer than `lanes`.
std::optional<std::vector<double>> sum_of_groups(const learning::RowPass& rows,
                                                 const FitSettings& settings,
                                                 std::span<Restart* const> restarts,
                                                 std::vector<EStep>& e_steps) {
  std::vector<Tables> groups;
  std::vector<std::size_t> begins;
  std::size_t n_sums = 0;
  for (std::size_t i = 0; i < restarts.size(); i += lanes) {
    std::vector<const Parameters*> members;
    for (Restart* const restart : restarts.subspan(i).first(std::min(lanes, restarts.size() - i))) {
      members.push_back(&restart->next);
    }
    groups.emplace_back(members);
    begins.push_back(n_sums);
    n_sums += SumLayout(members[0]->n_causes, members[0]->n_observed, members.size()).size();
  }
  return sum_unless_stopped(
      rows, n_sums, [&](const learning::RowBlock& block, int thread, std::span<double> sums) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
          e_steps[static_cast<std::size_t>(thread)].add_rows(groups[g].view(), settings.e_step,
                                                             block, sums.data() + begins[g]);
        }
      });
}

}  // namespace

Parameters between(const Parameters& from, const Parameters& to, double share) {
  Parameters point = from;
  const auto move = [share](std::vector<double>& values, const std::vector<double>& goal) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += share * (goal[i] - values[i]);
  };
  move(point.prior, to.prior);
  move(point.failure, to.failure);
  move(point.leak, to.leak);
  return point;
}

bool iterate(const learning::RowPass& rows, const Counts& counts, const FitSettings& settings,
             std::vector<Restart>& restarts) {
  std::vector<Restart*> active;
  for (Restart& restart : restarts) {
    if (!restart.done) active.push_back(&restart);
  }
  const std::size_t n = restarts[0].next.n_causes;
  const std::size_t m = restarts[0].next.n_observed;
  const std::size_t in_pass = groups_in_a_pass(n, m, settings) * lanes;
  std::vector<EStep> e_steps(static_cast<std::size_t>(rows.n_threads()));
  std::vector<std::vector<double>> of_pass;
  for (std::size_t first = 0; first < active.size(); first += in_pass) {
    auto sums = sum_of_groups(
        rows, settings,
        std::span(active).subspan(first).first(std::min(in_pass, active.size() - first)), e_steps);
    if (!sums) return false;
    of_pass.push_back(std::move(*sums));
  }
  const std::size_t of_group = SumLayout(n, m, lanes).size();
  for (std::size_t i = 0; i < active.size(); ++i) {
    const std::size_t group = i / lanes;
    const SumLayout layout(n, m, std::min(lanes, active.size() - group * lanes));
    advance(counts, settings, layout,
            std::span(of_pass[i / in_pass]).subspan(i % in_pass / lanes * of_group, layout.size()),
            i % lanes, *active[i]);
  }
  return true;
}

void give_up_hopeless(std::vector<Restart>& restarts, double horizon) {
  const double best = best_of(restarts).bound;
  for (Restart& restart : restarts) {
    if (restart.bound + horizon * restart.gain < best) restart.done = true;
  }
}

const Restart& best_of(const std::vector<Restart>& restarts) {
  return *std::ranges::max_element(restarts, {}, &Restart::bound);
}

bool all_done(const std::vector<Restart>& restarts) {
  return std::ranges::all_of(restarts, &Restart::done);
}

std::size_t pass_bytes(std::size_t n_causes, std::size_t n_observed, std::size_t n_restarts,
                       int threads, const FitSettings& settings) {
  const std::size_t groups = (n_restarts + lanes - 1) / lanes;
  const std::size_t in_pass = std::min(groups, groups_in_a_pass(n_causes, n_observed, settings));
  const std::size_t sums = SumLayout(n_causes, n_observed, lanes).size();
  return static_cast<std::size_t>(threads) *
             (in_pass * sums * bytes_a_sum + EStep::bytes(n_causes, n_observed)) +
         in_pass * Tables::bytes(n_causes, n_observed) + 2 * groups * sums * sizeof(double);
}

// The state of a run.

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
constexpr const char* bounds = "bounds";                // and the last gain: three of each restart
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
  require(bound.size() == 3 * n_restarts &&
              std::ranges::none_of(bound, [](double x) { return std::isnan(x); }),
          bounds);
  require(at.size() == size * n_restarts && are_probabilities(at), best);
  require(then.size() == size * n_restarts && are_probabilities(then), next);
  for (std::size_t i = 0; i < n_restarts; ++i) {
    state.restarts.push_back({cut(at, i, n, m), cut(then, i, n, m), bound[3 * i], bound[3 * i + 1],
                              bound[3 * i + 2], where[3 * i], where[3 * i + 1],
                              where[3 * i + 2] != 0});
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
    reals[bounds].push_back(restart.gain);
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
