#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/moments/cbc_program.hpp"

namespace orrery::anchored {
namespace {

using Eigen::VectorXd;

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
