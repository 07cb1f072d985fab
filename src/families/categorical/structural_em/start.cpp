#include "families/categorical/structural_em/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "families/categorical/network/inference.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_em {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 24U;  // of a CategoricalNetwork

// Added to what is drawn, so that nothing begins impossible.
constexpr double least_weight = 1e-6;

void normalise(std::span<double> row) {
  double sum = 0;
  for (double& value : row) sum += value += least_weight;
  for (double& value : row) value /= sum;
}

/// Even over all distributions: exponential variates divided by their sum.
void draw_distribution(RowRandom& random, std::span<double> row) {
  for (double& value : row) value = -std::log1p(-random.uniform());
  normalise(row);
}

/// A distribution for each state of each cause, multiplied.
void draw_products(RowRandom& random, const model::JointStates& states, std::size_t n_categories,
                   std::vector<double>& table) {
  const std::size_t n_causes = states.cardinalities().size();
  const std::size_t cardinality = n_causes == 0 ? 1 : states.cardinalities()[0];
  std::vector<double> factors(n_causes * cardinality * n_categories);
  for (std::size_t f = 0; f < n_causes * cardinality; ++f) {
    draw_distribution(random, std::span(factors).subspan(f * n_categories, n_categories));
  }
  for (std::size_t j = 0; j < states.size(); ++j) {
    const auto row = std::span(table).subspan(j * n_categories, n_categories);
    std::ranges::fill(row, 1.0);
    for (std::size_t k = 0; k < n_causes; ++k) {
      const double* factor =
          factors.data() + (k * cardinality + states.states(j)[k]) * n_categories;
      for (std::size_t l = 0; l < n_categories; ++l) row[l] *= factor[l];
    }
    normalise(row);
  }
}

}  // namespace

std::size_t count_joint_states(const data::CategoricalTable& table, std::size_t n_causes,
                               std::size_t cardinality, const std::string& source) {
  std::size_t n_states = 0;
  try {
    n_states = model::JointStates(std::vector<std::size_t>(n_causes, cardinality)).size();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  std::size_t n_categories = 0;
  for (const auto& categories : table.categories) n_categories += categories.size();
  if (n_categories * n_states <= most_entries) return n_states;
  throw InputError(fmt::format(
      "{}: {} causes with {} states are {} joint states, and tables by all of them of {} columns "
      "have {} entries; the limit is {}: use fewer --causes, or `orrery learn sep`",
      source, n_causes, cardinality, n_states, table.n_columns(), n_categories * n_states,
      most_entries));
}

model::CategoricalNetwork random_start(const data::CategoricalTable& table, std::size_t n_causes,
                                       std::size_t cardinality, StartKind kind, std::uint64_t seed,
                                       std::uint64_t restart, const std::string& source) {
  const std::size_t n_states = count_joint_states(table, n_causes, cardinality, source);
  const model::JointStates states(std::vector<std::size_t>(n_causes, cardinality));
  std::vector<model::CategoricalCause> causes;
  for (std::size_t k = 0; k < n_causes; ++k) {
    causes.push_back({fmt::format("cause {}", k + 1),
                      std::vector<double>(cardinality, 1 / static_cast<double>(cardinality))});
  }
  std::vector<std::uint32_t> all(n_causes);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<model::CategoricalVariable> variables;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const std::size_t n_categories = table.categories[i].size();
    model::CategoricalVariable variable{
        table.names[i], table.categories[i], all, std::vector<double>(n_states * n_categories), {}};
    RowRandom random(seed, Stream::restart, restart << 32U | i);
    if (kind == StartKind::products) {
      draw_products(random, states, n_categories, variable.table);
    } else {
      for (std::size_t j = 0; j < n_states; ++j) {
        draw_distribution(random,
                          std::span(variable.table).subspan(j * n_categories, n_categories));
      }
    }
    variables.push_back(std::move(variable));
  }
  return {std::move(causes), std::move(variables)};
}

}  // namespace orrery::structural_em
