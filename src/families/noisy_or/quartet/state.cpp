#include "families/noisy_or/quartet/state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "learning/checkpoints.hpp"

namespace orrery::quartet {
namespace {

using learning::array;
using learning::require;

// Names in a checkpoint.
namespace stored {
// depth, causes before, next candidate, grown_in + 1, outdoes_growth
constexpr const char* rounds = "rounds";
constexpr const char* found = "found";                // quartets pretested, accepted
constexpr const char* units = "scan_units";           // see learning::pack
constexpr const char* members = "candidate_members";  // 4 a candidate
constexpr const char* statistics = "candidate_statistics";
constexpr const char* priors = "cause_priors";
constexpr const char* failures = "cause_failures";  // m a cause
constexpr const char* cause_statistics = "cause_statistics";
constexpr const char* provenance = "cause_provenance";  // depth, known + 1, support, four members
constexpr const char* prior_errors = "cause_prior_errors";
constexpr const char* seeds =
    "seeds";  // next, causes before the last round, refined causes, m times failed
constexpr const char* waiting = "seeds_waiting";
constexpr const char* leaks = "leaks";                          // m, or empty
constexpr const char* growth = "growth";                        // see GrowthState
constexpr const char* failure_errors = "cause_failure_errors";  // m a cause, or empty
}  // namespace stored

void take_causes(const store::Checkpoint& checkpoint, std::size_t m, State& state) {
  const auto& prior = array(checkpoint.reals, stored::priors);
  const auto& statistic = array(checkpoint.reals, stored::cause_statistics);
  const auto& origin = array(checkpoint.words, stored::provenance);
  state.failures = array(checkpoint.reals, stored::failures);
  require(statistic.size() == prior.size() && origin.size() == 7 * prior.size(),
          stored::provenance);
  require(state.failures.size() == m * prior.size(), stored::failures);
  const auto& prior_error = array(checkpoint.reals, stored::prior_errors);
  require(prior_error.size() == prior.size(), stored::prior_errors);
  state.failure_errors = array(checkpoint.reals, stored::failure_errors);
  require(state.failure_errors.empty() || state.failure_errors.size() == state.failures.size(),
          stored::failure_errors);
  state.leaks = array(checkpoint.reals, stored::leaks);
  require(state.leaks.empty() || state.leaks.size() == m, stored::leaks);
  for (std::size_t u = 0; u < prior.size(); ++u) {
    LearnedCause cause{prior[u], {}, prior_error[u], -1};
    cause.provenance.statistic = statistic[u];
    cause.provenance.depth = static_cast<int>(origin[7 * u]);
    require(origin[7 * u + 1] <= 1'000'000, stored::provenance);
    cause.known = static_cast<int>(origin[7 * u + 1]) - 1;
    cause.provenance.support = origin[7 * u + 2];
    for (std::size_t k = 0; k < 4; ++k) {
      constexpr auto no_member = static_cast<std::uint64_t>(std::int64_t{-1});
      require(origin[7 * u + 3 + k] < m || origin[7 * u + 3 + k] == no_member, stored::provenance);
      cause.provenance.quartet[k] = static_cast<std::int32_t>(origin[7 * u + 3 + k]);
    }
    state.causes.push_back(cause);
  }
}

void take_candidates(const store::Checkpoint& checkpoint, std::size_t m, State& state) {
  const auto& quartets = array(checkpoint.words, stored::members);
  const auto& statistic = array(checkpoint.reals, stored::statistics);
  require(quartets.size() == 4 * statistic.size(), stored::members);
  for (std::size_t i = 0; i < statistic.size(); ++i) {
    Candidate candidate{statistic[i], {}};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint64_t x = quartets[4 * i + k];
      require(x < m && (k == 0 || x > candidate.members[k - 1]), stored::members);
      candidate.members[k] = static_cast<std::uint32_t>(x);
    }
    require(!std::isnan(candidate.statistic), stored::statistics);
    state.scan.found.candidates.push_back(candidate);
  }
}

}  // namespace

void State::begin_round(int round, std::uint64_t n_units) {
  depth = round;
  n_before_last = n_before;
  n_before = causes.size();
  scan = {{n_units, 0, {}}, {}};
  next_candidate = 0;
  refinement.clear();
  seeds.next = 0;
  seeds.waiting.clear();
  std::ranges::fill(seeds.failed, 0);
}

bool State::knows(const Elected& cause) const {
  const std::size_t m = cause.failures.size();
  for (std::size_t u = 0; u < causes.size(); ++u) {
    std::size_t common = 0;
    std::size_t either = 0;
    for (std::size_t x = 0; x < m; ++x) {
      const bool here = cause.failures[x] < 1;
      const bool there = failures[u * m + x] < 1;
      common += here && there ? 1 : 0;
      either += here || there ? 1 : 0;
    }
    if (2 * common >= either) return true;
  }
  return false;
}

void State::add(const Elected& cause) {
  model::Provenance origin;
  origin.depth = depth;
  origin.statistic = cause.statistic;
  origin.support = cause.support;
  std::ranges::copy(cause.quartet, origin.quartet.begin());
  causes.push_back({cause.prior, origin, cause.prior_error, -1});
  failures.insert(failures.end(), cause.failures.begin(), cause.failures.end());
  failure_errors.insert(failure_errors.end(), cause.failure_errors.begin(),
                        cause.failure_errors.end());
}

void State::forget_round() {
  const std::size_t m = causes.empty() ? 0 : failures.size() / causes.size();
  causes.resize(n_before);
  failures.resize(n_before * m);
  failure_errors.resize(std::min(failure_errors.size(), n_before * m));
}

void State::keep_only(const std::vector<std::size_t>& kept) {
  const std::size_t m = causes.empty() ? 0 : failures.size() / causes.size();
  const auto before = [&](std::size_t n) {
    return static_cast<std::size_t>(std::ranges::lower_bound(kept, n) - kept.begin());
  };
  n_before = before(n_before);
  n_before_last = before(n_before_last);
  const auto keep_rows = [&](std::vector<double>& rows) {
    if (rows.empty()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k] == k) continue;
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(kept[k] * m), m,
                  rows.begin() + static_cast<std::ptrdiff_t>(k * m));
    }
    rows.resize(kept.size() * m);
  };
  keep_rows(failures);
  keep_rows(failure_errors);
  for (std::size_t k = 0; k < kept.size(); ++k) causes[k] = causes[kept[k]];
  causes.resize(kept.size());
}

bool State::overlaps(const Candidate& candidate, std::size_t m) const {
  for (std::size_t u = n_before; u < causes.size(); ++u) {
    const double* failure = failures.data() + u * m;
    if (std::ranges::count_if(candidate.members, [&](std::uint32_t x) { return failure[x] < 1; }) >=
        2) {
      return true;
    }
  }
  return false;
}

moments::Subtraction State::learned_before(std::size_t m) const {
  moments::Subtraction learned(m);
  for (std::size_t u = 0; u < n_before; ++u) {
    const auto errors = std::span(failure_errors);
    learned.add(causes[u].prior, std::span(failures).subspan(u * m, m), causes[u].prior_error,
                errors.empty() ? errors : errors.subspan(u * m, m));
  }
  return learned;
}

void save(const State& state, store::Checkpoint& checkpoint) {
  auto& words = checkpoint.words;
  auto& reals = checkpoint.reals;
  words[stored::rounds] = {static_cast<std::uint64_t>(state.depth),
                           state.n_before,
                           state.next_candidate,
                           static_cast<std::uint64_t>(state.grown_in + 1),
                           static_cast<std::uint64_t>(state.outdoes_growth),
                           std::bit_cast<std::uint64_t>(state.refined_worth)};
  words[stored::found] = {state.scan.found.n_pretested, state.scan.found.n_accepted};
  words[stored::units] = learning::pack(state.scan.units);
  words[stored::seeds].clear();
  words[stored::waiting].assign(state.seeds.waiting.begin(), state.seeds.waiting.end());
  if (!state.seeds.failed.empty()) {
    words[stored::seeds] = {state.seeds.next, state.n_before_last, state.n_refined};
    words[stored::seeds].insert(words[stored::seeds].end(), state.seeds.failed.begin(),
                                state.seeds.failed.end());
  }
  words[stored::members].clear();
  reals[stored::statistics].clear();
  for (const Candidate& candidate : state.scan.found.candidates) {
    words[stored::members].insert(words[stored::members].end(), candidate.members.begin(),
                                  candidate.members.end());
    reals[stored::statistics].push_back(candidate.statistic);
  }
  words[stored::provenance].clear();
  reals[stored::priors].clear();
  reals[stored::prior_errors].clear();
  reals[stored::cause_statistics].clear();
  for (const LearnedCause& cause : state.causes) {
    words[stored::provenance].push_back(static_cast<std::uint64_t>(cause.provenance.depth));
    words[stored::provenance].push_back(static_cast<std::uint64_t>(cause.known + 1));
    words[stored::provenance].push_back(cause.provenance.support);
    for (const std::int32_t x : cause.provenance.quartet) {
      words[stored::provenance].push_back(static_cast<std::uint64_t>(x));
    }
    reals[stored::priors].push_back(cause.prior);
    reals[stored::prior_errors].push_back(cause.prior_error);
    reals[stored::cause_statistics].push_back(cause.provenance.statistic);
  }
  reals[stored::failures] = state.failures;
  reals[stored::failure_errors] = state.failure_errors;
  reals[stored::leaks] = state.leaks;
  reals[stored::growth] = state.growth;
  state.refinement.save(checkpoint);
}

bool holds_state(const store::Checkpoint& checkpoint) {
  return checkpoint.words.contains(stored::rounds);
}

State load(const store::Checkpoint& checkpoint, std::size_t m) {
  State state;
  const auto& round = array(checkpoint.words, stored::rounds);
  // Those of earlier programs have three numbers, in which no grown network is refined, or more.
  require(round.size() >= 3 && round.size() <= 6 && round[0] <= 1'000'000, stored::rounds);
  const auto& counts = array(checkpoint.words, stored::found);
  require(counts.size() == 2, stored::found);
  state.depth = static_cast<int>(round[0]);
  state.n_before = round[1];
  state.next_candidate = round[2];
  if (round.size() >= 4) {
    require(round[3] <= round[0] + 1, stored::rounds);
    state.grown_in = static_cast<int>(round[3]) - 1;
  }
  if (round.size() >= 5) {
    require(round[4] <= 1, stored::rounds);
    state.outdoes_growth = round[4] == 1;
  }
  if (round.size() == 6) {
    state.refined_worth = std::bit_cast<double>(round[5]);
    require(!std::isnan(state.refined_worth), stored::rounds);
  }
  state.scan.units = learning::unpack_units(array(checkpoint.words, stored::units));
  state.scan.found.n_pretested = counts[0];
  state.scan.found.n_accepted = counts[1];
  const auto& tried = array(checkpoint.words, stored::seeds);
  require(tried.empty() || tried.size() == m + 3, stored::seeds);
  if (!tried.empty()) {
    state.seeds.next = tried[0];
    state.n_before_last = tried[1];
    state.n_refined = tried[2];
    require(state.n_before_last <= state.n_before, stored::seeds);
    for (std::size_t x = 0; x < m; ++x) {
      require(tried[x + 3] <= std::numeric_limits<std::uint32_t>::max(), stored::seeds);
      state.seeds.failed.push_back(static_cast<std::uint32_t>(tried[x + 3]));
    }
  }
  for (const std::uint64_t seed : array(checkpoint.words, stored::waiting)) {
    const auto& before = state.seeds.waiting;
    require(seed < state.seeds.next && (before.empty() || seed > before.back()), stored::waiting);
    require(seed <= std::numeric_limits<std::uint32_t>::max(), stored::waiting);
    state.seeds.waiting.push_back(static_cast<std::uint32_t>(seed));
  }
  state.growth = array(checkpoint.reals, stored::growth);
  take_causes(checkpoint, m, state);
  take_candidates(checkpoint, m, state);
  require(state.n_before <= state.causes.size(), stored::rounds);
  require(state.next_candidate <= state.scan.found.candidates.size(), stored::rounds);
  require(state.scan.units.total == WorkPlan(m).n_units(), stored::units);
  return state;
}

void share(const parallel::Team& team, State& state) {
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(state.depth),
                                   state.n_before,
                                   state.next_candidate,
                                   state.scan.found.n_pretested,
                                   state.scan.found.n_accepted,
                                   state.seeds.next,
                                   state.n_before_last,
                                   state.n_refined,
                                   static_cast<std::uint64_t>(state.grown_in + 1),
                                   static_cast<std::uint64_t>(state.outdoes_growth),
                                   std::bit_cast<std::uint64_t>(state.refined_worth)};
  std::vector<std::uint64_t> left = learning::pack(state.scan.units);
  team.broadcast(words);
  team.broadcast(left);
  team.broadcast(state.causes);
  team.broadcast(state.failures);
  team.broadcast(state.failure_errors);
  team.broadcast(state.leaks);
  team.broadcast(state.growth);
  team.broadcast(state.seeds.waiting);
  team.broadcast(state.seeds.failed);
  state.depth = static_cast<int>(words[0]);
  state.n_before = words[1];
  state.next_candidate = words[2];
  state.scan.found.n_pretested = words[3];
  state.scan.found.n_accepted = words[4];
  state.seeds.next = words[5];
  state.n_before_last = words[6];
  state.n_refined = words[7];
  state.grown_in = static_cast<int>(words[8]) - 1;
  state.outdoes_growth = words[9] == 1;
  state.refined_worth = std::bit_cast<double>(words[10]);
  state.scan.units = learning::unpack_units(left);
}

}  // namespace orrery::quartet
