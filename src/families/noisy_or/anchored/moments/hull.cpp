#include "families/noisy_or/anchored/moments/hull.hpp"

#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/noise/noise.hpp"

namespace orrery::anchored {

using Eigen::Index;
using Eigen::VectorXd;

Hull::Hull(const Objective& objective, const ProductBasis& basis, const VectorXd& start)
    : objective_(objective), basis_(basis) {
  const auto observed = objective.anchors().observed.cells();
  const auto independent = objective.independent().cells();
  std::vector<double> counts;
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    if (observed[cell] <= 0) continue;
    observed_cells_.push_back(cell);
    counts.push_back(observed[cell]);
  }
  for (std::size_t cell = 0; cell < independent.size() && objective.regularise() > 0; ++cell) {
    if (independent[cell] <= 0) continue;
    regularised_cells_.push_back(cell);
    counts.push_back(objective.regularise() * independent[cell]);
  }
  counts_ = Eigen::Map<const VectorXd>(counts.data(), static_cast<Index>(counts.size()));
  add(start);
  weights_[0] = 1;
}

VectorXd Hull::cells_of(const VectorXd& products) const {
  model::SubsetTables tables = basis_.tables(products);
  VectorXd result(counts_.size());
  Index row = static_cast<Index>(observed_cells_.size());
  for (const std::size_t cell : regularised_cells_) result[row++] = tables.cells()[cell];
  for (const auto& set : basis_.sets()) apply_noise(tables.table(set), objective_.rates_of(set));
  row = 0;
  for (const std::size_t cell : observed_cells_) result[row++] = tables.cells()[cell];
  return result.cwiseMax(0);  // rounding of inclusion and exclusion
}

void Hull::add(const VectorXd& products) {
  const Index n = n_points();
  if (n == components_.cols()) {
    const Index room = 2 * n + 32;
    components_.conservativeResize(counts_.size(), room);
    points_.conservativeResize(basis_.size(), room);
  }
  components_.col(n) = cells_of(products);
  points_.col(n) = products;
  weights_.conservativeResize(n + 1);
  weights_[n] = 0;
}

void Hull::correct(double gap, std::uint32_t max_iterations) {
  const MixtureFit fit = sequential_quadratic({components_.leftCols(n_points()), counts_}, weights_,
                                              gap, max_iterations);
  Index kept = 0;
  for (Index j = 0; j < n_points(); ++j) {
    if (fit.weights[j] <= 0) continue;
    if (kept != j) {
      components_.col(kept) = components_.col(j);
      points_.col(kept) = points_.col(j);
    }
    weights_[kept++] = fit.weights[j];
  }
  weights_.conservativeResize(kept);
}

VectorXd Hull::products() const { return points_.leftCols(n_points()) * weights_; }

}  // namespace orrery::anchored
