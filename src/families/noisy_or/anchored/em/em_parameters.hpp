// What EM changes, failures and leaks, and the sums over draws that its M-step takes: Eqs. (24) and
// (25) of Halpern, Horng, Sontag 2015, App. F.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/cause_posterior.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

/// Where the sums of a step stand. An edge is one of the start's loadings, in their order.
struct EmPlaces {
  std::size_t n, m, n_edges;

  [[nodiscard]] std::size_t cause_on(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t succeeded(std::size_t edge) const { return n + 2 * edge; }
  /// Draws in which the cause is on, but another has succeeded before.
  [[nodiscard]] std::size_t not_tried(std::size_t edge) const { return n + 2 * edge + 1; }
  [[nodiscard]] std::size_t leaked(std::size_t j) const { return n + 2 * n_edges + j; }
  [[nodiscard]] std::size_t draws() const { return n + 2 * n_edges + m; }
  [[nodiscard]] std::size_t fit() const { return draws() + 1; }
  [[nodiscard]] std::size_t log_likelihood() const { return draws() + 2; }
  [[nodiscard]] std::size_t exact() const { return draws() + 3; }
  [[nodiscard]] std::size_t impossible() const { return draws() + 4; }
  [[nodiscard]] std::size_t size() const { return draws() + 5; }
};

class EmParameters {
 public:
  struct Link {
    std::uint32_t cause;
    std::uint32_t edge;
  };

  /// Of the loadings of `start`, inside (0, 1). `start` must outlive it.
  explicit EmParameters(const model::NoisyOrNetwork& start);

  [[nodiscard]] const EmPlaces& places() const noexcept { return places_; }
  [[nodiscard]] double failure(std::size_t edge) const { return values_[edge]; }
  [[nodiscard]] double leak(std::size_t j) const { return values_[places_.n_edges + j]; }
  [[nodiscard]] std::span<const Link> parents(std::size_t j) const { return parents_[j]; }
  /// The start with these failures and leaks.
  [[nodiscard]] model::NoisyOrNetwork network() const;

  /// Eq. (25). `pseudo`: failures added to each edge, and to the leak, with a success. Returns the
  /// largest change.
  double maximise(std::span<const double> sums, double pseudo);

  /// All failures, then all leaks.
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  void set_values(std::span<const double> values) { values_.assign(values.begin(), values.end()); }

 private:
  const model::NoisyOrNetwork& start_;
  EmPlaces places_;
  std::vector<double> values_;
  std::vector<std::vector<Link>> parents_;
};

/// One thread's: adds draws of a row to the sums.
class EmCounter {
 public:
  /// `prepared`: of parameters.network(). `parameters` must outlive it, and stay as they are.
  EmCounter(const EmParameters& parameters, const model::PreparedAnchored& prepared);

  /// `state`: of the causes; `values`: the row's bits.
  void count(std::span<const std::uint8_t> state, std::span<const std::uint64_t> values,
             double weight, std::span<double> sums);

 private:
  double count_positive(std::span<const std::uint8_t> state, std::size_t j, double weight,
                        std::span<double> sums);

  const EmParameters& parameters_;
  // log P(x = 0) of all variables by leaks alone, and what each cause adds to it if it is on.
  double log_quiet_ = 0;
  std::vector<double> log_silent_;
  std::vector<double> first_;
};

}  // namespace orrery::anchored
