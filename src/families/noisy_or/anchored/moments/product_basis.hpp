// Consistent tables of small sets of binary variables (Eq. (3) of Halpern, Horng, Sontag 2015) by
// their free coordinates, the products q_Z = P(all of Z are 1), 1 <= |Z| <= K. Tables are q by
// inclusion and exclusion, so that they agree with one another whatever q is; a state of the
// variables is a q of zeros and ones, a vertex of the marginal polytope; and a linear function of
// the tables is a polynomial in the state.
//
// Memory and time of either map: sum over s <= K of C(n, s) 2^s, times K.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

/// constant + sum_Z coefficients_Z q_Z.
struct LinearForm {
  double constant = 0;
  Eigen::VectorXd coefficients;

  [[nodiscard]] double operator()(const Eigen::VectorXd& products) const {
    return constant + coefficients.dot(products);
  }
};

class ProductBasis {
 public:
  ProductBasis(std::size_t n_variables, std::size_t order);

  [[nodiscard]] std::size_t n_variables() const { return n_; }
  [[nodiscard]] std::size_t order() const { return order_; }
  /// Sets in the order of SubsetTables, which is that of the coordinates.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& sets() const { return sets_; }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(sets_.size()); }
  /// Coordinate of a set that rises strictly, of 1 to order() members.
  [[nodiscard]] Eigen::Index coordinate(std::span<const std::uint32_t> set) const;
  /// Coordinates of the subsets of set number `z`, by their bits; the empty one is -1.
  [[nodiscard]] std::span<const Eigen::Index> subsets(Eigen::Index z) const;

  [[nodiscard]] model::SubsetTables tables(const Eigen::VectorXd& products) const;
  [[nodiscard]] Eigen::VectorXd products(const model::SubsetTables& tables) const;
  /// The polynomial whose value at q is sum over all cells of gradient times table.
  [[nodiscard]] LinearForm form(const model::SubsetTables& gradient) const;
  /// Of a state: 1 where all of Z are 1.
  [[nodiscard]] Eigen::VectorXd vertex(std::span<const std::uint8_t> state) const;
  /// Of the state whose variables are 1 where a program's are nearer to it.
  [[nodiscard]] Eigen::VectorXd nearest_vertex(std::span<const double> singles) const;

 private:
  std::size_t n_;
  std::size_t order_;
  std::vector<std::vector<std::uint32_t>> sets_;
  std::vector<std::vector<std::size_t>> binomials_;  // [m][k], m <= n, k <= order
  std::vector<Eigen::Index> first_;                  // coordinate of the first set of a size
  std::vector<std::size_t> subsets_begin_;
  std::vector<Eigen::Index> subsets_;
};

// Line 3 of Algorithm 2 (Halpern, Horng, Sontag 2015, App. F.2): minimises a linear function over a
// polytope of tables. Polytopes hold the marginal polytope, and are held by the local one.

struct Minimum {
  std::vector<Eigen::VectorXd> vertices;  ///< found below the target; best first; may be none
  double bound = 0;                       ///< nowhere in the polytope is the form less
};

class LinearOracle {
 public:
  LinearOracle() = default;
  LinearOracle(const LinearOracle&) = delete;
  LinearOracle& operator=(const LinearOracle&) = delete;
  virtual ~LinearOracle() = default;

  /// Points of no use at or above `target`: where there are none below it, that is told by a bound
  /// of at least `target`, and how much more need not be found out. Throws InputError where the
  /// solver gives up with nothing, EnvironmentError where one is a program that fails.
  virtual Minimum minimise(const LinearForm& form, double target) = 0;
  /// Whether consistent tables lie within the polytope; false where it cannot be told.
  virtual bool contains(const Eigen::VectorXd& products) = 0;
  /// Whether it is worth asking at this step of Frank-Wolfe (1, 2, ...), though states are still
  /// found that lie below: by what minimise() costs.
  [[nodiscard]] virtual bool is_asked_at(std::uint32_t step) const = 0;
};

}  // namespace orrery::anchored
