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
// does not matter. Cost: 6 m triple counts, O(m N / 64) words.
#include "learners/quartet/extend.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "orrery/moments/adjusted.hpp"
#include "orrery/moments/mixture.hpp"

namespace orrery::quartet {
namespace {

/// What the six pairs of the quartet say about x.
struct Evidence {
  std::array<double, 6> gap{};  ///< PMI(a, b) - CPMI(a, b | x)
  std::array<double, 6> failure{};
};

Evidence evidence_for(const moments::MomentSource& moments, const moments::Subtraction& learned,
                      const CauseEstimate& cause, const std::array<std::uint32_t, 4>& members,
                      std::uint32_t x) {
  Evidence evidence;
  std::size_t n = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j, ++n) {
      const auto triplet = moments::adjusted_triplet(moments, learned, {members[i], members[j], x});
      evidence.gap[n] = moments::information_gap(triplet);
      evidence.failure[n] =
          moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                            cause.prior, cause.failure[i], cause.failure[j]);
    }
  }
  return evidence;
}

/// f_{L,x}; 1 if x is no child.
double failure_of(const moments::MomentSource& moments, const moments::Subtraction& learned,
                  const CauseEstimate& cause, const std::array<std::uint32_t, 4>& members,
                  std::uint32_t x, double tau_e) {
  const Evidence evidence = evidence_for(moments, learned, cause, members, x);
  if (std::ranges::any_of(evidence.gap, [](double gap) { return std::isnan(gap); })) return 1;
  return moments::median(evidence.gap) > tau_e ? moments::median(evidence.failure) : 1;
}

/// Every triple that evidence_for asks for.
std::vector<std::array<std::uint32_t, 4>> triples_asked(const std::array<std::uint32_t, 4>& members,
                                                        std::size_t m) {
  std::vector<std::array<std::uint32_t, 4>> sets;
  for (std::uint32_t x = 0; x < m; ++x) {
    if (std::ranges::find(members, x) != members.end()) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        sets.push_back({members[i], members[j], x, moments::no_variable});
      }
    }
  }
  return sets;
}

}  // namespace

std::vector<double> extend(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e) {
  constexpr std::size_t per_unit = 16;
  const std::size_t m = moments.n_observed();
  moments.prepare(triples_asked(members, m));
  std::vector<std::uint64_t> failure(m, 0);  // the bits of doubles; 0 where another rank looks
  Progress silent("", 0, "");
  team.for_each_unit((m + per_unit - 1) / per_unit, threads, silent, [&](auto unit, int) {
    for (std::size_t x = unit * per_unit; x < std::min((unit + 1) * per_unit, m); ++x) {
      const auto member = std::ranges::find(members, x);
      const double value =
          member != members.end()
              ? cause.failure[static_cast<std::size_t>(member - members.begin())]
              : failure_of(moments, learned, cause, members, static_cast<std::uint32_t>(x), tau_e);
      failure[x] = std::bit_cast<std::uint64_t>(value);
    }
  });
  team.sum_words(failure);
  std::vector<double> values(m);
  std::ranges::transform(failure, values.begin(),
                         [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
  return values;
}

}  // namespace orrery::quartet
