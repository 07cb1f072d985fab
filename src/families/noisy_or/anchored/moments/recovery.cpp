#include "families/noisy_or/anchored/moments/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"
#include "families/noisy_or/anchored/moments/local_polytope.hpp"
#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"
#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/shared_steps.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "learning/coin_errors.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using model::SubsetTables;
using SetView = std::span<const std::uint32_t>;

constexpr const char* stage_name = "cause_moments";
constexpr const char* kept_as = "recovered_moments";  // in a checkpoint
constexpr std::size_t sets_a_unit = 64;
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
      workers, {stage_name, "blocks of tables", n_units, sets_a_unit * room},
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
                       const RecoveryOptions& options, SharedSteps& steps) {
  double known_bound = 0;  // KL
  if (options.polytope != Polytope::local) {
    // What the larger polytope cannot reach the smaller one cannot either: mostly that certifies
    // the gap without the dearer programs.
    RecoveryOptions larger = options;
    larger.gap = options.gap / 4;
    larger.polytope = Polytope::local;
    const Recovery relaxed = over_polytope(objective, basis, larger, steps);
    known_bound = relaxed.objective - relaxed.gap;
  }
  const auto oracle = oracle_of(options, basis);
  return frank_wolfe(objective, basis, *oracle, options, known_bound, steps);
}

/// What a run that was stopped had found; at rank 0. Empty: nothing yet.
std::vector<double> found_before(const learning::Checkpoints& checkpoints, std::size_t size) {
  const auto found = checkpoints.state().reals.find(kept_as);
  if (found == checkpoints.state().reals.end()) return {};
  learning::require(found->second.size() == size, kept_as);
  return found->second;
}

/// The tables' cells, the objective, the gap, the iterations.
std::vector<double> numbers_of(const Recovery& recovery) {
  const std::span<const double> cells = recovery.moments.cells();
  std::vector<double> numbers(cells.begin(), cells.end());
  numbers.push_back(recovery.objective);
  numbers.push_back(recovery.gap);
  numbers.push_back(recovery.iterations);
  return numbers;
}

/// All tables together: rank 0 leads, the other ranks help, and all have what it found. A
/// checkpoint has the whole or nothing: who asks for a stop waits until it is found, a minute or
/// two for 50 causes, and a run that is killed before begins it anew.
Recovery within_polytope(const learning::Workers& workers, const Objective& objective,
                         const RecoveryOptions& options) {
  Recovery result{SubsetTables(objective.anchors().observed), 0, 0, 0};
  const std::size_t n_cells = result.moments.cells().size();
  learning::StageWatch watch(workers.stages, stage_name);
  std::vector<double> numbers;
  if (workers.team.is_root()) numbers = found_before(workers.checkpoints, n_cells + 3);
  workers.team.broadcast(numbers);
  if (numbers.empty()) {
    const ProductBasis basis(result.moments.n_variables(), result.moments.order());
    SharedSteps steps(workers.team, workers.threads, objective, basis);
    if (workers.team.is_root()) {
      numbers = numbers_of(learning::with_coin_errors(
          "moments of causes", "recover them within another polytope, e.g. simplex",
          [&] { return over_polytope(objective, basis, options, steps); }));
      steps.end();
    } else {
      steps.serve();
    }
    workers.team.broadcast(numbers);
    watch.add(workers.team, {parallel::Team::Pause::none, steps.busy_seconds()}, steps.n_units());
    if (workers.team.is_root()) workers.checkpoints.state().reals[kept_as] = numbers;
    workers.checkpoints.between_steps(workers.team, [] {});
  }
  std::copy_n(numbers.begin(), n_cells, result.moments.cells().begin());
  result.objective = numbers[n_cells];
  result.gap = numbers[n_cells + 1];
  result.iterations = static_cast<std::uint32_t>(numbers[n_cells + 2]);
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

namespace {

using Eigen::Index;

constexpr double enough = 1e-13;              // nats
constexpr double near = 1e-4;                 // where exponentiated gradient hands over
constexpr std::uint32_t most_gradient = 200;  // steps of it
constexpr std::uint32_t most_quadratic = 100;

/// The cells of Eq. (23) that weigh: observed ones, a component being the noise that a joint state
/// of the causes spreads, and those of the regulariser, a component being the state alone.
struct Cells {
  Eigen::MatrixXd components;
  Eigen::VectorXd counts;
};

Cells cells_of(std::span<const double> observed, std::span<const Rates> rates, double regularise,
               std::span<const double> independent) {
  const std::size_t n = observed.size();
  std::vector<std::vector<double>> spread(n, std::vector<double>(n, 0));
  for (std::size_t state = 0; state < n; ++state) {
    spread[state][state] = 1;
    apply_noise(spread[state], rates);
  }
  std::vector<std::size_t> kept;  // places in observed, then in independent
  for (std::size_t i = 0; i < n; ++i) {
    if (observed[i] > 0) kept.push_back(i);
  }
  for (std::size_t i = 0; i < n && regularise > 0; ++i) {
    if (independent[i] > 0) kept.push_back(n + i);
  }
  Cells cells{Eigen::MatrixXd(static_cast<Index>(kept.size()), static_cast<Index>(n)),
              Eigen::VectorXd(static_cast<Index>(kept.size()))};
  for (std::size_t row = 0; row < kept.size(); ++row) {
    const bool is_observed = kept[row] < n;
    const std::size_t cell = is_observed ? kept[row] : kept[row] - n;
    cells.counts[static_cast<Index>(row)] =
        is_observed ? observed[cell] : regularise * independent[cell];
    for (std::size_t state = 0; state < n; ++state) {
      cells.components(static_cast<Index>(row), static_cast<Index>(state)) =
          is_observed ? spread[state][cell] : static_cast<double>(state == cell);
    }
  }
  return cells;
}

}  // namespace

TableFit fit_table(std::span<const double> observed, std::span<const Rates> rates,
                   double regularise, std::span<const double> independent) {
  TableFit result{{observed.begin(), observed.end()}, 0, 0};
  if (regularise == 0) {
    remove_noise(result.moments, rates);
    if (std::ranges::all_of(result.moments, [](double cell) { return cell >= 0; })) return result;
  }
  const Cells cells = cells_of(observed, rates, regularise, independent);
  const Mixture mixture{cells.components, cells.counts};
  const auto n = static_cast<Index>(observed.size());
  const MixtureFit coarse = exponentiated_gradient(
      mixture, Eigen::VectorXd::Constant(n, 1 / static_cast<double>(n)), near, most_gradient);
  const MixtureFit fine = sequential_quadratic(mixture, coarse.weights, enough, most_quadratic);
  result.moments.assign(fine.weights.begin(), fine.weights.end());
  result.gap = fine.gap;
  result.iterations = coarse.iterations + fine.iterations;
  return result;
}

std::vector<double> recover_table(std::span<const double> observed, std::span<const Rates> rates,
                                  double regularise, std::span<const double> independent) {
  return fit_table(observed, rates, regularise, independent).moments;
}

}  // namespace orrery::anchored
