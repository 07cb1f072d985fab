// A network of hundreds of causes by its variables, as SparsePosterior looks things up in it, and
// what the parts of SparsePosterior share.
//
// Memory: 76 bytes per edge.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

// What the parts of SparsePosterior share.

namespace sparse {

inline constexpr double least_probability = 1e-9;  // of probabilities
inline constexpr double least_log_bound = -7;      // 0.001: log odds of a cause worth a look
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
  /// No less than log(), by the exponent alone: by 0.7 more at most.
  [[nodiscard]] double most_log() const {
    constexpr double log_two = 0.6931471805599453;
    const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(product_) >> 52U) - 1022;
    return log_ + log_two * exponent;
  }

 private:
  double product_ = 1;
  double log_ = 0;
};

}  // namespace sparse

/// A network by its variables; shared by threads.
class SparseNetwork {
 public:
  struct Reach {
    std::uint32_t cause;
    float log_most;  ///< by which its log odds rise when the variable is on, at most; above 0
  };
  struct Parent {
    std::uint32_t edge;  ///< in NoisyOrNetwork::edges
    double log_failure;
    double failure;
    double log_gain;  ///< by which the cause makes the variable likelier, beside its leak
  };

  struct Child {
    std::uint32_t observed;
    double log_failure;
    double failure;
    double log_gain;
  };

  explicit SparseNetwork(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_causes() const noexcept { return log_odds_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return quiet_.size(); }
  /// The causes of a variable, and the rest of them in the same order.
  [[nodiscard]] std::span<const Reach> reaches(std::size_t observed) const noexcept {
    return {reaches_.data() + first_parent_[observed], n_parents(observed)};
  }
  [[nodiscard]] std::span<const Parent> parents(std::size_t observed) const noexcept {
    return {parents_.data() + first_parent_[observed], n_parents(observed)};
  }
  /// Parent 0 of a variable is this one of all; a parent by its number among all.
  [[nodiscard]] std::size_t first_parent(std::size_t observed) const noexcept {
    return first_parent_[observed];
  }
  [[nodiscard]] const Parent& parent(std::size_t number) const noexcept { return parents_[number]; }
  /// The variables of a cause; child 0 is edge first_child() of the network.
  [[nodiscard]] std::span<const Child> children(std::size_t cause) const noexcept {
    const std::size_t first = first_child_[cause];
    return {children_.data() + first, first_child_[cause + 1] - first};
  }
  /// Child::observed of each.
  [[nodiscard]] std::span<const std::uint32_t> child_variables(std::size_t cause) const noexcept {
    const std::size_t first = first_child_[cause];
    return {child_variables_.data() + first, first_child_[cause + 1] - first};
  }
  [[nodiscard]] std::size_t first_child(std::size_t cause) const noexcept {
    return first_child_[cause];
  }
  /// 1 - leak, and its logarithm.
  [[nodiscard]] double quiet(std::size_t observed) const noexcept { return quiet_[observed]; }
  [[nodiscard]] double log_quiet(std::size_t observed) const noexcept {
    return log_quiet_[observed];
  }
  /// log P(every variable is off).
  [[nodiscard]] double log_silent() const noexcept { return log_silent_; }
  /// log odds of a cause when all its children are off, log(1 + odds), and its posterior.
  [[nodiscard]] double log_odds(std::size_t cause) const noexcept { return log_odds_[cause]; }
  [[nodiscard]] double log_sum(std::size_t cause) const noexcept { return log_sum_[cause]; }
  [[nodiscard]] double quiet_posterior(std::size_t cause) const noexcept {
    return posterior_[cause];
  }
  /// Bits of the causes whose log_sum() is more than rounding of a log-likelihood.
  [[nodiscard]] std::span<const std::uint64_t> loud() const noexcept { return loud_; }
  /// The least Reach::log_most of all that is on with which a cause is worth a look.
  [[nodiscard]] std::span<const float> least_most() const noexcept { return least_most_; }

 private:
  void bound_causes();
  [[nodiscard]] std::size_t n_parents(std::size_t observed) const noexcept {
    return first_parent_[observed + 1] - first_parent_[observed];
  }

  std::vector<double> quiet_, log_quiet_;
  std::vector<double> log_odds_, log_sum_, posterior_;
  std::vector<std::size_t> first_parent_;
  std::vector<Reach> reaches_;
  std::vector<Parent> parents_;
  std::vector<std::size_t> first_child_;
  std::vector<Child> children_;
  std::vector<std::uint32_t> child_variables_;
  std::vector<std::uint64_t> loud_;
  std::vector<float> least_most_;
  double log_silent_ = 0;
};

}  // namespace orrery::model
