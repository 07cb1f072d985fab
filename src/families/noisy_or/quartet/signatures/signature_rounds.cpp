// The rounds of Algorithm 1 of Jernite, Halpern, Sontag 2013 where there are too many quartets to
// go through: thousands of variables, hundreds of causes.
//
//   paper                        here
//   quartets T, PRETEST, 4TEST   pairs from the clearest down; members whose signatures agree
//                                (signature_search.hpp)
//   EXTEND                       the pooled signatures of the members' pairs
//   subtract, search again       subtracted at once; the next round goes through what is left
//   depth of a cause             one more than the deepest cause that couples its quartet too
//
// The rank statistic of a cause's quartet is that of what is left of it when all other causes are
// subtracted.
// Cost: m^2 / 2 pairs per round; some 30 signatures per cause and 7 per seed that fails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "families/noisy_or/quartet/scan/rank_error.hpp"
#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"
#include "families/noisy_or/quartet/signatures/residual_components.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"
#include "learning/stages.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

LogTerms terms_of(const State& state, std::size_t n_causes, std::size_t m) {
  LogTerms terms(m);
  for (std::size_t u = 0; u < n_causes; ++u) {
    terms.add(state.causes[u].prior, std::span(state.failures).subspan(u * m, m));
  }
  return terms;
}

/// A cause that is learned already, found again for an error of its parameters.
bool repeats(const Elected& cause, const LogTerms& learned) {
  for (const std::uint32_t u : learned.causes_of(cause.quartet[0])) {
    double product = 0;
    double here = 0;
    double there = 0;
    for (std::size_t x = 0; x < cause.failures.size(); ++x) {
      const double p = 1 - cause.failures[x];
      const double q = 1 - learned.failure(u, x);
      product += p * q;
      here += p * p;
      there += q * q;
    }
    if (product > constants::signatures::same_as_learned * std::sqrt(here * there)) return true;
  }
  return false;
}

int depth_of(const Elected& cause, const LogTerms& learned, const State& state) {
  int depth = 0;
  for (const std::uint32_t a : cause.quartet) {
    for (const std::uint32_t b : cause.quartet) {
      if (a >= b || b == moments::no_variable) continue;
      for (const std::uint32_t u : learned.causes_of(a, b)) {
        depth = std::max(depth, state.causes[u].provenance.depth + 1);
      }
    }
  }
  return depth;
}

/// Variables that a cause learned in the round before has much to do with: m.
std::vector<bool> touched(const State& state, std::size_t m) {
  std::vector<bool> found(m, state.depth <= 1);  // not all were tried in the first
  for (std::size_t u = state.n_before_last; u < state.n_before; ++u) {
    for (std::size_t x = 0; x < m; ++x) {
      if (state.failures[u * m + x] < 1 - constants::signatures::touching_strength) found[x] = true;
    }
  }
  return found;
}

/// Goes through the seeds of a round from state.seeds on.
void search_round(const learning::LearnContext& context, State& state, LogTerms& learned) {
  const std::size_t m = context.moments.n_observed();
  learning::StageWatch watch(context.stages, fmt::format("signatures_{}", state.n_before));
  // Those of the beginning of the round, so that a resumed run goes through the same.
  const LogTerms before = terms_of(state, state.n_before, m);
  const std::vector<Pair> seeds =
      seeds_of(context.team, PairResiduals(context.moments, before), context.threads);
  const std::vector<bool> new_here = touched(state, m);
  const PairResiduals residuals(context.moments, learned);
  // Half of the memory that there may be.
  const std::size_t n_kept = context.memory_bytes == 0
                                 ? most_signatures
                                 : std::min(most_signatures, context.memory_bytes / (16 * m));
  PairSignatures signatures(context.team, context.threads, residuals, n_kept);
  Progress progress("pair signatures", seeds.size(), "seeds");
  bool is_over = false;
  SeedCalls calls;
  calls.is_open = [&](const Pair& seed) {
    return !is_over && (new_here[seed[0]] || new_here[seed[1]]);  // else it would fail again
  };
  calls.learn = [&](const Elected& cause) {
    if (repeats(cause, learned)) return false;
    state.add(cause);
    state.causes.back().provenance.depth = depth_of(cause, learned, state);
    learned.add(cause.prior, cause.failures);
    watch.add(context.team, {}, 1);
    return true;
  };
  calls.pause = [&] {
    keep(context, context.checkpoints.pause_now(context.team), state);
    progress.set(state.seeds.next);
    if (is_over || !is_barren(state)) return;
    log::verbose("so many seeds have failed for each that became a cause: the round ends");
    is_over = true;
  };
  search_seeds(seeds, residuals, signatures, calls, state.seeds);
  log::verbose("{} seeds, {} signatures: {} causes learned", format_count(seeds.size()),
               format_count(signatures.n_counted()), state.causes.size() - state.n_before);
}

/// Of each cause's quartet, and its error, the other causes subtracted.
void measure_quartets(const learning::LearnContext& context, const LogTerms& learned,
                      State& state) {
  const std::size_t m = context.moments.n_observed();
  constexpr std::uint32_t none = moments::no_variable;
  std::vector<std::array<std::uint32_t, 4>> sets;
  const auto members_of = [&](std::size_t u) {
    std::array<std::uint32_t, 4> members{};
    std::ranges::copy(state.causes[u].provenance.quartet, members.begin());
    return members;
  };
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const auto [a, b, c, d] = members_of(u);
    if (d == none) continue;
    sets.insert(sets.end(),
                {{a, b, c, none}, {a, b, d, none}, {a, c, d, none}, {b, c, d, none}, {a, b, c, d}});
  }
  context.moments.prepare(sets);
  std::vector<double> statistics(2 * state.causes.size(), 0);  // and errors
  Progress silent("", 0, "");
  const auto measure = [&](std::uint64_t u, int /*thread*/) {
    const auto members = members_of(u);
    if (members.back() == none) return;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t a : members) {
      for (const std::uint32_t v : learned.causes_of(a)) {
        if (v != u && std::ranges::find(others, v) == others.end()) others.push_back(v);
      }
    }
    std::ranges::sort(others);
    moments::Subtraction subtraction(m);
    for (const std::uint32_t v : others) {
      subtraction.add(learned.prior(v), std::span(state.failures).subspan(v * m, m));
    }
    statistics[2 * u] = rank_statistic(moments::cells_from_negative(
        moments::adjusted_quartet(context.moments, subtraction, members)));
    statistics[2 * u + 1] = rank_statistic_error(context.moments, subtraction, members);
  };
  context.team.for_each_unit(state.causes.size(), context.threads, silent, measure);
  context.team.share_values(statistics);
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    if (members_of(u).back() == none) continue;  // keeps its triple's z
    model::Provenance& found = state.causes[u].provenance;
    found.statistic = statistics[2 * u];
    found.statistic_error = statistics[2 * u + 1];
  }
}

void refine(const learning::LearnContext& context, const Options& options, State& state) {
  learning::StageWatch watch(context.stages, fmt::format("refine_{}", state.depth));
  SearchProgress progress(fmt::format("refine, round {}", state.depth));
  const State kept = state;  // a resumed run begins the round anew
  refine_signatures(
      context, options.alpha, state.depth < options.max_depth ? Hidden::find : Hidden::ignore,
      [&] {
        keep(context, context.checkpoints.pause_now(context.team), kept);
        progress.pass(state.causes.size(), std::nullopt);
      },
      state);
  state.begin_round(state.depth + 1, state.scan.units.total);
  state.n_before_last = 0;  // all have changed
  watch.add(context.team, {}, 1);
}

/// What is known beforehand counts as learned in a round before the first.
void begin_with_known(const learning::LearnContext& context, State& state) {
  const State kept = state;
  const Constraints rules(context.known, context.names);
  if (rules.causes().empty()) return;
  const std::size_t m = context.moments.n_observed();
  for (std::size_t u = 0; u < rules.causes().size(); ++u) {
    const auto failures = std::span(rules.failures()).subspan(u * m, m);
    state.causes.push_back({rules.causes()[u].prior, {}, 0, static_cast<int>(u)});
    state.failures.insert(state.failures.end(), failures.begin(), failures.end());
    state.failure_errors.insert(state.failure_errors.end(), m, 0);
  }
  state.n_before = state.causes.size();
  fit_signatures(
      context, [&] { keep(context, context.checkpoints.pause_now(context.team), kept); }, state);
}

/// All rounds, or what is left of them.
void go_on(const learning::LearnContext& context, const Options& options, State& state) {
  const std::size_t m = context.moments.n_observed();
  LogTerms learned = terms_of(state, state.causes.size(), m);
  while (state.depth <= options.max_depth) {
    search_round(context, state, learned);
    const std::size_t n_new = state.causes.size() - state.n_before;
    if (options.refine && state.n_refined > 0 && are_few(n_new, state)) state.forget_round();
    const bool found = state.causes.size() > state.n_before;
    if (options.refine && (found || state.causes.size() > state.n_refined)) {
      refine(context, options, state);
      learned = terms_of(state, state.causes.size(), m);
    } else if (found) {
      state.begin_round(state.depth + 1, state.scan.units.total);
    } else {
      break;
    }
  }
}

}  // namespace

bool settle(const learning::LearnContext& context, double alpha, Settle what, const State& kept,
            State& state) {
  learning::StageWatch watch(context.stages, "settle");
  SearchProgress progress("settle");
  const auto pause = [&] {
    keep(context, context.checkpoints.pause_now(context.team), kept);
    progress.pass(state.causes.size(), std::nullopt);
  };
  bool has_settled = false;
  try {
    has_settled = settle_signatures(context, alpha, what, pause, state);
    if (what != Settle::parameters) {
      if (const auto settled_again = add_components(context, alpha, what, pause, state)) {
        has_settled = *settled_again;
        measure_quartets(context, terms_of(state, state.causes.size(), context.names.size()),
                         state);
      }
    }
  } catch (const learning::TimeUp&) {  // parameters as they were
  }
  watch.add(context.team, {}, 1);
  return has_settled;
}

void signature_rounds(const learning::LearnContext& context, const Options& options, State& state) {
  const std::size_t m = context.moments.n_observed();
  log::info("{} variables: causes are searched by pair signatures", format_count(m));
  // The other half is for signatures.
  context.moments.prepare_many_pairs(
      context.threads, context.memory_bytes == 0 ? moments::any_bytes : context.memory_bytes / 2);
  try {
    if (state.is_new()) begin_with_known(context, state);
    if (state.seeds.failed.empty()) state.seeds.failed.assign(m, 0);
    go_on(context, options, state);
  } catch (const learning::TimeUp&) {  // the causes found by then are the model
  }
  context.moments.end_many_pairs();
  measure_quartets(context, terms_of(state, state.causes.size(), m), state);
}

}  // namespace orrery::quartet
