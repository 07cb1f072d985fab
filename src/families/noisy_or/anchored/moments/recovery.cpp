#include "families/noisy_or/anchored/moments/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"
#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/roof_dual.hpp"
#include "families/noisy_or/anchored/moments/simplex.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "learning/coin_errors.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using model::SubsetTables;
using SetView = std::span<const std::uint32_t>;

constexpr std::size_t sets_a_unit = 64;
constexpr std::uint32_t steps_for_a_bound = 30;
/// The triples of 25 causes, the quadruples of 17 are the most.
constexpr std::size_t most_tables = 2'400;

/// The sets of all sizes, in the order of their cells.
std::vector<std::vector<std::uint32_t>> all_sets(const SubsetTables& tables) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::size_t size = 1; size <= tables.order(); ++size) {
    tables.for_each_set(size, [&](SetView set) { sets.emplace_back(set.begin(), set.end()); });
  }
  return sets;
}

/// Each table within the simplex alone, in units of 64 sets. What a unit gives: the cells of each
/// set, its gap, its iterations.
Recovery within_simplex(const learning::Workers& workers, const Objective& objective) {
  const SubsetTables& observed = objective.anchors().observed;
  const auto sets = all_sets(observed);
  const std::size_t room = (std::size_t{1} << observed.order()) + 2;
  const std::size_t n_units = (sets.size() + sets_a_unit - 1) / sets_a_unit;
  const std::vector<double> values = learning::unit_values(
      workers, {"cause_moments", "blocks of tables", n_units, sets_a_unit * room},
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

std::unique_ptr<LinearOracle> oracle_of(const RecoveryOptions& options, const ProductBasis& basis) {
  const Polytope polytope = options.polytope;
  if (polytope == Polytope::marginal) {
    Toulbar2Limits limits;
    limits.precision = options.gap / 50;
    return std::make_unique<MarginalPolytope>(basis, options.integer_program, limits);
  }
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
  const auto oracle = oracle_of(options, basis);
  return frank_wolfe(objective, basis, *oracle, options, known_bound);
}

/// All tables together, at one rank; the others wait for what it found: the tables' cells, the
/// objective, the gap, the iterations.
Recovery within_polytope(const learning::Workers& workers, const Objective& objective,
                         const RecoveryOptions& options) {
  Recovery result{SubsetTables(objective.anchors().observed), 0, 0, 0};
  const std::span<double> cells = result.moments.cells();
  const std::vector<double> values = learning::unit_values(
      workers, {"cause_moments", "programs", 1, cells.size() + 3},
      [&](std::uint64_t, int, std::span<double> found) {
        const ProductBasis basis(result.moments.n_variables(), result.moments.order());
        const Recovery recovery = learning::with_coin_errors(
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

/// What to take instead of polytopes of sets of so many.
std::string instead_of(std::size_t n_causes, std::size_t order) {
  std::size_t fits = order;
  while (binomial(fits + 1, order) <= most_tables) ++fits;
  return fmt::format(
      "use --polytope simplex, --structure tree (pairs alone), or up to {} of the {} causes", fits,
      n_causes);
}

}  // namespace

PolytopeCost cost_of(Polytope polytope, std::size_t n_causes, std::size_t order) {
  PolytopeCost cost;
  if (polytope == Polytope::simplex || order == 0) return cost;
  cost.n_tables = binomial(n_causes, std::min(order, n_causes));
  if (order > 2 && cost.n_tables > most_tables) {
    throw InputError(fmt::format(
        "sets of {} of {} causes have {} tables, more than the {} that a linear program of a "
        "polytope ends with: {}",
        order, n_causes, cost.n_tables, most_tables, instead_of(n_causes, order)));
  }
  double products = 0;
  for (std::size_t size = 1; size <= std::min(order, n_causes); ++size) {
    products += static_cast<double>(binomial(n_causes, size));
  }
  const auto cells = static_cast<double>(SubsetTables::n_cells(n_causes, order));
  // Half as many points as products were kept, in arrays with room for twice as many.
  cost.bytes = 8 * products * (cells + products);
  if (order > 2) cost.seconds = 10 * std::pow(static_cast<double>(cost.n_tables) / 455, 2.7);
  return cost;
}

void require_program(const RecoveryOptions& options) {
  if (options.polytope != Polytope::marginal) return;
  if (options.integer_program == IntegerProgram::toulbar2) (void)find_toulbar2();
}

Recovery recover_moments(const learning::Workers& workers, const AnchorTables& anchors,
                         const RecoveryOptions& options) {
  (void)cost_of(options.polytope, anchors.observed.n_variables(), anchors.observed.order());
  const Objective objective(anchors, options.regularise);
  return options.polytope == Polytope::simplex ? within_simplex(workers, objective)
                                               : within_polytope(workers, objective, options);
}

}  // namespace orrery::anchored
