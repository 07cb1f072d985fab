#include "families/noisy_or/quartet/signatures/signature_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/progress.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {
namespace {

Pair ordered(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::vector<std::uint32_t> SignatureSearch::thirds(const Pair& seed) const {
  const auto [a, b] = seed;
  const PairSignature& found = signatures_.of(a, b);
  std::vector<Third> ranked;
  for (std::uint32_t x = 0; x < m_; ++x) {
    const double strength = found.strength[x];
    if (x == a || x == b || strength < constants::signatures::least_third ||
        strength < constants::signatures::least_third_z * found.error[x]) {
      continue;
    }
    ranked.push_back({std::min(strength, 1.0) / std::sqrt(residuals_.on(x) + 1e-4), x});
  }
  std::ranges::sort(ranked, [](const Third& p, const Third& q) {
    return std::tuple(-p.rank, p.variable) < std::tuple(-q.rank, q.variable);
  });
  std::vector<std::uint32_t> chosen;
  for (const Third& third : ranked) {
    if (chosen.size() == constants::signatures::later_thirds) break;
    if (residuals_.unexplained(a, third.variable, constants::signatures::least_third_share) &&
        residuals_.unexplained(b, third.variable, constants::signatures::least_third_share)) {
      chosen.push_back(third.variable);
    }
  }
  return chosen;
}

bool SignatureSearch::agree(const Pair& first, const Pair& second) const {
  const PairSignature& p = signatures_.of(first[0], first[1]);
  const PairSignature& q = signatures_.of(second[0], second[1]);
  if (!(p.residual > 0) || !(q.residual > 0)) return false;
  const auto is_member = [&](std::uint32_t x) {
    return x == first[0] || x == first[1] || x == second[0] || x == second[1];
  };
  // Where neither is strong at any other, the members are all the children that there are.
  for (const auto* variables : {&p.strongest, &q.strongest}) {
    if (variables->empty()) return false;
    double sum = 0;
    std::size_t n = 0;
    for (const std::uint32_t x : *variables) {
      if (is_member(x)) continue;
      const double differ = double{p.strength[x]} - q.strength[x];
      const double error_p = p.error[x];
      const double error_q = q.error[x];
      sum +=
          differ * differ /
          (error_p * error_p + error_q * error_q +
           constants::signatures::strength_tolerance * constants::signatures::strength_tolerance);
      ++n;
    }
    if (sum > constants::signatures::most_disagreement * static_cast<double>(n)) return false;
  }
  return true;
}

std::vector<Pair> SignatureSearch::advance(Growth& growth) const {
  using Step = Growth::Step;
  while (growth.next != Step::end) {
    std::vector<Pair> needed;
    switch (growth.next) {
      case Step::seed:
        needed = {growth.seed};
        growth.next = Step::begin;
        break;
      case Step::begin:
        needed = begin(growth);
        growth.next = Step::pair;
        break;
      case Step::pair:
        needed = pairs_of_some(growth);
        growth.next = Step::take;
        break;
      case Step::take:
        take_members(growth);
        needed = look_at_some(growth);
        growth.next = Step::pair;
        break;
      case Step::end:
        break;
    }
    if (!growth.growing) growth.next = Step::end;
    std::erase_if(needed, [&](const Pair& pair) { return signatures_.has(pair); });
    if (!needed.empty()) return needed;
  }
  return {};
}

std::vector<Pair> SignatureSearch::begin(Growth& growth) const {
  const auto [a, b] = growth.seed;
  growth.members = {a, b};
  growth.growing = signatures_.of(a, b).residual > 0;
  if (growth.growing) growth.thirds = thirds(growth.seed);
  return look_at_some(growth);
}

std::vector<Pair> SignatureSearch::look_at_some(Growth& growth) const {
  const std::size_t last =
      std::min(growth.n_looked_at + constants::signatures::first_thirds, growth.thirds.size());
  growth.some.assign(growth.thirds.begin() + static_cast<std::ptrdiff_t>(growth.n_looked_at),
                     growth.thirds.begin() + static_cast<std::ptrdiff_t>(last));
  growth.n_looked_at = last;
  growth.growing =
      !growth.some.empty() && growth.members.size() < constants::signatures::most_members;
  std::vector<Pair> pairs;
  if (!growth.growing) return pairs;
  for (const std::uint32_t c : growth.some) pairs.push_back(ordered(growth.seed[0], c));
  return pairs;
}

// Those that agree with the seed by one pair are worth the others.
std::vector<Pair> SignatureSearch::pairs_of_some(Growth& growth) const {
  std::erase_if(growth.some,
                [&](std::uint32_t c) { return !agree(growth.seed, ordered(growth.seed[0], c)); });
  if (growth.some.empty() && growth.members.size() == 2) growth.growing = false;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < growth.some.size(); ++i) {
    for (const std::uint32_t d : growth.members) pairs.push_back(ordered(d, growth.some[i]));
    for (std::size_t j = 0; j < i; ++j) pairs.push_back(ordered(growth.some[j], growth.some[i]));
  }
  std::erase_if(pairs, [&](const Pair& pair) {
    return !residuals_.unexplained(pair[0], pair[1], constants::signatures::least_third_share);
  });
  return pairs;
}

void SignatureSearch::take_members(Growth& growth) const {
  for (const std::uint32_t c : growth.some) {
    if (growth.members.size() < constants::signatures::most_members &&
        std::ranges::all_of(growth.members, [&](std::uint32_t d) {
          return residuals_.unexplained(c, d, constants::signatures::least_third_share) &&
                 agree(growth.seed, ordered(c, d));
        })) {
      growth.members.push_back(c);
    }
  }
}

double SignatureSearch::triple_z(const std::vector<std::uint32_t>& members) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const PairSignature& pair = signatures_.of(members[(i + 1) % 3], members[(i + 2) % 3]);
    least = std::min(least, double{pair.strength[members[i]]} / pair.error[members[i]]);
  }
  return least;
}

Elected SignatureSearch::pool(const std::vector<std::uint32_t>& members) const {
  std::vector<double> weight(m_, 0);
  std::vector<double> sum(m_, 0);
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const PairSignature& pair = signatures_.of(members[i], members[j]);
      for (std::uint32_t x = 0; x < m_; ++x) {
        if (x == members[i] || x == members[j]) continue;
        const double error = pair.error[x];
        const double w = 1 / (error * error + 1e-4);
        weight[x] += w;
        sum[x] += w * pair.strength[x];
      }
    }
  }
  const auto strength = [&](std::uint32_t x) { return std::clamp(sum[x] / weight[x], 0.0, .995); };
  std::vector<double> priors;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      priors.push_back(prior_of_coupling(signatures_.of(members[i], members[j]).residual,
                                         1 - strength(members[i]), 1 - strength(members[j])));
    }
  }
  std::ranges::sort(priors);
  Elected cause;
  cause.prior = priors[priors.size() / 2];
  // A quarter of them on either side: 0.67 standard deviations.
  cause.prior_error = (priors[3 * priors.size() / 4] - priors[priors.size() / 4]) / 1.35 /
                      std::sqrt(static_cast<double>(members.size()));
  cause.failures.assign(m_, 1);
  cause.failure_errors.assign(m_, 0);
  for (std::uint32_t x = 0; x < m_; ++x) {
    const double error = constants::signatures::pooled_doubt / std::sqrt(weight[x]);
    if (strength(x) < constants::signatures::least_edge_strength ||
        strength(x) < constants::signatures::least_edge_z * error)
      continue;
    cause.failures[x] = 1 - strength(x);
    cause.failure_errors[x] = error;
  }
  cause.support = members.size() * (members.size() - 1) * (members.size() - 2) *
                  (members.size() - 3) / 24;  // quartets of members
  if (members.size() == 3) cause.statistic = triple_z(members);
  cause.quartet.fill(moments::no_variable);  // the largest of all: last
  std::copy_n(members.begin(), std::min<std::size_t>(members.size(), 4), cause.quartet.begin());
  std::ranges::sort(cause.quartet);
  return cause;
}

// Two causes that share children have pairs of these that agree; of what only one has they say that
// it comes with what only the other has. Other causes can only add to a pair: too few rows with
// both on speak against the cause.
bool SignatureSearch::stands_for_two(const Elected& cause) const {
  std::vector<std::uint32_t> children;
  for (std::uint32_t x = 0; x < m_; ++x) {
    if (cause.failures[x] < 1) children.push_back(x);
  }
  std::ranges::sort(children, [&](std::uint32_t x, std::uint32_t y) {
    return std::tuple(cause.failures[x], x) < std::tuple(cause.failures[y], y);
  });
  if (children.size() > constants::signatures::most_paired_children)
    children.resize(constants::signatures::most_paired_children);
  std::size_t n_pairs = 0;
  std::size_t n_deficits = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint32_t x = children[i];
      const std::uint32_t y = children[j];
      const double others = residuals_.learned().pair(x, y);
      const double all = others + constants::signatures::coupling_room *
                                      coupling(cause.prior, cause.failures[x], cause.failures[y]);
      const double z = residuals_.excess_z(x, y, all);
      if (residuals_.excess_z(x, y, others) - z < constants::signatures::visible_z) continue;
      ++n_pairs;
      n_deficits += z < constants::signatures::deficit_z ? 1 : 0;
    }
  }
  return static_cast<double>(n_deficits) >
         constants::signatures::most_deficits * static_cast<double>(n_pairs);
}

std::optional<Elected> SignatureSearch::cause_of(const std::vector<std::uint32_t>& members) const {
  if (members.size() < constants::signatures::least_members) return std::nullopt;
  Elected cause = pool(members);
  const auto n_strong = std::ranges::count_if(cause.failures, [](double failure) {
    return failure < 1 - constants::signatures::strong_edge;
  });
  if (cause.prior < constants::signatures::least_found_prior ||
      cause.prior > constants::signatures::most_found_prior || n_strong < 3)
    return std::nullopt;
  // Three speak for a cause of few children; of many, more than three would agree.
  const auto n_children =
      std::ranges::count_if(cause.failures, [](double failure) { return failure < 1; });
  if (members.size() == 3 && (n_children > constants::signatures::most_of_three ||
                              cause.statistic < constants::signatures::least_triple_z)) {
    return std::nullopt;
  }
  if (stands_for_two(cause)) return std::nullopt;
  return cause;
}

namespace {

/// By seed, one after the other: its number, and what it led to.
std::vector<double> to_numbers(const std::vector<std::size_t>& seeds,
                               const std::vector<FoundCause>& found) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::vector<std::uint32_t>& members = found[i].members;
    numbers.push_back(static_cast<double>(seeds[i]));
    numbers.push_back(static_cast<double>(members.size()));
    numbers.insert(numbers.end(), members.begin(), members.end());
    numbers.push_back(found[i].cause ? 1 : 0);
    if (!found[i].cause) continue;
    const Elected& cause = *found[i].cause;
    numbers.insert(numbers.end(), {cause.prior, cause.prior_error,
                                   static_cast<double>(cause.support), cause.statistic});
    numbers.insert(numbers.end(), cause.quartet.begin(), cause.quartet.end());
    numbers.insert(numbers.end(), cause.failures.begin(), cause.failures.end());
    numbers.insert(numbers.end(), cause.failure_errors.begin(), cause.failure_errors.end());
  }
  return numbers;
}

std::vector<FoundCause> from_numbers(const std::vector<double>& numbers, std::size_t n_seeds,
                                     std::size_t m) {
  std::vector<FoundCause> found(n_seeds);
  auto next = numbers.begin();
  const auto take = [&](auto first, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) *first++ = static_cast<std::uint32_t>(*next++);
  };
  const auto take_reals = [&](std::vector<double>& values) {
    values.assign(next, next + static_cast<std::ptrdiff_t>(m));
    next += static_cast<std::ptrdiff_t>(m);
  };
  while (next != numbers.end()) {
    FoundCause& one = found[static_cast<std::size_t>(*next++)];
    one.members.resize(static_cast<std::size_t>(*next++));
    take(one.members.begin(), one.members.size());
    if (*next++ == 0) continue;
    Elected& cause = one.cause.emplace();
    cause.prior = *next++;
    cause.prior_error = *next++;
    cause.support = static_cast<std::uint64_t>(*next++);
    cause.statistic = *next++;
    take(cause.quartet.begin(), cause.quartet.size());
    take_reals(cause.failures);
    take_reals(cause.failure_errors);
  }
  return found;
}

}  // namespace

std::vector<Pair> SignatureSearch::advance(std::vector<Growth>& growths) const {
  const parallel::SharedTime time(signatures_.threads(), signatures_.are_of_ranks());
  std::vector<std::vector<Pair>> by_growth(growths.size());
#pragma omp parallel for num_threads(signatures_.threads()) schedule(dynamic)
  for (std::size_t i = 0; i < growths.size(); ++i) by_growth[i] = advance(growths[i]);
  std::vector<Pair> needed;
  for (const auto& some : by_growth) needed.insert(needed.end(), some.begin(), some.end());
  return needed;
}

std::vector<FoundCause> SignatureSearch::found_by(const std::vector<Growth>& growths) const {
  const parallel::SharedTime time(signatures_.threads(), signatures_.are_of_ranks());
  std::vector<FoundCause> found(growths.size());
#pragma omp parallel for num_threads(signatures_.threads()) schedule(dynamic)
  for (std::size_t i = 0; i < growths.size(); ++i) {
    found[i] = {growths[i].members, cause_of(growths[i].members)};
  }
  return found;
}

std::vector<FoundCause> SignatureSearch::causes_of(std::span<const Pair> seeds) {
  const parallel::Team& team = signatures_.team();
  const bool is_shared_out = signatures_.are_of_ranks();
  const auto size = static_cast<std::size_t>(is_shared_out ? team.size() : 1);
  const auto rank = static_cast<std::size_t>(is_shared_out ? team.rank() : 0);
  std::vector<std::size_t> own;
  std::vector<Growth> growths;
  std::vector<std::vector<Pair>> by_rank(size);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    by_rank[i % size].push_back(seeds[i]);
    if (i % size != rank) continue;
    own.push_back(i);
    growths.push_back({.seed = seeds[i]});
  }
  if (is_shared_out) signatures_.count_for_ranks(by_rank);
  while (signatures_.need(advance(growths))) {
  }
  std::vector<FoundCause> found = found_by(growths);
  if (!is_shared_out) return found;
  return from_numbers(team.gather_everywhere(to_numbers(own, found)), seeds.size(), m_);
}

std::vector<Pair> seeds_of(const parallel::Team& team, const PairResiduals& residuals,
                           int threads) {
  struct Seed {
    double rank;
    Pair pair;
  };
  const auto m = static_cast<std::uint32_t>(residuals.moments().n_observed());
  constexpr std::uint32_t unit_variables = 16;
  std::vector<std::vector<Seed>> of_thread(static_cast<std::size_t>(threads));
  Progress silent("", 0, "");
  team.for_each_unit(
      (m + unit_variables - 1) / unit_variables, threads, silent,
      [&](std::uint64_t unit, int thread) {
        const auto first = static_cast<std::uint32_t>(unit) * unit_variables;
        for (std::uint32_t b = first; b < std::min(first + unit_variables, m); ++b) {
          for (std::uint32_t a = 0; a < b; ++a) {
            if (residuals.both_on(a, b) * residuals.n_rows(a, b) <
                constants::signatures::least_seed_rows)
              continue;
            if (residuals.excess_z(a, b, 0) < constants::signatures::least_excess_z)
              continue;  // most go here
            if (!residuals.unexplained(a, b, constants::signatures::least_seed_share)) continue;
            const double left = residuals.coupled(a, b) - residuals.learned().pair(a, b);
            of_thread[static_cast<std::size_t>(thread)].push_back(
                {left / std::sqrt(residuals.on(a) * residuals.on(b)), {a, b}});
          }
        }
      });
  std::vector<Seed> seeds;
  for (const auto& own : of_thread) seeds.insert(seeds.end(), own.begin(), own.end());
  seeds = team.gather_everywhere(seeds);
  std::ranges::sort(seeds, [](const Seed& p, const Seed& q) {
    return std::tuple(-p.rank, p.pair) < std::tuple(-q.rank, q.pair);
  });
  std::vector<Pair> pairs;
  pairs.reserve(seeds.size());
  for (const Seed& seed : seeds) pairs.push_back(seed.pair);
  return pairs;
}

}  // namespace orrery::quartet
