// The corrective step of Frank-Wolfe (Halpern, Horng, Sontag 2015, App. F.2): the point of least
// objective among the convex combinations of points of the polytope seen so far. As the objective
// is a sum of logarithms of linear functions, that is a mixture's weights (mixture_weights.hpp).
// Points that come out with weight 0 are dropped.
//
// Memory, m points (at most one more than the number of coordinates keep weight at a minimum):
// (cells + coordinates) m numbers; order 2, 50 variables: 6,300 a point.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

class Hull {
 public:
  /// `start` must have a finite objective. References must outlive it.
  Hull(const Objective& objective, const ProductBasis& basis, const Eigen::VectorXd& start);

  void add(const Eigen::VectorXd& products);
  /// Re-optimises over all points to a duality gap within their hull, or until `max_iterations`.
  void correct(double gap, std::uint32_t max_iterations);

  [[nodiscard]] Eigen::Index n_points() const { return weights_.size(); }
  [[nodiscard]] Eigen::VectorXd products() const;

 private:
  /// What a point gives the cells that weigh.
  [[nodiscard]] Eigen::VectorXd cells_of(const Eigen::VectorXd& products) const;

  const Objective& objective_;
  const ProductBasis& basis_;
  std::vector<std::size_t> observed_cells_;     // whose count is not 0
  std::vector<std::size_t> regularised_cells_;  // of the independent tables; none if lambda is 0
  Eigen::VectorXd counts_;
  // Columns beyond n_points() are room to grow.
  Eigen::MatrixXd components_;
  Eigen::MatrixXd points_;
  Eigen::VectorXd weights_;
};

}  // namespace orrery::anchored
