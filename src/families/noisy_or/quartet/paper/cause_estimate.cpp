// Jernite, Halpern, Sontag 2013.
//
// MIXTURE (Algorithm 1 line 8, Eq. (2)) and the coherence test (Sec. 2.1) share the estimates of
// the four triplets of a quartet. Departure: the paper does not say how estimates outside the
// parameters' ranges count; here they are left out. Cost: 12 eigenvalue pairs of 2x2 matrices.
//
// EXTEND (Algorithm 2):
//
//   paper                          code
//   L, children (a, b, c, d)       cause, members
//   Latent                         learned
//   FAILURE(a, b, x, L)            moments::failure_from_information (Eqs. 5, 6)
//   tau                            tau_e
//
// Line 3 subtracts the coupling parents of (a, b, x) only; here all learned causes are, which is
// the same: the factor of a cause that has at most one of the three as a child cancels in both
// PMI and CPMI. The paper picks a and b from the quartet "arbitrarily" (Sec. 2.2): with
// Extend::first_pair, which --paper takes, they are its first two members. Departure, the default
// of --test rank and coherence (Extend::median): all six pairs are asked and the median decides, as
// in MIXTURE, so that the order of the variables does not matter. jobs/quartet has figures of both.
// Cost: 1 or 6 m triple counts in tiles, 8 m N bit operations at most.
#include "families/noisy_or/quartet/paper/cause_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

struct Estimates {
  std::vector<double> prior;                   // up to 12
  std::array<std::vector<double>, 4> failure;  // up to 3 a member
};

Estimates estimates_of_triplets(const moments::QuartetMoments& negative) {
  Estimates estimates;
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    std::array<std::size_t, 3> members{};
    std::size_t n = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k != left_out) members[n++] = k;
    }
    moments::TripletMoments triplet{};
    for (std::size_t set = 0; set < 8; ++set) {
      std::size_t mask = 0;
      for (std::size_t k = 0; k < 3; ++k) mask |= ((set >> k) & 1U) << members[k];
      triplet[set] = negative[mask];
    }
    const auto views = moments::fit_mixture(triplet);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!views[k]) continue;
      estimates.prior.push_back(views[k]->prior);
      estimates.failure[members[k]].push_back(views[k]->failure);
    }
  }
  return estimates;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(const std::vector<double>& values) {
  const double center = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<CauseEstimate> mixture(const moments::QuartetMoments& negative) {
  const Estimates estimates = estimates_of_triplets(negative);
  if (estimates.prior.empty()) return std::nullopt;
  CauseEstimate cause;
  cause.prior = moments::median(estimates.prior);
  if (!(cause.prior < 0.5)) return std::nullopt;
  for (std::size_t k = 0; k < 4; ++k) {
    if (estimates.failure[k].empty()) return std::nullopt;
    cause.failure[k] = moments::median(estimates.failure[k]);
    if (!(cause.failure[k] < 1)) return std::nullopt;
  }
  return cause;
}

std::optional<Coherence> coherence(const moments::QuartetMoments& negative) {
  const Estimates estimates = estimates_of_triplets(negative);
  if (estimates.prior.size() < 2) return std::nullopt;
  Coherence result;
  const double prior = mean(estimates.prior);
  result.variance = variance(estimates.prior);
  std::array<double, 4> failure{};
  for (std::size_t k = 0; k < 4; ++k) {
    if (estimates.failure[k].size() < 2) return std::nullopt;
    failure[k] = mean(estimates.failure[k]);
    result.variance = std::max(result.variance, variance(estimates.failure[k]));
  }
  // P(S off) = prod over S of (1 - leak) times the cause's factor; 1 - leak from the single
  // moments.
  for (std::size_t set = 0; set < 16; ++set) {
    double leaks = 1;
    double product = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) == 0) continue;
      leaks *= negative[std::size_t{1} << k] / moments::cause_factor(prior, failure[k]);
      product *= failure[k];
    }
    result.distance += std::abs(leaks * moments::cause_factor(prior, product) - negative[set]);
  }
  return result;
}

namespace {

/// What the pairs of the quartet that are asked say about x.
struct MemberEvidence {
  std::vector<double> gap;  ///< PMI(a, b) - CPMI(a, b | x)
  std::vector<double> failure;
};

using Pair = std::array<std::uint32_t, 2>;

/// The pairs that are asked, as places in the quartet: the first, or all six.
std::span<const Pair> asked_pairs(Extend extend) {
  static constexpr std::array<Pair, 6> all{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
  return std::span(all).first(extend == Extend::first_pair ? 1 : all.size());
}

/// The same pairs as variables.
std::vector<Pair> pairs_of(const std::array<std::uint32_t, 4>& members, Extend extend) {
  std::vector<Pair> pairs;
  for (const auto& [i, j] : asked_pairs(extend)) pairs.push_back({members[i], members[j]});
  return pairs;
}

/// `triples`: P(pair and x off), of each pair that is asked.
MemberEvidence evidence_for(const moments::MomentSource& moments,
                            const moments::Subtraction& learned, const CauseEstimate& cause,
                            const std::array<std::uint32_t, 4>& members, std::uint32_t x,
                            Extend extend, const std::vector<std::vector<double>>& triples,
                            std::size_t place) {
  MemberEvidence evidence;
  std::size_t n = 0;
  for (const auto& [i, j] : asked_pairs(extend)) {
    const auto triplet = moments::adjusted_triplet(moments, learned, {members[i], members[j], x},
                                                   triples[n++][place]);
    evidence.gap.push_back(moments::information_gap(triplet));
    evidence.failure.push_back(
        moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                          cause.prior, cause.failure[i], cause.failure[j]));
  }
  return evidence;
}

/// f_{L,x}; 1 if x is no child.
double failure_of(const MemberEvidence& evidence, double tau_e) {
  if (std::ranges::any_of(evidence.gap, [](double gap) { return std::isnan(gap); })) return 1;
  return moments::median(evidence.gap) > tau_e ? moments::median(evidence.failure) : 1;
}

}  // namespace

std::vector<double> failures_of(const moments::MomentSource& moments,
                                const moments::Subtraction& learned, const CauseEstimate& cause,
                                const std::array<std::uint32_t, 4>& members, const ChildRule& rule,
                                std::size_t first, std::size_t last) {
  const auto triples = moments.triples_of_pairs(pairs_of(members, rule.pairs), first, last);
  std::vector<double> failures(last - first, 1.0);
  for (std::size_t x = first; x < last; ++x) {
    if (const auto member = std::ranges::find(members, x); member != members.end()) {
      failures[x - first] = cause.failure[static_cast<std::size_t>(member - members.begin())];
      continue;
    }
    failures[x - first] =
        failure_of(evidence_for(moments, learned, cause, members, static_cast<std::uint32_t>(x),
                                rule.pairs, triples, x - first),
                   rule.tau_e);
  }
  return failures;
}

std::vector<double> extend(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, const ChildRule& rule) {
  constexpr std::size_t per_unit = 32;  // four panels of columns: see count_on_beside_pairs
  const std::size_t m = moments.n_observed();
  moments.prepare_pairs(pairs_of(members, rule.pairs));
  std::vector<double> values(m, 0);
  Progress silent("", 0, "");
  team.for_each_unit((m + per_unit - 1) / per_unit, threads, silent, [&](auto unit, int) {
    const std::size_t first = unit * per_unit;
    const auto failures =
        failures_of(moments, learned, cause, members, rule, first, std::min(first + per_unit, m));
    std::ranges::copy(failures, values.begin() + static_cast<std::ptrdiff_t>(first));
  });
  team.share_values(values);
  return values;
}

}  // namespace orrery::quartet
