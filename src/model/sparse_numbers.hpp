// What the parts of SparsePosterior share: probabilities kept away from 0 and 1, and products.
#pragma once

#include <algorithm>
#include <cmath>

namespace orrery::model::sparse {

inline constexpr double least_probability = 1e-9;  // of probabilities
inline double inside(double probability) {
  return std::clamp(probability, least_probability, 1 - least_probability);
}

/// Of factors from 1e-9 to 1e9: a logarithm for many.
class LogProduct {
 public:
  void times(double factor) {
    product_ *= factor;
    if (product_ > 1e200 || product_ < 1e-200) {
      log_ += std::log(product_);
      product_ = 1;
    }
  }
  [[nodiscard]] double log() const { return log_ + std::log(product_); }

 private:
  double product_ = 1;
  double log_ = 0;
};

}  // namespace orrery::model::sparse
