// Signs on a forest, seen through a noisy channel: X in {-1, +1}^p is Markov on a forest, and what
// is observed is Y_i = N_i X_i with P(N_i = -1) = q (Nikolakakis, Kalogerias, Sarwate 2018,
// "Predictive learning on sign-valued hidden Markov trees", Sec. 2.2 and 2.3). A bit that is on is
// the sign +1.
//
//   paper           code                  shape   range
//   p               n_variables
//   E[X_i]          means                 p       (-1, 1); 0: the paper's uniform marginals
//   mu_e            TreeEdge::moment      edges   E[X_a X_b]; with means of 0: tanh theta_e, Eq.
//   (9) q               crossover                     [0, 0.5)
//
// P(x) = prod_edges P(x_a, x_b) / prod_i P(x_i)^(degree(i) - 1), Eq. (4), where
// P(x_a, x_b) = (1 + x_a E[X_a] + x_b E[X_b] + x_a x_b E[X_a X_b]) / 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/model/origin.hpp"

namespace orrery::model {

struct TreeEdge {
  std::uint32_t a = 0;  ///< a < b
  std::uint32_t b = 0;
  double moment = 0;  ///< E[X_a X_b], of the hidden signs
  bool operator==(const TreeEdge&) const = default;
};

class SignTree {
 public:
  SignTree() = default;
  /// `means`: empty for all 0. Edges may come in any order, either end first; they are kept sorted
  /// by (a, b). Throws InputError naming the entry: lengths that differ, a mean that is not in
  /// (-1, 1), an index out of range, a loop, a second edge between the same two, a cycle, a pair of
  /// signs with a negative probability (beyond rounding), a crossover that is not in [0, 0.5).
  SignTree(std::vector<std::string> names, std::vector<double> means, std::vector<TreeEdge> edges,
           double crossover);

  [[nodiscard]] std::size_t n_variables() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<double>& means() const noexcept { return means_; }
  [[nodiscard]] const std::vector<TreeEdge>& edges() const noexcept { return edges_; }
  [[nodiscard]] double crossover() const noexcept { return crossover_; }
  /// Every mean is 0: the paper's model.
  [[nodiscard]] bool is_uniform() const noexcept;
  /// Pearson's correlation of the ends of an edge: along a path they multiply (Eq. 6 is this with
  /// means of 0).
  [[nodiscard]] double correlation(const TreeEdge& edge) const noexcept;

  // The forest with roots: of each component, its first variable.
  static constexpr std::uint32_t none = UINT32_MAX;
  /// p; none at roots.
  [[nodiscard]] const std::vector<std::uint32_t>& parents() const noexcept { return parents_; }
  /// p: the place in edges() of the edge to the parent; none at roots.
  [[nodiscard]] const std::vector<std::uint32_t>& parent_edges() const noexcept {
    return parent_edges_;
  }
  /// Every variable after its parent.
  [[nodiscard]] const std::vector<std::uint32_t>& after_parents() const noexcept {
    return after_parents_;
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> means_;
  std::vector<TreeEdge> edges_;
  double crossover_ = 0;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> parent_edges_;
  std::vector<std::uint32_t> after_parents_;
};

/// What `learn tree` returns.
struct LearnedTree : Origin {
  SignTree tree;
  std::vector<double> edge_errors;  ///< standard errors of the moments, an edge; empty: not known
  double crossover_error = 0;       ///< of an estimated crossover; 0: it was given
};

}  // namespace orrery::model
