// Purpose: would ALGORITHM 1's linear programs find the loadings? (Theorem 3.2)
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Sec. 3.1.
//   (i)  |A_{(N_i^2)^c, N_i^c} v|_1 > |A_{N_i^2, N_i^c} v|_1
//   (ii) |A_{N_j^c, N_i - j} v|_1 > |A_{N_j, N_i - j} v|_1 + (1 - gamma_i) |A_{N_j, j}|_1 |v|_1
// for every v other than 0; N_i: causes of variable i, N_j: variables of cause j, N_i^2: variables
// of N_i's causes.
// Both ask that |B v|_1 / |C v|_1 be more than 1. The largest |C v|_1 over the polytope
// |B v|_1 <= 1 is that of a convex function, at a vertex; at a vertex as many independent rows of B
// vanish as v has entries, but one. All of these are gone over where they are few; else some,
// drawn at random, and the unit vectors: a ratio of 1 or less is a violation either way.
// Cost: a kernel of (m - 1) x m for each set of rows, `most_kernels` at most for each variable.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "families/linear/network/expansion.hpp"
#include "families/linear/network/index_sets.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Set = IndexSet;

constexpr double kernel_tolerance = 1e-12;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The indices below n that are not in `set`, which rises.
Set without(std::uint32_t n, const Set& set) {
  Set all(n);
  std::iota(all.begin(), all.end(), 0U);
  Set rest;
  std::ranges::set_difference(all, set, std::back_inserter(rest));
  return rest;
}

/// n over k; `most` if that is more.
std::uint64_t n_subsets(std::uint64_t n, std::uint64_t k, std::uint64_t most) {
  double product = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    product *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    if (product > 2 * static_cast<double>(most)) return most;
  }
  return std::min(most, static_cast<std::uint64_t>(std::llround(product)));
}

/// The least |B v|_1 / (|C v|_1 + weight |v|_1).
class LeastRatio {
 public:
  LeastRatio(const MatrixXd& above, MatrixXd below, double weight)
      : below_(std::move(below)), weight_(weight) {
    Set rows;
    for (Index i = 0; i < above.rows(); ++i) {
      if (!above.row(i).isZero(0)) rows.push_back(static_cast<std::uint32_t>(i));
    }
    above_ = above(rows, Eigen::all);
  }

  /// False: some vertices were not looked at.
  bool search(std::uint64_t most_kernels) {
    const Index m = above_.cols();
    for (Index c = 0; c < m; ++c) look_at(VectorXd::Unit(m, c));
    if (m < 2) return true;
    if (above_.rows() < m || linalg::kernel_of(above_, kernel_tolerance).norm() > .5) {
      value_ = 0;  // a v on which B vanishes
      return true;
    }
    const auto n = static_cast<std::size_t>(above_.rows());
    const auto size = static_cast<std::size_t>(m) - 1;
    if (n_subsets(n, size, most_kernels) < most_kernels) {
      Set rows(size);
      std::iota(rows.begin(), rows.end(), 0U);
      do look_at_vertex(rows);
      while (next_set(rows, n));
      return true;
    }
    RowRandom random(1, Stream::check, 0);
    for (std::uint64_t draw = 0; draw < most_kernels; ++draw)
      look_at_vertex(drawn(n, size, random));
    return false;
  }

  [[nodiscard]] double value() const noexcept { return value_; }

 private:
  static Set drawn(std::size_t n, std::size_t size, RowRandom& random) {
    Set rows(n);
    std::iota(rows.begin(), rows.end(), 0U);
    for (std::size_t i = 0; i < size; ++i) std::swap(rows[i], rows[i + random.below(n - i)]);
    rows.resize(size);
    return rows;
  }

  void look_at_vertex(const Set& rows) {
    const MatrixXd kernel = linalg::kernel_of(above_(rows, Eigen::all), kernel_tolerance);
    if (kernel.cols() == 1) look_at(kernel.col(0));
  }

  void look_at(const VectorXd& v) {
    const double under = (below_ * v).lpNorm<1>() + weight_ * v.lpNorm<1>();
    if (under > 0) value_ = std::min(value_, (above_ * v).lpNorm<1>() / under);
  }

  MatrixXd above_;  // B, less its rows of 0
  MatrixXd below_;
  double weight_;
  double value_ = infinite;
};

/// A condition of all variables, from what it is for one of them.
void take(std::uint32_t variable, double ratio, ProgramCondition& condition) {
  if (ratio <= 1) ++condition.n_failing;
  if (ratio >= condition.least_ratio) return;
  condition.least_ratio = ratio;
  condition.variable = variable;
}

class Theorem32 {
 public:
  Theorem32(const MatrixXd& loadings, std::uint64_t most_kernels)
      : a_(loadings),
        most_kernels_(most_kernels),
        n_(static_cast<std::uint32_t>(loadings.rows())),
        k_(static_cast<std::uint32_t>(loadings.cols())),
        graph_(bipartite_of(loadings)),
        parents_(n_) {
    for (std::uint32_t j = 0; j < k_; ++j) {
      for (const std::uint32_t i : graph_.children[j]) parents_[i].push_back(j);
    }
  }

  ProgramConditions check() {
    ProgramConditions found;
    std::vector<bool> largest(k_, false);
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (parents_[i].empty()) continue;
      ++found.n_variables;
      const double gap = gap_of(i, largest);
      if (gap < found.least_gap) {
        found.least_gap = gap;
        found.gap_variable = i;
      }
      take(i, of_other_causes(i, found.first.exhaustive), found.first);
      take(i, of_own_causes(i, gap, found.second.exhaustive), found.second);
    }
    for (std::uint32_t j = 0; j < k_; ++j) {
      if (!largest[j]) found.never_largest.push_back(j);
    }
    found.holds = found.least_gap > 0 && found.never_largest.empty() &&
                  found.first.n_failing == 0 && found.second.n_failing == 0;
    return found;
  }

 private:
  /// gamma_i, and whose loading is the largest of row i.
  double gap_of(std::uint32_t i, std::vector<bool>& largest) const {
    Index first = 0;
    const VectorXd sizes = a_.row(i).cwiseAbs();
    const double most = sizes.maxCoeff(&first);
    largest[static_cast<std::size_t>(first)] = true;
    double second = 0;
    for (Index j = 0; j < sizes.size(); ++j) {
      if (j != first) second = std::max(second, sizes[j]);
    }
    return 1 - second / most;
  }

  double of_other_causes(std::uint32_t i, bool& exhaustive) {
    const auto known = first_.find(parents_[i]);
    if (known != first_.end()) return known->second;
    const Set others = without(k_, parents_[i]);
    const Set inside = neighbours_of(graph_, parents_[i]);
    LeastRatio ratio(a_(without(n_, inside), others), a_(inside, others), 0);
    exhaustive = ratio.search(most_kernels_) && exhaustive;
    return first_[parents_[i]] = ratio.value();
  }

  double of_own_causes(std::uint32_t i, double gap, bool& exhaustive) const {
    double least = infinite;
    if (parents_[i].size() < 2) return least;
    for (const std::uint32_t j : parents_[i]) {
      Set others = parents_[i];
      std::erase(others, j);
      const Set& inside = graph_.children[j];
      const double weight = (1 - gap) * a_.col(j).lpNorm<1>();
      LeastRatio ratio(a_(without(n_, inside), others), a_(inside, others), weight);
      exhaustive = ratio.search(most_kernels_) && exhaustive;
      least = std::min(least, ratio.value());
    }
    return least;
  }

  const MatrixXd& a_;
  std::uint64_t most_kernels_;
  std::uint32_t n_;
  std::uint32_t k_;
  Bipartite graph_;
  std::vector<Set> parents_;     // N_i
  std::map<Set, double> first_;  // (i) of the variables with these causes
};

}  // namespace

ProgramConditions check_programs(const MatrixXd& loadings, std::uint64_t most_kernels) {
  return Theorem32(loadings, most_kernels).check();
}

}  // namespace orrery::model
