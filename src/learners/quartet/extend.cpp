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

}  // namespace

std::vector<double> extend(const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e) {
  std::vector<double> failure(moments.n_observed(), 1.0);
  for (std::size_t k = 0; k < 4; ++k) failure[members[k]] = cause.failure[k];
  for (std::uint32_t x = 0; x < failure.size(); ++x) {
    if (std::ranges::find(members, x) != members.end()) continue;
    const Evidence evidence = evidence_for(moments, learned, cause, members, x);
    if (std::ranges::any_of(evidence.gap, [](double gap) { return std::isnan(gap); })) continue;
    if (moments::median(evidence.gap) > tau_e) failure[x] = moments::median(evidence.failure);
  }
  return failure;
}

}  // namespace orrery::quartet
