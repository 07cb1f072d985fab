#include "moments/subtraction.hpp"

#include <algorithm>

#include "moments/joint_table.hpp"

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

}  // namespace orrery::moments
