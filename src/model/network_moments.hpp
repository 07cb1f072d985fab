// The exact moments of a known network, as if from infinitely many samples: negative moments of its
// variables, tables of variables and causes of an anchored network, and what one cause tells of
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/cause_elimination.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// Negative moments, of causes that are independent or not.
class NetworkMoments final : public moments::MomentSource {
 public:
  /// `network` must outlive the object.
  explicit NetworkMoments(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_observed() const override { return network_.n_observed(); }
  [[nodiscard]] std::uint64_t n_samples() const override { return 0; }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return pairs_[a * n_observed() + b];
  }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override;
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override;
  [[nodiscard]] std::unique_ptr<moments::MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override { return 8 * n_observed(); }

 private:
  const NoisyOrNetwork& network_;
  std::vector<double> pairs_;
};

/// A finding is off if its leak and every present cause fail, so that
///   P(x_S = 0) = prod_{j in S} (1 - l_j) E_y[prod_i (prod_{j in S} f_ij)^{y_i}],
/// one sum of CauseElimination with a weight per cause; tables follow by inclusion and exclusion.
class AnchoredMoments {
 public:
  /// Of a table's observed variables and causes together.
  static constexpr std::size_t max_members = 16;

  /// `network` must outlive it. Throws InputError if sums over its causes are not feasible.
  explicit AnchoredMoments(const NoisyOrNetwork& network);

  /// P(every variable of `observed` is 0, Y_Z), distinct, any order: 2^|Z| cells; bit i is the
  /// value of causes[i]. `causes` rises.
  [[nodiscard]] std::vector<double> off_with_causes(std::span<const std::uint32_t> observed,
                                                    std::span<const std::uint32_t> causes) const;
  /// P(X_S, Y_Z): bit i of a cell's number is the value of observed[i]; the bits of the causes
  /// follow. Cost: 2^(|S| + |Z|) sums; right to about 2^|S| times the rounding error of one. Throws
  /// InputError for more than max_members.
  [[nodiscard]] std::vector<double> table(std::span<const std::uint32_t> observed,
                                          std::span<const std::uint32_t> causes = {}) const;

 private:
  struct Weights {
    double leaks_fail = 1;
    std::vector<CauseWeight> causes;
  };
  [[nodiscard]] Weights weights(std::span<const std::uint32_t> observed) const;

  const NoisyOrNetwork& network_;
  CauseElimination elimination_;
  std::vector<std::vector<Edge>> parents_;  // of each observed variable
};

/// What one cause tells of another that depends on it, as a reader would say it.
struct CauseDependence {
  std::uint32_t cause = 0, parent = 0;
  /// P(cause on | parent on) and P(cause on | parent off), other parents summed out.
  double with = 0, without = 0;
};

/// Of each edge among the causes, by (cause, parent); empty where sums over the causes are out of
/// reach (CauseElimination::is_feasible). O(edges n 2^width).
std::vector<CauseDependence> dependences_of(const NoisyOrNetwork& network);

/// "a is on in 60 % of the rows with b, in 20 % of the others: 3 times as often".
std::string in_words(const CauseDependence& dependence, const NoisyOrNetwork& network);

}  // namespace orrery::model
