#include "families/linear/network/strongest.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::model {

std::vector<Entry> strongest(const Eigen::MatrixXd& matrix) {
  std::vector<Entry> entries;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) != 0) entries.push_back({i, j, matrix(i, j)});
    }
  }
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return entries;
}

}  // namespace orrery::model
