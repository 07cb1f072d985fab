// Purpose: do the loadings cancel by accident? (Condition 4: parameter genericity)
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Def. 2.4.
// A violation is a set S of s >= 2 causes and a v whose support is S with M v = 0 in at least s of
// the variables N(S). A variable with one cause in S cannot be among these; the others are `rows`.
// What vanishes on v is what depends linearly on some s - 1 rows (repeated, if these are
// dependent), and with v any other vector of their null space vanishes there. So all violations of
// support S are found by going over all s - 1 of its rows:
//   kernel K of M_{R, S};  support: coordinates of K other than 0 (all of S, or R will not do);
//   zeros: rows that vanish on K (s or more violate);  v: K times any weights that keep the support
// Cost: sum over S of C(rows of S, s - 1) systems of (s - 1) x s, until they are as many as
// allowed.
//   Sets grow by one cause at a time, so that small supports, the likely ones, come first.
#include <algorithm>
#include <cmath>
#include <optional>

#include "families/linear/network/expansion.hpp"
#include "families/linear/network/index_sets.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

// Of what counts as 0 beside what it is the sum of: far above rounding, and far below what
// millions of ratios of random loadings come near each other by chance.
constexpr double zero_tolerance = 1e-12;

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Set = IndexSet;

/// The loadings of sets of causes, in variables that two or more of the set have.
class SharedRows {
 public:
  explicit SharedRows(const MatrixXd& loadings)
      : loadings_(loadings), graph_(bipartite_of(loadings)), n_parents_(graph_.n_observed, 0) {}

  MatrixXd of(const Set& causes) {
    Set shared;
    for (const std::uint32_t j : causes) {
      for (const std::uint32_t i : graph_.children[j]) {
        if (++n_parents_[i] == 2) shared.push_back(i);
      }
    }
    for (const std::uint32_t j : causes) {
      for (const std::uint32_t i : graph_.children[j]) n_parents_[i] = 0;
    }
    MatrixXd rows(static_cast<Index>(shared.size()), static_cast<Index>(causes.size()));
    for (Index r = 0; r < rows.rows(); ++r) {
      for (Index c = 0; c < rows.cols(); ++c) {
        rows(r, c) =
            loadings_(shared[static_cast<std::size_t>(r)], causes[static_cast<std::size_t>(c)]);
      }
    }
    return rows;
  }

 private:
  const MatrixXd& loadings_;
  Bipartite graph_;
  Set n_parents_;  // of each variable, in the set; 0 between calls
};

/// A vector of the kernel without a 0. Weights that give one by accident are few: others are tried.
VectorXd without_zeros(const MatrixXd& kernel) {
  VectorXd weights(kernel.cols());
  VectorXd found;
  double base = 0.618;
  for (int i = 0; i < 30; ++i, base *= 0.93) {
    for (Index c = 0; c < weights.size(); ++c) weights[c] = std::pow(base, static_cast<double>(c));
    found = kernel * weights;
    if (found.cwiseAbs().minCoeff() > zero_tolerance * found.cwiseAbs().maxCoeff()) break;
  }
  return found;
}

class Support {
 public:
  explicit Support(const MatrixXd& rows) : rows_(rows), sizes_(rows.cwiseAbs()) {}

  /// A v without zeros on which as many rows vanish as there are causes; `n_left` systems are
  /// allowed, and are counted.
  std::optional<VectorXd> violation(std::uint64_t& n_left) const;

 private:
  [[nodiscard]] std::optional<VectorXd> violation_of(const Set& chosen) const;

  const MatrixXd& rows_;
  MatrixXd sizes_;
};

std::optional<VectorXd> Support::violation(std::uint64_t& n_left) const {
  const auto n = static_cast<std::size_t>(rows_.rows());
  const auto size = static_cast<std::size_t>(rows_.cols());
  if (n < size) return std::nullopt;
  Set chosen = first_set(size - 1);
  do {
    if (n_left == 0) return std::nullopt;
    --n_left;
    if (auto found = violation_of(chosen)) return found;
  } while (next_set(chosen, n));
  return std::nullopt;
}

std::optional<VectorXd> Support::violation_of(const Set& chosen) const {
  MatrixXd system(static_cast<Index>(chosen.size()), rows_.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    system.row(static_cast<Index>(i)) = rows_.row(chosen[i]).normalized();
  }
  const MatrixXd kernel = linalg::kernel_of(system, zero_tolerance);
  const MatrixXd kernel_sizes = kernel.cwiseAbs();
  const VectorXd largest = kernel_sizes.rowwise().maxCoeff();
  if (largest.minCoeff() <= zero_tolerance * largest.maxCoeff()) return std::nullopt;
  const Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> is_zero =
      (rows_ * kernel).array().abs() <= zero_tolerance * (sizes_ * kernel_sizes).array();
  if (is_zero.rowwise().all().count() < rows_.cols()) return std::nullopt;
  return without_zeros(kernel);
}

}  // namespace

Genericity check_genericity(const Eigen::MatrixXd& loadings, std::uint64_t most_systems) {
  const auto k = static_cast<std::size_t>(loadings.cols());
  Genericity found;
  found.largest_set = std::min<std::size_t>(k, 1);
  std::uint64_t n_left = most_systems;
  SharedRows shared(loadings);
  for (std::size_t size = 2; size <= k; ++size) {
    Set causes = first_set(size);
    do {
      if (n_left == 0) return found;
      --n_left;
      const MatrixXd rows = shared.of(causes);
      if (const auto v = Support(rows).violation(n_left)) {
        found.holds = false;
        found.set = causes;
        found.direction = VectorXd::Zero(loadings.cols());
        for (std::size_t c = 0; c < size; ++c) {
          found.direction[causes[c]] = (*v)[static_cast<Index>(c)];
        }
        return found;
      }
    } while (next_set(causes, k));
    if (n_left > 0) found.largest_set = size;
  }
  return found;
}

}  // namespace orrery::model
