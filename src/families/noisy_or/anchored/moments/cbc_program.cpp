#include "families/noisy_or/anchored/moments/cbc_program.hpp"

#include <CbcModel.hpp>
#include <CglCutGenerator.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>

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

}  // namespace

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

}  // namespace orrery::anchored
