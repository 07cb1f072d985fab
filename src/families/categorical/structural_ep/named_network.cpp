#include "families/categorical/structural_ep/named_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "families/categorical/structural_ep/independence.hpp"

namespace orrery::structural_ep {
namespace {

/// `independent`: variables that are left without parents.
Renaming rename(const Shape& shape, const std::vector<std::uint32_t>& sets,
                const std::vector<bool>& independent, const std::vector<double>& state_sums) {
  const std::size_t k_all = shape.n_causes;
  std::vector<std::size_t> n_children(k_all);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (independent[i]) continue;
    for (const std::uint32_t k : shape.sets[sets[i]].causes) ++n_children[k];
  }
  Renaming names;
  names.n_kept = k_all - static_cast<std::size_t>(std::ranges::count(n_children, 0U));
  names.old_cause.resize(k_all);
  std::iota(names.old_cause.begin(), names.old_cause.end(), 0U);
  std::ranges::stable_sort(names.old_cause, [&](std::uint32_t a, std::uint32_t b) {
    return n_children[a] > n_children[b];
  });
  names.new_cause.resize(k_all);
  for (std::uint32_t k = 0; k < k_all; ++k) names.new_cause[names.old_cause[k]] = k;
  for (std::size_t k = 0; k < k_all; ++k) {
    const auto sums = std::span(state_sums).subspan(k * shape.cardinality, shape.cardinality);
    std::vector<std::size_t> order(shape.cardinality);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    names.old_state.push_back(std::move(order));
  }
  return names;
}

}  // namespace

std::vector<std::uint32_t> renamed(const ParentSet& set, const Renaming& names) {
  std::vector<std::uint32_t> causes;
  for (const std::uint32_t k : set.causes) causes.push_back(names.new_cause[k]);
  std::ranges::sort(causes);
  return causes;
}

bool is_kept(const ParentSet& set, const Renaming& names) {
  return std::ranges::all_of(set.causes,
                             [&](std::uint32_t k) { return names.new_cause[k] < names.n_kept; });
}

namespace {

/// The state of `set`, in its own numbers, that row `j` of the renamed table stands for.
std::size_t old_row(const Shape& shape, const ParentSet& set, const Renaming& names,
                    std::size_t j) {
  const auto causes = renamed(set, names);
  std::size_t row = 0;
  for (std::size_t a = 0; a < causes.size(); ++a) {
    const std::uint32_t old_cause = names.old_cause[causes[a]];
    const std::size_t state = names.old_state[old_cause][state_of(j, a, shape.cardinality)];
    const bool first = set.causes[0] == old_cause;
    row += first ? state : state * shape.cardinality;
  }
  return row;
}

model::CategoricalVariable with_parents(const Approximation& approximation, std::size_t i,
                                        const ParentSet& set, const Renaming& names) {
  const Shape& shape = approximation.shape();
  const std::size_t n_categories = shape.n_categories[i];
  model::CategoricalVariable variable;
  variable.parents = renamed(set, names);
  for (std::size_t j = 0; j < set.n_states; ++j) {
    const std::size_t row = set.first_row + old_row(shape, set, names, j);
    const auto counts = std::span(approximation.posterior().counts)
                            .subspan(shape.first_count[i] + row * n_categories, n_categories);
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (const double count : counts) {
      variable.counts.push_back(count);
      variable.table.push_back(count / total);
    }
  }
  return variable;
}
/// Priors of causes are the means of their posteriors in the rows (with one count per state):
/// inference itself takes them for uniform, as the paper does.
std::vector<model::CategoricalCause> make_causes(const Shape& shape, const Renaming& names,
                                                 const std::vector<double>& state_sums,
                                                 std::uint64_t n_rows) {
  std::vector<model::CategoricalCause> causes(names.n_kept);
  for (std::size_t k = 0; k < names.n_kept; ++k) {
    const std::uint32_t old = names.old_cause[k];
    causes[k].name = fmt::format("cause {}", k + 1);
    for (const std::size_t state : names.old_state[old]) {
      const double total = static_cast<double>(n_rows + shape.cardinality);
      causes[k].prior.push_back((state_sums[old * shape.cardinality + state] + 1) / total);
    }
  }
  return causes;
}

}  // namespace

Named make_network(Approximation& approximation, const WeightedRows& observed,
                   const std::vector<bool>& independent) {
  const Shape& shape = approximation.shape();
  const data::CategoricalTable& table = observed.table();
  const std::size_t d = shape.n_observed();
  const auto sets = approximation.best_sets();
  const auto sums = cause_moments(approximation).single;
  Named result{{}, rename(shape, sets, independent, sums)};
  std::vector<model::CategoricalVariable> variables;
  for (std::size_t i = 0; i < d; ++i) {
    auto variable = independent[i]
                        ? independent_variable(observed, i, approximation.prior())
                        : with_parents(approximation, i, shape.sets[sets[i]], result.names);
    variable.name = table.names[i];
    variable.categories = table.categories[i];
    variables.push_back(std::move(variable));
  }
  const auto n_rows = static_cast<std::uint64_t>(observed.total());
  result.network = model::CategoricalNetwork(make_causes(shape, result.names, sums, n_rows),
                                             std::move(variables));
  return result;
}

}  // namespace orrery::structural_ep
