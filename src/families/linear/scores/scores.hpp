// How a learned linear network compares with the true one.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/linear_network.hpp"

namespace orrery::linear {

/// The network with its observed variables in the order of `names`, matched by name if both have
/// the same set, else by position. Throws InputError naming `source` if the numbers differ.
model::LearnedLinear aligned(const model::LearnedLinear& learned,
                             const std::vector<std::string>& names, const std::string& source);

/// Every hidden variable scaled to variance 1; estimates and standard errors follow.
model::LearnedLinear canonical(const model::LearnedLinear& learned);

/// Of canonical forms; causes are matched one to one such that the sum of |cosine| of their columns
/// is largest, up to sign and order.
struct LinearScores {
  std::size_t n_true_causes = 0;
  std::size_t n_learned_causes = 0;
  std::vector<std::int64_t> partner;  ///< of each true cause the learned one, -1: none
  std::vector<double> sign;           ///< of each true cause +1 or -1: learned = sign * true
  std::vector<double> cosine;         ///< of each true cause, of the two columns; 0: no partner
  // Edges: loadings other than 0, over all matched columns; of an unmatched cause all are missed,
  // or wrong.
  std::size_t n_true_edges = 0;
  std::size_t n_learned_edges = 0;
  std::size_t n_common_edges = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double loading_error = 0;  ///< |A' - A|_F / |A|_F after matching; a missing column is 0
  double largest_error = 0;  ///< max |a'_ij - a_ij|
  double covariance_error =
      0;                   ///< largest |difference| of the entries of E[hh^T] of matched causes
  double noise_error = 0;  ///< largest |difference| of the noise variances
  /// True loadings (0 too) of matched causes within 1.96 standard errors of the estimates; of none
  /// if no errors are known.
  std::size_t n_covered = 0;
  std::size_t n_with_error = 0;
  // Lambda, if both have one.
  bool has_coupling = false;
  double coupling_error = 0;  ///< largest |difference| over pairs of matched causes
  std::size_t n_true_couplings = 0;
  std::size_t n_learned_couplings = 0;
  std::size_t n_common_couplings = 0;
  /// Upper levels that both have: the largest difference of loadings after matching, a level.
  std::vector<double> level_errors;

  /// Every edge and no other.
  [[nodiscard]] bool same_support() const noexcept {
    return n_true_edges == n_common_edges && n_learned_edges == n_common_edges;
  }
};
/// Variables are taken in their order (aligned).
LinearScores score_linear(const model::LearnedLinear& learned, const model::LinearNetwork& truth);

}  // namespace orrery::linear
