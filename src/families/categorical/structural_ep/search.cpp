#include "families/categorical/structural_ep/search.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/log.hpp"
#include "base/random.hpp"
#include "families/categorical/structural_ep/clusters.hpp"

namespace orrery::structural_ep {

Shape shape_of(const data::CategoricalTable& table, std::size_t n_causes, std::size_t cardinality,
               std::size_t max_parents) {
  std::vector<std::size_t> n_categories;
  n_categories.reserve(table.categories.size());
  for (const auto& names : table.categories) n_categories.push_back(names.size());
  return make_shape(n_causes, cardinality, max_parents, std::move(n_categories));
}

namespace {

/// Sweeps between two merges or moves, which need no fixed point to be told.
constexpr std::size_t short_run = 25;
constexpr double short_tolerance = 1e-2;
/// Nats that a variable's values must be worth more elsewhere.
constexpr double least_gain = 1;
constexpr std::size_t bound_passes = 4;
constexpr std::size_t held_run = 6;

/// A cause begins with a split of the categories of one of its cluster's variables.
std::vector<std::uint8_t> split_rows(const data::CategoricalTable& table,
                                     const learning::RowShare& rows, std::size_t variable,
                                     std::size_t cardinality, RowRandom& random) {
  const std::size_t n_categories = table.categories[variable].size();
  std::vector<std::uint8_t> side(n_categories);
  do {
    for (auto& s : side) s = static_cast<std::uint8_t>(random.below(cardinality));
  } while (n_categories > 1 && std::ranges::count(side, side[0]) == std::ssize(side));
  std::vector<std::uint8_t> states(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t of_all = rows.first() + row;
    const std::size_t x = table.row(of_all)[variable];
    states[row] =
        x == data::missing_code ? static_cast<std::uint8_t>(of_all % cardinality) : side[x];
  }
  return states;
}

Start first_start(const data::CategoricalTable& table, const learning::RowShare& rows,
                  std::vector<double> information, std::size_t n_causes, std::size_t cardinality,
                  RowRandom& random, bool as_it_is) {
  const std::size_t d = table.n_columns();
  if (!as_it_is) disturb(information, d, random);
  Start start;
  start.sets = clusters(std::move(information), d, n_causes);
  for (std::uint32_t k = 0; k < n_causes; ++k) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < d; ++i) {
      if (start.sets[i] == k) members.push_back(i);
    }
    const std::size_t variable = members[random.below(members.size())];
    start.states.push_back(split_rows(table, rows, variable, cardinality, random));
  }
  return start;
}

/// Of two causes' states: their mutual information over what the less certain of them could have.
double dependence(const Inference::CauseMoments& moments, std::size_t a, std::size_t b,
                  std::size_t cardinality, std::size_t n_causes, double n_rows) {
  const std::size_t n = n_causes * cardinality;
  double information = 0;
  double entropy_a = 0;
  double entropy_b = 0;
  for (std::size_t i = 0; i < cardinality; ++i) {
    const double p = moments.single[a * cardinality + i] / n_rows;
    const double q = moments.single[b * cardinality + i] / n_rows;
    if (p > 0) entropy_a -= p * std::log(p);
    if (q > 0) entropy_b -= q * std::log(q);
    for (std::size_t j = 0; j < cardinality; ++j) {
      const double both = moments.pair[(a * cardinality + i) * n + b * cardinality + j] / n_rows;
      const double other = moments.single[b * cardinality + j] / n_rows;
      if (both > 0) information += both * std::log(both / (p * other));
    }
  }
  return information / std::max(1e-9, std::min(entropy_a, entropy_b));
}

/// Merges the two causes that depend on each other most; a cause without children goes first.
void merge_causes(Start& start, const Inference::CauseMoments& moments, std::size_t cardinality,
                  double n_rows) {
  const std::size_t n = start.states.size();
  std::vector<std::size_t> n_children(n);
  for (const std::uint32_t k : start.sets) ++n_children[k];
  double most = -1;
  std::size_t keep = 0;
  std::size_t drop = 1;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const bool childless = n_children[a] == 0 || n_children[b] == 0;
      const double value = childless ? 2 : dependence(moments, a, b, cardinality, n, n_rows);
      if (value <= most) continue;
      most = value;
      keep = a;
      drop = b;
    }
  }
  if (n_children[keep] < n_children[drop]) start.states[keep] = start.states[drop];
  start.states[drop] = start.states.back();
  start.states.pop_back();
  for (std::uint32_t& k : start.sets) {
    if (k == drop) k = static_cast<std::uint32_t>(keep);
    if (k == n - 1) k = static_cast<std::uint32_t>(drop);
  }
}

/// Moves that are worth it by the bounds, each at most twice: back and forth would go on for ever.
std::vector<std::pair<std::uint32_t, std::uint32_t>> worthy_moves(
    const Inference& inference, const std::vector<double>& bounds,
    const std::vector<std::uint32_t>& current,
    std::map<std::pair<std::uint32_t, std::uint32_t>, int>& tried) {
  const std::size_t n_sets = inference.shape().n_sets();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;
  for (std::uint32_t i = 0; i < current.size(); ++i) {
    const auto of_variable = std::span(bounds).subspan(i * n_sets, n_sets);
    const auto to =
        static_cast<std::uint32_t>(std::ranges::max_element(of_variable) - of_variable.begin());
    if (to == current[i] || of_variable[to] < of_variable[current[i]] + least_gain) continue;
    if (++tried[{i, to}] <= 2) moves.emplace_back(i, to);
  }
  return moves;
}

}  // namespace

double improve(Inference& inference, const IterateOptions& options, std::size_t max_rounds,
               std::size_t& n_sweeps) {
  IterateOptions brief = options;
  brief.max_sweeps = short_run;
  brief.tolerance = short_tolerance;
  n_sweeps += inference.iterate(brief);
  IterateOptions held = options;
  held.max_sweeps = held.held_sweeps = held_run;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> tried;
  auto sets = inference.best_sets();
  inference.hold_structure(sets);
  n_sweeps += inference.iterate(held);
  for (std::size_t round = 0; round < max_rounds && inference.shape().n_sets() > 1; ++round) {
    const auto moves =
        worthy_moves(inference, inference.structure_bounds(bound_passes), sets, tried);
    if (moves.empty()) break;
    for (const auto& [i, to] : moves) sets[i] = to;
    inference.move(moves);
    n_sweeps += inference.iterate(held);
    if (options.go_on && !options.go_on()) break;
  }
  held.max_sweeps = held.held_sweeps = 20;
  n_sweeps += inference.iterate(held);
  return inference.log_evidence();
}

Found search_once(const data::CategoricalTable& table, const learning::RowShare& rows,
                  const std::vector<double>& information, const SearchOptions& options,
                  std::uint64_t number, Begun& begun) {
  if (begun.n_causes == 0) {
    RowRandom random(options.seed, Stream::restart, number);
    const std::size_t first = std::min(table.n_columns(), options.n_causes + options.extra);
    begun = {
        first, 0,
        first_start(table, rows, information, first, options.cardinality, random, number == 0)};
  }
  IterateOptions brief;
  brief.projection = Projection::mean_variance;
  brief.damping = options.damping;
  brief.max_sweeps = short_run;
  brief.tolerance = short_tolerance;
  brief.go_on = options.go_on;
  while (begun.n_causes > options.n_causes) {
    Inference single(shape_of(table, begun.n_causes, options.cardinality, 1), table, rows,
                     options.prior);
    single.start(begun.start);
    begun.n_sweeps += single.iterate(brief);
    begun.start = {single.best_sets(), single.cause_states()};
    merge_causes(begun.start, single.cause_moments(), options.cardinality,
                 static_cast<double>(table.n_rows));
    --begun.n_causes;
  }
  Found found;
  found.n_sweeps = begun.n_sweeps;
  found.inference = std::make_unique<Inference>(
      shape_of(table, options.n_causes, options.cardinality, options.max_parents), table, rows,
      options.prior);
  found.inference->start(begun.start);
  IterateOptions to_rest = brief;
  to_rest.max_sweeps = 100;
  to_rest.tolerance = 1e-4;
  found.log_evidence = improve(*found.inference, to_rest, options.max_rounds, found.n_sweeps);
  begun = {};
  return found;
}

}  // namespace orrery::structural_ep
