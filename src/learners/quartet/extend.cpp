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
// PMI and CPMI. Cost: m triple counts, O(m N / 64) words.
#include "learners/quartet/extend.hpp"

#include "orrery/moments/mixture.hpp"

namespace orrery::quartet {

std::array<double, 8> adjusted_triplet(const moments::MomentSource& moments,
                                       const moments::Subtraction& learned, std::size_t a,
                                       std::size_t b, std::size_t x) {
  return {1,
          moments.single(a) / learned.factor({a}),
          moments.single(b) / learned.factor({b}),
          moments.pair(a, b) / learned.factor({a, b}),
          moments.single(x) / learned.factor({x}),
          moments.pair(a, x) / learned.factor({a, x}),
          moments.pair(b, x) / learned.factor({b, x}),
          moments.triple(a, b, x) / learned.factor({a, b, x})};
}

moments::QuartetMoments adjusted_quartet(const moments::MomentSource& moments,
                                         const moments::Subtraction& learned,
                                         const std::array<std::uint32_t, 4>& members) {
  const auto [a, b, c, d] = members;
  const auto abc = adjusted_triplet(moments, learned, a, b, c);
  const auto abd = adjusted_triplet(moments, learned, a, b, d);
  const auto acd = adjusted_triplet(moments, learned, a, c, d);
  const auto bcd = adjusted_triplet(moments, learned, b, c, d);
  return {1,      abc[1], abc[2], abc[3],
          abc[4], abc[5], abc[6], abc[7],
          abd[4], abd[5], abd[6], abd[7],
          acd[6], acd[7], bcd[7], moments.quartet(a, b, c, d) / learned.factor({a, b, c, d})};
}

std::vector<double> extend(const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e) {
  std::vector<double> failure(moments.n_observed(), 1.0);
  for (std::size_t k = 0; k < 4; ++k) failure[members[k]] = cause.failure[k];
  const std::size_t a = members[0];
  const std::size_t b = members[1];
  for (std::size_t x = 0; x < failure.size(); ++x) {
    if (x == a || x == b || x == members[2] || x == members[3]) continue;
    const auto triplet = adjusted_triplet(moments, learned, a, b, x);
    if (!(moments::information_gap(triplet) > tau_e)) continue;
    failure[x] = moments::failure_from_information(moments::conditional_mutual_information(triplet),
                                                   cause.prior, cause.failure[0], cause.failure[1]);
  }
  return failure;
}

}  // namespace orrery::quartet
