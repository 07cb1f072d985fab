#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/work_time.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/cause_seeds.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/attribution.hpp"
#include "families/noisy_or/quartet/signatures/dependent_variables.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"
#include "moments/counted_moments.hpp"
#include "parallel/ledger.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {
namespace {

data::BitPanels bits_of(const Attribution& rows, std::span<const std::uint32_t> variables,
                        std::size_t m) {
  std::vector<std::uint32_t> place(m, 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    place[variables[i]] = static_cast<std::uint32_t>(i + 1);
  }
  data::BitPanels bits(variables.size(), rows.n_rows());
  std::size_t r = 0;
  rows.for_each_row([&](std::span<const std::uint32_t> on) {
    for (const std::uint32_t a : on) {
      if (place[a] > 0) bits.set(r, place[a] - 1, true);
    }
    ++r;
  });
  return bits;
}

/// In terms of all variables.
Elected widened(const Elected& cause, std::span<const std::uint32_t> variables, std::size_t m) {
  Elected wide = cause;
  wide.failures.assign(m, 1);
  wide.failure_errors.assign(m, 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    wide.failures[variables[i]] = cause.failures[i];
    wide.failure_errors[variables[i]] = cause.failure_errors[i];
  }
  for (std::uint32_t& member : wide.quartet) {
    if (member != moments::no_variable) member = variables[member];
  }
  return wide;
}

/// Seeds of causes: from each of these pairs on, the clearest first, all variables that come
/// together with it beyond chance.
std::vector<Elected> grown_from(std::span<const Pair> pairs, const PairResiduals& residuals,
                                std::size_t n_variables) {
  const PairZ z = [&](std::uint32_t a, std::uint32_t b) { return residuals.excess_z(a, b, 0); };
  std::vector<bool> used(n_variables, false);
  std::vector<Elected> seeds;
  for (const auto& [a, b] : pairs) {
    if (used[a] || used[b] || z(a, b) < constants::refinement::first_leak_z) continue;
    std::vector<std::uint32_t> members = members_with({a, b}, n_variables, used, z);
    for (const std::uint32_t x : members) used[x] = true;
    if (members.size() < 3) continue;
    const double share = residuals.both_on(a, b) - residuals.on(a) * residuals.on(b);
    seeds.push_back(seed_of_members(members, n_variables, share, z(a, b)));
    std::ranges::sort(seeds.back().quartet);
  }
  return seeds;
}

}  // namespace

CausesWithin causes_within(const Attribution& rows, std::span<const std::uint32_t> variables,
                           std::size_t m, int threads) {
  CausesWithin found;
  if (variables.size() < 3) return found;
  const data::BitPanels bits = bits_of(rows, variables, m);
  const moments::CountedMoments moments(bits, moments::count_pairs(bits));
  moments.prepare_many_pairs(threads, moments::any_bytes);
  LogTerms learned(variables.size());
  const parallel::Team alone;
  const PairResiduals residuals(moments, learned);
  PairSignatures signatures(alone, threads, residuals, most_signatures);
  SeedPlace place;
  place.failed.assign(variables.size(), 0);
  const auto learn = [&](const Elected& cause) {
    learned.add(cause.prior, cause.failures);
    found.by_signatures.push_back(widened(cause, variables, m));
    return true;
  };
  const std::vector<Pair> seeds = seeds_of(alone, residuals, threads);
  search_seeds(seeds, residuals, signatures, {[](const Pair&) { return true; }, learn, [] {}},
               place);
  if (!found.by_signatures.empty()) return found;
  for (const Elected& cause : grown_from(seeds, residuals, variables.size())) {
    found.by_pairs.push_back(widened(cause, variables, m));
  }
  return found;
}

namespace {

/// A cause that is a part of another, if two explain its rows so much better.
std::optional<Part> part_of(const Attribution& rows, std::uint32_t cause, std::size_t m,
                            double cause_cost) {
  auto two = separate(rows, m);
  if (!two) return std::nullopt;
  const auto is_child = [](double failure) { return failure < 1; };
  const auto n_children = std::ranges::count_if(two->second, is_child);
  if (n_children < 4 || std::ranges::count_if(two->first, is_child) < 4) return std::nullopt;
  if (two->gain < cause_cost + constants::signatures::edge_cost * static_cast<double>(n_children))
    return std::nullopt;
  Part part{{}, cause, std::move(two->first)};
  part.cause.prior = two->share;
  part.cause.failures = std::move(two->second);
  std::vector<std::uint32_t> strongest;
  for (std::uint32_t a = 0; a < m; ++a) {
    if (part.cause.failures[a] < 1) strongest.push_back(a);
  }
  // What most sets it apart.
  std::ranges::sort(strongest, [&](std::uint32_t a, std::uint32_t b) {
    const double of_a = part.cause.failures[a] - part.rest[a];
    const double of_b = part.cause.failures[b] - part.rest[b];
    return of_a < of_b || (of_a == of_b && a < b);
  });
  std::copy_n(strongest.begin(), 4, part.cause.quartet.begin());
  std::ranges::sort(part.cause.quartet);
  return part;
}

std::vector<Part> behind_leaks(const Attribution& rows, std::span<const std::uint32_t> variables,
                               std::size_t n, std::size_t m, int threads) {
  std::vector<Part> parts;
  CausesWithin found = causes_within(rows, variables, m, threads);
  const auto add = [&](std::vector<Elected>& causes, bool by_pairs) {
    for (Elected& cause : causes) {
      parts.push_back({std::move(cause), static_cast<std::uint32_t>(n), {}, by_pairs});
    }
  };
  add(found.by_signatures, false);
  add(found.by_pairs, true);
  return parts;
}

std::vector<Part> behind_cause(const Attribution& rows, std::size_t unit, std::size_t m,
                               double cause_cost) {
  auto part = part_of(rows, static_cast<std::uint32_t>(unit - 1), m, cause_cost);
  if (!part) return {};
  return {std::move(*part)};
}

/// Units that a rank looks at, and what all ranks' rows attribute to them. Unit 0 are the leaks;
/// unit u is cause u - 1.
struct OwnUnits {
  std::vector<std::size_t> units;        // rising
  std::vector<const Attribution*> rows;  // of each
  std::vector<Attribution> received;     // of several ranks, what `rows` point to
};

/// Each unit's rows go to one rank. Collective.
OwnUnits own_units(const parallel::Team& team, int threads, const Attribution& leaks,
                   std::span<const Attribution> of_causes) {
  const std::size_t n = of_causes.size();
  const auto rows_of = [&](std::size_t unit) -> const Attribution& {
    return unit == 0 ? leaks : of_causes[unit - 1];
  };
  OwnUnits own;
  if (team.size() == 1) {
    for (std::size_t unit = 0; unit <= n; ++unit) {
      own.units.push_back(unit);
      own.rows.push_back(&rows_of(unit));
    }
    return own;
  }
  std::vector<std::uint64_t> bytes;
  for (std::size_t unit = 0; unit <= n; ++unit) bytes.push_back(rows_of(unit).n_bytes());
  team.sum_words(bytes);
  const auto size = static_cast<std::size_t>(team.size());
  const std::vector<std::size_t> rank_of = parallel::share_out(bytes, size);
  std::vector<std::vector<std::uint32_t>> to(size);
  {
    const parallel::SharedTime time(threads);
    for (std::size_t unit = 0; unit <= n; ++unit) {
      rows_of(unit).save(to[rank_of[unit]]);
      if (rank_of[unit] == static_cast<std::size_t>(team.rank())) own.units.push_back(unit);
    }
  }
  const std::vector<std::vector<std::uint32_t>> from = team.exchange(to);  // by rank, as rows are
  const parallel::SharedTime time(threads);
  own.received.resize(own.units.size());
  for (const std::vector<std::uint32_t>& words : from) {
    std::size_t place = 0;
    for (Attribution& rows : own.received) place = rows.add(words, place);
  }
  for (const Attribution& rows : own.received) own.rows.push_back(&rows);
  return own;
}

/// behind[unit] of each of a rank's units. All threads look behind the leaks, and then each behind
/// one cause after the other. `variables`: of the leaks.
void look_behind(const OwnUnits& own, std::span<const std::uint32_t> variables, std::size_t m,
                 double cause_cost, int threads, std::vector<std::vector<Part>>& behind) {
  const parallel::SharedTime time(threads);
  std::vector<double> seconds(own.units.size(), 0);
  const auto timed = [&](std::size_t i, const auto& look) {
    const double begin = thread_seconds();
    behind[own.units[i]] = look(*own.rows[i]);
    seconds[i] = thread_seconds() - begin;
  };
  const std::size_t n_leaks = !own.units.empty() && own.units.front() == 0 ? 1 : 0;
  if (n_leaks > 0) {
    timed(0, [&](const Attribution& rows) {
      return behind_leaks(rows, variables, behind.size() - 1, m, threads);
    });
  }
  Progress silent("", 0, "");
  parallel::Team().for_each_unit(own.units.size() - n_leaks, threads, silent,
                                 [&](std::uint64_t k, int) {
                                   const std::size_t i = k + n_leaks;
                                   timed(i, [&](const Attribution& rows) {
                                     return behind_cause(rows, own.units[i], m, cause_cost);
                                   });
                                 });
  if (!seconds.empty()) parallel::ledger() += {.longest = std::ranges::max(seconds)};
}

std::vector<double> to_numbers(const std::vector<Part>& parts) {
  std::vector<double> numbers;
  for (const Part& one : parts) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(one.behind), static_cast<double>(one.by_pairs),
                    one.cause.prior, static_cast<double>(one.cause.support), one.cause.statistic});
    numbers.insert(numbers.end(), one.cause.quartet.begin(), one.cause.quartet.end());
    numbers.insert(numbers.end(), one.cause.failures.begin(), one.cause.failures.end());
    numbers.insert(numbers.end(), one.rest.begin(), one.rest.end());
  }
  return numbers;
}

std::vector<Part> parts_from_numbers(const std::vector<double>& numbers, std::size_t n,
                                     std::size_t m) {
  std::vector<Part> parts;
  for (auto next = numbers.begin(); next != numbers.end();) {
    Part one;
    one.behind = static_cast<std::uint32_t>(*next++);
    one.by_pairs = *next++ != 0;
    one.cause.prior = *next++;
    one.cause.support = static_cast<std::uint64_t>(*next++);
    one.cause.statistic = *next++;
    for (std::uint32_t& member : one.cause.quartet) member = static_cast<std::uint32_t>(*next++);
    one.cause.failures.assign(next, next + static_cast<std::ptrdiff_t>(m));
    one.cause.failure_errors.assign(m, 0);
    next += static_cast<std::ptrdiff_t>(m);
    if (one.behind < n) {
      one.rest.assign(next, next + static_cast<std::ptrdiff_t>(m));
      next += static_cast<std::ptrdiff_t>(m);
    }
    parts.push_back(std::move(one));
  }
  return parts;
}

}  // namespace

std::vector<Part> find_parts(const learning::LearnContext& context,
                             const std::vector<Attribution>& attributed, std::size_t n,
                             double cause_cost) {
  const std::size_t m = context.names.size();
  const parallel::Team& team = context.team;
  const std::vector<std::uint32_t> variables =
      dependent_variables(attributed[n], m, team, context.threads);
  Attribution leaks;
  {
    const parallel::SharedTime time(context.threads);
    leaks = attributed[n].of(variables, m);
  }
  std::vector<std::vector<Part>> behind(n + 1);
  look_behind(own_units(team, context.threads, leaks, std::span(attributed).first(n)), variables, m,
              cause_cost, context.threads, behind);
  std::vector<Part> parts;
  for (auto& some : behind) parts.insert(parts.end(), some.begin(), some.end());
  parts = parts_from_numbers(team.gather_everywhere(to_numbers(parts)), n, m);
  std::ranges::stable_sort(parts, {}, &Part::behind);  // the leaks' last; a unit is of one rank
  return parts;
}

double FailureRange::hold(double failure) const { return std::clamp(failure, least, most); }

FailureRange refined_range(std::uint64_t n_rows) {
  const double share = constants::signatures::clear_strength_rows / static_cast<double>(n_rows);
  return {found_range.least, 1 - (1 - found_range.most) * std::sqrt(std::min(share, 1.0))};
}

model::NoisyOrNetwork with_parts(const model::NoisyOrNetwork& network, std::vector<Part> parts,
                                 const FailureRange& refined, State& state) {
  const std::size_t m = network.n_observed();
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  std::vector<model::Cause> causes = network.causes();
  std::vector<std::vector<double>> failures;
  for (std::size_t u = 0; u < n; ++u) failures.push_back(network.dense_failures(u));
  std::size_t n_new = 0;
  for (Part& one : parts) {  // the leaks' last
    if (one.by_pairs && !are_few(n_new, state)) continue;
    const std::vector<double>& own = one.cause.failures;
    const double prior = one.cause.prior * (one.behind < n ? causes[one.behind].prior : 1);
    bool known = false;
    for (std::uint32_t u = 0; u < failures.size(); ++u) {
      known = known || cosine_of_strengths(own, u < n && u == one.behind ? one.rest : failures[u]) >
                           constants::signatures::same_as_part;
    }
    log::verbose("hidden behind {}: prior {:.5f}, {} children{}",
                 one.behind < n ? fmt::format("{}", one.behind) : "the leaks", prior,
                 std::ranges::count_if(own, [](double f) { return f < 1; }),
                 known ? ", known" : "");
    if (known) continue;
    n_new += one.by_pairs ? 0 : 1;
    if (one.behind < n) {
      failures[one.behind] = std::move(one.rest);
      causes[one.behind].prior -= prior;
    }
    one.cause.prior = prior;
    state.add(one.cause);
    causes.push_back({"*", prior});  // any, as signature_refinement.cpp names them
    failures.push_back(own);
  }
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = failures[u][a];
      if (failure < 1) edges.push_back({u, a, (u < n ? refined : found_range).hold(failure)});
    }
  }
  return {std::move(causes), network.observed(), std::move(edges)};
}

}  // namespace orrery::quartet
