// Baselines without hidden causes: the best tree over the observed variables, and independence.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::evaluate {

/// A distribution of m binary variables along a forest.
struct TreeModel {
  std::vector<std::int64_t> parent;       ///< of each variable; -1: a root
  std::vector<std::array<double, 2>> on;  ///< P(on | parent off), P(on | parent on); a root: both
  std::vector<std::uint32_t> after_parents;  ///< the variables, each after its parent
};

/// Chow & Liu 1968: the tree of the greatest likelihood. Throws InputError if there is no row.
TreeModel fit_chow_liu(const data::SampleMatrix& samples);
/// Every variable on its own.
TreeModel fit_independent(const data::SampleMatrix& samples);

/// Mean log P(row) in nats over all rows; missing values are summed out. The same bits for any
/// number of threads. Throws InputError if the data have another number of variables or no row.
double mean_log_likelihood(const TreeModel& tree, const data::SampleMatrix& samples);

}  // namespace orrery::evaluate
