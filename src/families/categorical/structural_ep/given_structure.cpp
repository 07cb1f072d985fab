#include "families/categorical/structural_ep/given_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "families/categorical/network/inference.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_ep {
namespace {

constexpr double prior = 1;  // as when a structure is learned
constexpr std::size_t most_sweeps = 200;
/// Of an expected parameter, three times in a row.
constexpr double tolerance = 1e-5;

/// States of each cause; 2 where there is none.
std::size_t cardinality_of(const model::CategoricalNetwork& network) {
  const auto& causes = network.causes();
  if (causes.empty()) return 2;
  const std::size_t cardinality = causes[0].cardinality();
  for (const model::CategoricalCause& cause : causes) {
    if (cause.cardinality() == cardinality && cardinality <= max_cardinality) continue;
    throw InputError(
        fmt::format("the marginal likelihood needs causes of as many states each, {} at most: {} "
                    "has {} and {} has {}; leave out --marginal-likelihood",
                    max_cardinality, causes[0].name, cardinality, cause.name, cause.cardinality()));
  }
  return cardinality;
}

struct Structure {
  Shape shape;
  std::vector<std::uint32_t> sets;  // of each variable
};

void require_few_states(const model::CategoricalVariable& variable, std::size_t cardinality) {
  double n_states = 1;
  for (std::size_t a = 0; a < variable.parents.size(); ++a) {
    n_states *= static_cast<double>(cardinality);
  }
  if (n_states <= static_cast<double>(max_states)) return;
  throw InputError(fmt::format(
      "the parents of {} have {} states together; the marginal likelihood can have {} at most: "
      "leave out --marginal-likelihood",
      variable.name, n_states, max_states));
}

Structure structure_of(const model::CategoricalNetwork& network) {
  const std::size_t cardinality = cardinality_of(network);
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::size_t> n_categories;
  std::size_t most = 2;  // with one alone a cause would have no set of its own if it has no child
  Structure structure;
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const model::CategoricalVariable& variable = network.variables()[i];
    require_few_states(variable, cardinality);
    const auto known = std::ranges::find(sets, variable.parents);
    structure.sets.push_back(static_cast<std::uint32_t>(known - sets.begin()));
    if (known == sets.end()) sets.push_back(variable.parents);
    most = std::max(most, variable.parents.size());
    n_categories.push_back(variable.n_categories());
  }
  structure.shape = shape_of_sets(network.n_causes(), cardinality, most, std::move(sets),
                                  std::move(n_categories));
  return structure;
}

/// The most probable state of each cause in each row, by the network's own tables.
Start start_of(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
               const learning::RowShare& rows, std::vector<std::uint32_t> sets) {
  const model::CategoricalInference inference(network);
  Start start;
  start.sets = std::move(sets);
  start.states.assign(network.n_causes(), std::vector<std::uint8_t>(rows.size()));
  rows.for_each([&](std::size_t row, int /*thread*/) {
    const auto marginals = inference.posterior(table.row(rows.first() + row)).marginals;
    std::size_t first = 0;
    for (std::size_t k = 0; k < network.n_causes(); ++k) {
      const auto own = std::span(marginals).subspan(first, network.causes()[k].cardinality());
      start.states[k][row] = static_cast<std::uint8_t>(std::ranges::max_element(own) - own.begin());
      first += own.size();
    }
  });
  return start;
}

}  // namespace

double bytes_a_row(const model::CategoricalNetwork& network) {
  const Shape shape = structure_of(network).shape;
  const auto d = static_cast<double>(shape.n_observed());
  return 8 * (d * static_cast<double>(shape.n_states + shape.n_sets()) +
              static_cast<double>(shape.n_counts()));
}

double log_marginal_likelihood(const model::CategoricalNetwork& network,
                               const data::CategoricalTable& table,
                               const learning::RowShare& rows) {
  const Structure structure = structure_of(network);
  const auto n_sets = static_cast<double>(structure.shape.n_sets());
  Approximation approximation(structure.shape, table, rows, prior);
  begin_from(start_of(network, table, rows, structure.sets), approximation);
  approximation.hold_structure(structure.sets);
  IterateOptions held;
  held.max_sweeps = held.held_sweeps = most_sweeps;
  held.tolerance = tolerance;
  iterate(approximation, held);
  // log_evidence() has the structure's prior in it.
  return log_evidence(approximation) + static_cast<double>(network.n_observed()) * std::log(n_sets);
}

}  // namespace orrery::structural_ep
