#include "learners/anchored/recovery.hpp"

#include <algorithm>
#include <memory>

#include "learners/anchored/frank_wolfe.hpp"
#include "learners/anchored/marginal_polytope.hpp"
#include "learners/anchored/objective.hpp"
#include "learners/anchored/roof_dual.hpp"
#include "learners/anchored/simplex.hpp"
#include "learners/coin_errors.hpp"

namespace orrery::anchored {
namespace {

using model::SubsetTables;
using Set = std::span<const std::uint32_t>;

constexpr std::size_t sets_a_unit = 64;
constexpr std::uint32_t steps_for_a_bound = 30;

/// The sets of all sizes, in the order of their cells.
std::vector<std::vector<std::uint32_t>> all_sets(const SubsetTables& tables) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::size_t size = 1; size <= tables.order(); ++size) {
    tables.for_each_set(size, [&](Set set) { sets.emplace_back(set.begin(), set.end()); });
  }
  return sets;
}

/// Each table within the simplex alone, in units of 64 sets. What a unit gives: the cells of each
/// set, its gap, its iterations.
Recovery within_simplex(const learners::UnitMeans& means, const Objective& objective) {
  const SubsetTables& observed = objective.anchors().observed;
  const auto sets = all_sets(observed);
  const std::size_t room = (std::size_t{1} << observed.order()) + 2;
  const std::size_t n_units = (sets.size() + sets_a_unit - 1) / sets_a_unit;
  const std::vector<double> values = learners::unit_values(
      means, {"cause_moments", "blocks of tables", n_units, sets_a_unit * room},
      [&](std::uint64_t unit, int, std::span<double> unit_values) {
        const std::size_t first = static_cast<std::size_t>(unit) * sets_a_unit;
        for (std::size_t s = first; s < std::min(first + sets_a_unit, sets.size()); ++s) {
          const std::span<double> own = unit_values.subspan((s - first) * room, room);
          const TableFit fit =
              fit_table(observed.table(sets[s]), objective.rates_of(sets[s]),
                        objective.regularise(), objective.independent().table(sets[s]));
          std::ranges::copy(fit.moments, own.begin());
          own[room - 2] = fit.gap;
          own[room - 1] = fit.iterations;
        }
      });
  Recovery result{SubsetTables(observed.n_variables(), observed.order()), 0, 0, 0};
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const auto own = std::span(values).subspan(s * room, room);
    const auto table = result.moments.table(sets[s]);
    std::copy_n(own.begin(), table.size(), table.begin());
    result.gap += own[room - 2];
    result.iterations += static_cast<std::uint32_t>(own[room - 1]);
  }
  result.objective = objective.value(result.moments);
  return result;
}

std::unique_ptr<LinearOracle> oracle_of(Polytope polytope, const ProductBasis& basis) {
  if (polytope == Polytope::marginal) return std::make_unique<MarginalPolytope>(basis);
  if (polytope == Polytope::local && basis.order() <= 2) return std::make_unique<RoofDual>(basis);
  return std::make_unique<LocalPolytope>(basis, polytope == Polytope::local_cycles);
}

Recovery over_polytope(const Objective& objective, const ProductBasis& basis,
                       const RecoveryOptions& options) {
  double known_bound = 0;  // KL
  if (options.polytope != Polytope::local) {
    // What the larger polytope cannot reach the smaller one cannot either: mostly that certifies
    // the gap without the dearer programs.
    RecoveryOptions larger = options;
    larger.gap = options.gap / 4;
    larger.polytope = Polytope::local;
    if (options.polytope == Polytope::marginal && basis.order() == 2) {
      larger.polytope = Polytope::local_cycles;
      larger.max_iterations = std::min(options.max_iterations, steps_for_a_bound);
    }
    const Recovery relaxed = over_polytope(objective, basis, larger);
    known_bound = relaxed.objective - relaxed.gap;
  }
  const auto oracle = oracle_of(options.polytope, basis);
  return frank_wolfe(objective, basis, *oracle, options, known_bound);
}

/// All tables together, at one rank; the others wait for what it found: the tables' cells, the
/// objective, the gap, the iterations.
Recovery within_polytope(const learners::UnitMeans& means, const Objective& objective,
                         const RecoveryOptions& options) {
  Recovery result{SubsetTables(objective.anchors().observed), 0, 0, 0};
  const std::span<double> cells = result.moments.cells();
  const std::vector<double> values = learners::unit_values(
      means, {"cause_moments", "programs", 1, cells.size() + 3},
      [&](std::uint64_t, int, std::span<double> found) {
        const ProductBasis basis(result.moments.n_variables(), result.moments.order());
        const Recovery recovery = learners::with_coin_errors(
            "moments of causes", "recover them within another polytope, e.g. simplex",
            [&] { return over_polytope(objective, basis, options); });
        std::ranges::copy(recovery.moments.cells(), found.begin());
        found[cells.size()] = recovery.objective;
        found[cells.size() + 1] = recovery.gap;
        found[cells.size() + 2] = recovery.iterations;
      });
  std::copy_n(values.begin(), cells.size(), cells.begin());
  result.objective = values[cells.size()];
  result.gap = values[cells.size() + 1];
  result.iterations = static_cast<std::uint32_t>(values[cells.size() + 2]);
  return result;
}

}  // namespace

Recovery recover_moments(const learners::UnitMeans& means, const AnchorTables& anchors,
                         const RecoveryOptions& options) {
  const Objective objective(anchors, options.regularise);
  return options.polytope == Polytope::simplex ? within_simplex(means, objective)
                                               : within_polytope(means, objective, options);
}

}  // namespace orrery::anchored
