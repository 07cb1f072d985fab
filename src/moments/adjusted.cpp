#include "moments/adjusted.hpp"

namespace orrery::moments {

TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members) {
  return adjusted_triplet(moments, learned, members,
                          moments.triple(members[0], members[1], members[2]));
}

TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members, double triple) {
  const auto [a, b, c] = members;
  return {1,
          moments.single(a) / learned.factor({a}),
          moments.single(b) / learned.factor({b}),
          moments.pair(a, b) / learned.factor({a, b}),
          moments.single(c) / learned.factor({c}),
          moments.pair(a, c) / learned.factor({a, c}),
          moments.pair(b, c) / learned.factor({b, c}),
          triple / learned.factor({a, b, c})};
}

QuartetMoments adjusted_quartet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 4>& members) {
  const auto [a, b, c, d] = members;
  const TripletMoments abc = adjusted_triplet(moments, learned, {a, b, c});
  const TripletMoments abd = adjusted_triplet(moments, learned, {a, b, d});
  const TripletMoments acd = adjusted_triplet(moments, learned, {a, c, d});
  const TripletMoments bcd = adjusted_triplet(moments, learned, {b, c, d});
  return {1,      abc[1], abc[2], abc[3],
          abc[4], abc[5], abc[6], abc[7],
          abd[4], abd[5], abd[6], abd[7],
          acd[6], acd[7], bcd[7], moments.quartet(a, b, c, d) / learned.factor({a, b, c, d})};
}

}  // namespace orrery::moments
