// What follows from a coupling h = Lambda h + eta (Anandkumar et al. 2013, Eq. 6).
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace orrery::model {

/// The causes, each after those it depends on; of several that may come next the first. Throws
/// InputError naming the causes of a cycle.
std::vector<Eigen::Index> causal_order_of(const Eigen::MatrixXd& coupling,
                                          const std::vector<std::string>& names);

/// (I - Lambda)^-1: entry (i, j) is what a unit of the innovation of j adds to cause i. Entries are
/// exact sums over paths: 0 where no path leads. O(k) an edge of the coupling.
Eigen::MatrixXd total_effects(const Eigen::MatrixXd& coupling,
                              const std::vector<Eigen::Index>& order);

}  // namespace orrery::model
