// Exact moments of an anchored network, as if from infinitely many samples.
//
// A finding is off if its leak and every present cause fail, so that
//   P(x_S = 0) = prod_{j in S} (1 - l_j) E_y[prod_i (prod_{j in S} f_ij)^{y_i}],
// one sum of CauseElimination with a weight per cause; tables follow by inclusion and exclusion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/cause_elimination.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::model {

class AnchoredMoments {
 public:
  /// Of a table's observed variables and causes together.
  static constexpr std::size_t max_members = 16;

  /// `network` must outlive it. Throws InputError if sums over its causes are not feasible.
  explicit AnchoredMoments(const NoisyOrNetwork& network);

  /// P(every variable of `observed` is 0); distinct, any order.
  [[nodiscard]] double all_off(std::span<const std::uint32_t> observed) const;
  /// P(every variable of `observed` is 0, Y_Z): 2^|Z| cells; bit i is the value of causes[i].
  /// `causes` rises.
  [[nodiscard]] std::vector<double> off_with_causes(std::span<const std::uint32_t> observed,
                                                    std::span<const std::uint32_t> causes) const;
  /// P(X_S, Y_Z): bit i of a cell's number is the value of observed[i]; the bits of the causes
  /// follow. Cost: 2^(|S| + |Z|) sums; right to about 2^|S| times the rounding error of one. Throws
  /// InputError for more than max_members.
  [[nodiscard]] std::vector<double> table(std::span<const std::uint32_t> observed,
                                          std::span<const std::uint32_t> causes = {}) const;
  /// P(X_S) of every set of up to `order` of these observed variables; they are numbered by their
  /// places in `observed`. Cost: a sum per set.
  [[nodiscard]] SubsetTables tables(std::span<const std::uint32_t> observed,
                                    std::size_t order) const;

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

}  // namespace orrery::model
