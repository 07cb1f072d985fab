// How a linear network is put together: what it requires of its parts, and what follows from a
// coupling h = Lambda h + eta (Anandkumar et al. 2013, Eq. 6).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "orrery/model/linear_network.hpp"

namespace orrery::model {

/// Throws InputError as LinearNetwork does. Fills in what may be left out: means, innovations, the
/// shapes of matrices without an entry; a covariance is made symmetric to the last bit.
void check_and_fill(LinearParts& parts);

/// Products of floating-point numbers differ in the last bit on the two sides of the diagonal:
/// makes a symmetric matrix of the lower triangle.
void mirror_lower(Eigen::MatrixXd& matrix);

/// Entries of the largest matrix of a network: 512 MiB. Names are short, matrices are not: a small
/// file could ask for more than any memory.
inline constexpr std::size_t most_entries = std::size_t{1} << 26U;
/// Throws InputError if a matrix of these two numbers is larger than that.
void require_room(std::size_t n_rows, std::size_t n_columns);

/// The causes, each after those it depends on; of several that may come next the first. Throws
/// InputError naming the causes of a cycle.
std::vector<Eigen::Index> causal_order_of(const Eigen::MatrixXd& coupling,
                                          const std::vector<std::string>& names);

/// (I - Lambda)^-1: entry (i, j) is what a unit of the innovation of j adds to cause i. Entries are
/// exact sums over paths: 0 where no path leads. O(k) an edge of the coupling.
Eigen::MatrixXd total_effects(const Eigen::MatrixXd& coupling,
                              const std::vector<Eigen::Index>& order);

}  // namespace orrery::model
