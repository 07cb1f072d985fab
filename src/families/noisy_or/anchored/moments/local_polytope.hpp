// The local polytope of tables of sets of K variables: linear functions over it by a linear
// program, and of pairs by a minimum cut.
//
// The polytope and its tightening by cycle inequalities, as a linear program (Halpern, Horng,
// Sontag 2015, Eq. (3); Sontag, Jaakkola 2007), by COIN-OR's CLP.
//
// Coordinates are products (product_basis.hpp), so that the tables agree; a row says of each cell
// of the largest tables that it is not negative. Pairs of 50 variables: 1,275 columns, 3,675 rows;
// triples: 20,875 and 137,200, which recovery.cpp refuses: triples of 10, 15 and 20 causes (20,000
// rows, half of the anchors violated, a gap of 0.005 nats) took 1, 10 and 143 s and up to 230 MB,
// and starting with few rows and adding violated ones was no faster.
//
// Every pair has a table, so every cycle has chords, and a cycle inequality is a sum of those of
// triangles (Barahona, Mahjoub 1986): only triangles are separated, by trying all 4 C(n, 3). Tables
// of triples imply them.
//
// The program is kept: another objective starts from the last basis, and violated inequalities
// stay. At most 50,000 + 20 (rows + columns) pivots. Memory: some 100 bytes a nonzero.
#pragma once

#include <memory>

#include "families/noisy_or/anchored/moments/product_basis.hpp"

class ClpSimplex;

namespace orrery::anchored {

/// sum of coefficient times product <= limit.
struct Inequality {
  std::vector<std::pair<Eigen::Index, double>> terms;
  double limit = 0;
  double excess = 0;  ///< by which the point that it was asked for breaks it
};

/// The triangle inequalities that `products` break by more than `tolerance`, worst first (ties: by
/// their order), at most `most`. Order 2 and up.
std::vector<Inequality> violated_triangles(const ProductBasis& basis,
                                           const Eigen::VectorXd& products, double tolerance,
                                           std::size_t most);

class LocalPolytope : public LinearOracle {
 public:
  LocalPolytope(const ProductBasis& basis, bool with_cycles);
  ~LocalPolytope() override;

  Minimum minimise(const LinearForm& form, double target) override;
  bool contains(const Eigen::VectorXd& products) override;
  /// Programs with cycle inequalities are dear, and early ones of little use: at every 10th step they
  /// took twice the time (30 to 50 causes). Of triples every 10th step is better than every 30th.
  [[nodiscard]] bool is_asked_at(std::uint32_t step) const override {
    return with_cycles_ ? step % 30 == 0 : step % 10 == 1;
  }

  /// As solved last, with the inequalities added so far: where an integer program starts from.
  [[nodiscard]] const ClpSimplex& program() const { return *program_; }
  /// The last vertex as the program has it: within its tolerance of the polytope.
  [[nodiscard]] Eigen::VectorXd last() const;

 private:
  void solve(bool after_cuts);

  const ProductBasis& basis_;
  bool with_cycles_;
  std::unique_ptr<ClpSimplex> program_;
};

// Linear functions over the local polytope of pairs, by a minimum cut instead of a linear program:
// its vertices have coordinates 0, 1/2 and 1, and the program's value is the roof dual of the
// quadratic function (Hammer, Hansen, Simeone 1984; network: Boros, Hammer 2002, Sec. 5).
//
// Each variable has a node for y and one for its complement; a term a u v of the posiform (a > 0;
// u, v: variables or complements) gives arcs u -> not v and v -> not u of capacity a / 2. Literals
// that the source reaches in the residual network are true; variables of which neither literal is
// reached are 1/2. Capacities are integers, 2^40 for the largest coefficient: exact flows, and the
// same on every machine.
//
// Cost: push-relabel on 2 n + 2 nodes and 2 n (n + 1) arcs; 50 variables: some ms. Memory n^2.

class RoofDual : public LinearOracle {
 public:
  /// Of order 1 or 2. Must be outlived by `basis`.
  explicit RoofDual(const ProductBasis& basis) : basis_(basis) {}

  Minimum minimise(const LinearForm& form, double target) override;
  bool contains(const Eigen::VectorXd& products) override;
  [[nodiscard]] bool is_asked_at(std::uint32_t /*step*/) const override { return true; }

 private:
  const ProductBasis& basis_;
};

/// Whether consistent tables have no cell below 0: all that the local polytope asks of them.
bool is_nonnegative(const ProductBasis& basis, const Eigen::VectorXd& products);

}  // namespace orrery::anchored
