#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"

#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/moments/local_polytope.hpp"

namespace orrery::anchored {
namespace {

using Eigen::VectorXd;

constexpr int most_cbc_nodes = 500;
constexpr double integer_tolerance = 1e-6;  // how far from 0 or 1 an integral variable may be

/// Triangle inequalities, for CBC.
class TriangleCuts : public CglCutGenerator {
 public:
  explicit TriangleCuts(const ProductBasis& basis) : basis_(&basis) {}

  void generateCuts(const OsiSolverInterface& solver, OsiCuts& cuts,
                    const CglTreeInfo /*where*/) override {
    const Eigen::Map<const VectorXd> products(solver.getColSolution(), basis_->size());
    for (const Inequality& inequality : violated_triangles(*basis_, products, 1e-5, 200)) {
      OsiRowCut cut;
      std::vector<int> columns;
      std::vector<double> values;
      for (const auto& [column, value] : inequality.terms) {
        columns.push_back(static_cast<int>(column));
        values.push_back(value);
      }
      cut.setRow(static_cast<int>(columns.size()), columns.data(), values.data());
      cut.setUb(inequality.limit);
      cut.setGloballyValid();
      cuts.insert(cut);
    }
  }
  [[nodiscard]] CglCutGenerator* clone() const override { return new TriangleCuts(*this); }

 private:
  const ProductBasis* basis_;
};

// The least value of a polynomial of binary variables by COIN-OR's CBC: branch and cut on the
// single variables, whose integrality makes all products integral. The linear program with triangle
// inequalities (local_polytope.hpp) is the root; more triangles are separated at the nodes. At most
// 500 nodes; if they are used up, the bound is that of the nodes left, and holds all the same.
//
// As LinearOracle::minimise, at most one vertex. `root`: the program with the form as its
// objective.
Minimum minimise_by_cbc(const ClpSimplex& root, const ProductBasis& basis, const LinearForm& form,
                        double target) {
  const std::size_t n = basis.n_variables();
  ClpSimplex program(root);
  OsiClpSolverInterface solver(&program, false);
  solver.setHintParam(OsiDoReducePrint, true);
  solver.messageHandler()->setLogLevel(0);
  for (std::size_t i = 0; i < n; ++i) solver.setInteger(static_cast<int>(i));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  TriangleCuts triangles(basis);
  if (basis.order() == 2) model.addCutGenerator(&triangles, 1, "triangles");
  model.setMaximumNodes(most_cbc_nodes);
  model.setCutoff(target - form.constant);
  model.setIntegerTolerance(integer_tolerance);
  model.branchAndBound();

  const bool finished =
      model.isProvenOptimal() || model.isProvenInfeasible() || model.status() == 0;
  Minimum minimum;
  if (model.bestSolution() != nullptr) {
    minimum.vertices.push_back(basis.nearest_vertex({model.bestSolution(), n}));
    minimum.bound =
        finished ? form(minimum.vertices[0]) : model.getBestPossibleObjValue() + form.constant;
  } else {
    minimum.bound = finished ? target : model.getBestPossibleObjValue() + form.constant;
  }
  return minimum;
}

constexpr double whole = 1e-6;  // how far from 0 or 1 a program's variable may be

bool is_integral(std::span<const double> singles) {
  return std::ranges::all_of(
      singles, [](double value) { return std::abs(value - std::round(value)) <= whole; });
}

}  // namespace

MarginalPolytope::MarginalPolytope(const ProductBasis& basis, IntegerProgram program,
                                   const Toulbar2Limits& limits)
    : basis_(basis), root_(basis, true), limits_(limits) {
  if (program == IntegerProgram::toulbar2) toulbar2_ = find_toulbar2();
}

Minimum MarginalPolytope::by_toulbar2(const LinearForm& form, double target) {
  Minimum minimum = minimise_by_toulbar2(toulbar2_, basis_, form, target, limits_);
  const double least = minimum.vertices.empty() ? target : form(minimum.vertices[0]);
  if (minimum.bound >= least - limits_.precision) return minimum;
  minimum.bound = std::max(minimum.bound, root_.minimise(form, target).bound);
  return minimum;
}

Minimum MarginalPolytope::by_cbc(const LinearForm& form, double target) {
  const Minimum relaxed = root_.minimise(form, target);
  if (relaxed.bound >= target) return {{}, relaxed.bound};
  const VectorXd point = root_.last();
  const std::span<const double> singles(point.data(), basis_.n_variables());
  if (is_integral(singles)) return {{basis_.nearest_vertex(singles)}, relaxed.bound};
  Minimum minimum = minimise_by_cbc(root_.program(), basis_, form, target);
  minimum.bound = std::max(minimum.bound, relaxed.bound);
  return minimum;
}

Minimum MarginalPolytope::minimise(const LinearForm& form, double target) {
  return toulbar2_.empty() ? by_cbc(form, target) : by_toulbar2(form, target);
}

bool MarginalPolytope::contains(const VectorXd& products) {
  const std::size_t n = basis_.n_variables();
  const bool can_tell = basis_.order() >= n || n <= 3;
  return can_tell && root_.contains(products);
}

}  // namespace orrery::anchored
