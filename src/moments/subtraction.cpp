#include "moments/subtraction.hpp"

#include <algorithm>

namespace orrery::moments {

void Subtraction::add(double prior, std::span<const double> failures, double prior_error,
                      std::span<const double> failure_errors) {
  priors_.push_back(prior);
  failures_.insert(failures_.end(), failures.begin(), failures.end());
  prior_errors_.push_back(prior_error);
  failure_errors_.insert(failure_errors_.end(), failure_errors.begin(), failure_errors.end());
  failure_errors_.resize(failures_.size(), 0.0);
}

double Subtraction::factor(std::span<const std::size_t> set) const {
  double product = 1;
  for (std::size_t cause = 0; cause < n_causes(); ++cause) {
    double failures = 1;
    for (const std::size_t x : set) failures *= failure(cause, x);
    product *= cause_factor(priors_[cause], failures);
  }
  return product;
}

void Subtraction::factors(std::initializer_list<std::size_t> set, std::size_t first,
                          std::span<double> factors) const {
  std::fill(factors.begin() + static_cast<std::ptrdiff_t>(first), factors.end(), 1.0);
  for (std::size_t cause = 0; cause < n_causes(); ++cause) {
    double failures = 1;
    for (const std::size_t x : set) failures *= failure(cause, x);
    const double absent = 1 - priors_[cause];
    const double scale = priors_[cause] * failures;
    const double* row = failures_.data() + cause * n_observed_;
    for (std::size_t d = first; d < n_observed_; ++d) factors[d] *= absent + scale * row[d];
  }
}

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
