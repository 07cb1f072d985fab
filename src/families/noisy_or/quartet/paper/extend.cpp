// Algorithm 2 of Jernite, Halpern, Sontag 2013.
//
//   paper                          code
//   L, children (a, b, c, d)       cause, members
//   Latent                         learned
//   FAILURE(a, b, x, L)            moments::failure_from_information (Eqs. 5, 6)
//   tau                            tau_e
//
// Line 3 subtracts the coupling parents of (a, b, x) only; here all learned causes are, which is
// the same: the factor of a cause that has at most one of the three as a child cancels in both
// PMI and CPMI. Departure: the paper picks a and b from the quartet "arbitrarily" (Sec. 2.2); here
// all six pairs are asked and the median decides, as in MIXTURE, so that the order of the variables
// does not matter. Cost: 6 m triple counts in tiles, 8 m N bit operations.
#include "families/noisy_or/quartet/paper/extend.hpp"

#include <algorithm>
#include <cmath>

#include "moments/mixture.hpp"
#include "moments/subtraction.hpp"

namespace orrery::quartet {
namespace {

/// What the six pairs of the quartet say about x.
struct MemberEvidence {
  std::array<double, 6> gap{};  ///< PMI(a, b) - CPMI(a, b | x)
  std::array<double, 6> failure{};
};

using Pair = std::array<std::uint32_t, 2>;

/// The quartet's six pairs.
std::array<Pair, 6> pairs_of(const std::array<std::uint32_t, 4>& members) {
  const auto [a, b, c, d] = members;
  return {{{a, b}, {a, c}, {a, d}, {b, c}, {b, d}, {c, d}}};
}

/// `triples`: P(pair and x off), of each pair.
MemberEvidence evidence_for(const moments::MomentSource& moments,
                            const moments::Subtraction& learned, const CauseEstimate& cause,
                            const std::array<std::uint32_t, 4>& members, std::uint32_t x,
                            const std::array<double, 6>& triples) {
  MemberEvidence evidence;
  std::size_t n = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j, ++n) {
      const auto triplet =
          moments::adjusted_triplet(moments, learned, {members[i], members[j], x}, triples[n]);
      evidence.gap[n] = moments::information_gap(triplet);
      evidence.failure[n] =
          moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                            cause.prior, cause.failure[i], cause.failure[j]);
    }
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
                                const std::array<std::uint32_t, 4>& members, double tau_e,
                                std::size_t first, std::size_t last) {
  const auto triples = moments.triples_of_pairs(pairs_of(members), first, last);
  std::vector<double> failures(last - first, 1.0);
  for (std::size_t x = first; x < last; ++x) {
    if (const auto member = std::ranges::find(members, x); member != members.end()) {
      failures[x - first] = cause.failure[static_cast<std::size_t>(member - members.begin())];
      continue;
    }
    std::array<double, 6> of_x{};
    for (std::size_t k = 0; k < 6; ++k) of_x[k] = triples[k][x - first];
    failures[x - first] = failure_of(
        evidence_for(moments, learned, cause, members, static_cast<std::uint32_t>(x), of_x), tau_e);
  }
  return failures;
}

std::vector<double> extend(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e) {
  constexpr std::size_t per_unit = 32;  // four panels of columns: see count_on_beside_pairs
  const std::size_t m = moments.n_observed();
  moments.prepare_pairs(pairs_of(members));
  std::vector<double> values(m, 0);
  Progress silent("", 0, "");
  team.for_each_unit((m + per_unit - 1) / per_unit, threads, silent, [&](auto unit, int) {
    const std::size_t first = unit * per_unit;
    const auto failures =
        failures_of(moments, learned, cause, members, tau_e, first, std::min(first + per_unit, m));
    std::ranges::copy(failures, values.begin() + static_cast<std::ptrdiff_t>(first));
  });
  team.share_values(values);
  return values;
}

}  // namespace orrery::quartet
