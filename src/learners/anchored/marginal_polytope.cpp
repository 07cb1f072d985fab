#include "learners/anchored/marginal_polytope.hpp"

#include <fmt/format.h>

#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>

#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_nodes = 500;
constexpr double whole = 1e-6;  // how far from 0 or 1 an integral variable may be

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

std::vector<std::uint8_t> rounded(std::span<const double> singles) {
  std::vector<std::uint8_t> state;
  for (const double value : singles) state.push_back(value > .5 ? 1 : 0);
  return state;
}

bool is_integral(std::span<const double> singles) {
  return std::ranges::all_of(
      singles, [](double value) { return std::abs(value - std::round(value)) <= whole; });
}

}  // namespace

MarginalPolytope::MarginalPolytope(const ProductBasis& basis) : basis_(basis), root_(basis, true) {}

Minimum MarginalPolytope::minimise(const LinearForm& form, double target) {
  const std::size_t n = basis_.n_variables();
  const Minimum relaxed = root_.minimise(form, target);
  if (relaxed.bound >= target) return {{}, relaxed.bound};
  const VectorXd point = root_.last();
  const std::span<const double> singles(point.data(), n);
  if (is_integral(singles)) return {{basis_.vertex(rounded(singles))}, relaxed.bound};

  ClpSimplex program(root_.program());
  OsiClpSolverInterface solver(&program, false);
  solver.setHintParam(OsiDoReducePrint, true);
  solver.messageHandler()->setLogLevel(0);
  for (std::size_t i = 0; i < n; ++i) solver.setInteger(static_cast<int>(i));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  TriangleCuts triangles(basis_);
  if (basis_.order() == 2) model.addCutGenerator(&triangles, 1, "triangles");
  model.setMaximumNodes(most_nodes);
  model.setCutoff(target - form.constant);
  model.setIntegerTolerance(whole);
  model.branchAndBound();

  const bool finished =
      model.isProvenOptimal() || model.isProvenInfeasible() || model.status() == 0;
  Minimum minimum;
  if (model.bestSolution() != nullptr) {
    minimum.vertices.push_back(basis_.vertex(rounded({model.bestSolution(), n})));
    minimum.bound =
        finished ? form(minimum.vertices[0]) : model.getBestPossibleObjValue() + form.constant;
  } else {
    minimum.bound = finished ? target : model.getBestPossibleObjValue() + form.constant;
  }
  minimum.bound = std::max(minimum.bound, relaxed.bound);
  return minimum;
}

bool MarginalPolytope::contains(const VectorXd& products) {
  const std::size_t n = basis_.n_variables();
  const bool can_tell = basis_.order() >= n || n <= 3;
  return can_tell && root_.contains(products);
}

}  // namespace orrery::anchored
