// What of a matrix is worth naming first.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace orrery::model {

struct Entry {
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  double value = 0;
};
/// Entries other than 0, those of the largest size first (equal ones: column after column).
std::vector<Entry> strongest(const Eigen::MatrixXd& matrix);

}  // namespace orrery::model
