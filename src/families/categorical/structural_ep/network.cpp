#include "families/categorical/structural_ep/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace orrery::structural_ep {
namespace {

/// A structure is worth mentioning within this many nats of the best, or with this probability.
constexpr double mode_nats = 3;
constexpr double mode_share = .05;

/// New numbers of causes and of their states.
struct Renaming {
  std::vector<std::uint32_t> new_cause;             // by the old number
  std::vector<std::uint32_t> old_cause;             // by the new one
  std::vector<std::vector<std::size_t>> old_state;  // by old cause and new state
};

Renaming rename(const Shape& shape, const std::vector<std::uint32_t>& sets,
                const std::vector<double>& state_sums) {
  const std::size_t k_all = shape.n_causes;
  std::vector<std::size_t> n_children(k_all);
  for (const std::uint32_t set : sets) {
    for (const std::uint32_t k : shape.sets[set].causes) ++n_children[k];
  }
  Renaming names;
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

std::vector<std::uint32_t> renamed(const ParentSet& set, const Renaming& names) {
  std::vector<std::uint32_t> causes;
  for (const std::uint32_t k : set.causes) causes.push_back(names.new_cause[k]);
  std::ranges::sort(causes);
  return causes;
}

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

model::CategoricalVariable with_parents(const Inference& inference, std::size_t i,
                                        const ParentSet& set, const Renaming& names) {
  const Shape& shape = inference.shape();
  const std::size_t n_categories = shape.n_categories[i];
  model::CategoricalVariable variable;
  variable.parents = renamed(set, names);
  for (std::size_t j = 0; j < set.n_states; ++j) {
    const std::size_t row = set.first_row + old_row(shape, set, names, j);
    const auto counts = std::span(inference.posterior().counts)
                            .subspan(shape.first_count[i] + row * n_categories, n_categories);
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (const double count : counts) {
      variable.counts.push_back(count);
      variable.table.push_back(count / total);
    }
  }
  return variable;
}

model::CategoricalVariable without_parents(const Inference& inference,
                                           const data::CategoricalTable& table, std::size_t i) {
  model::CategoricalVariable variable;
  variable.counts.assign(table.categories[i].size(), inference.prior());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t x = table.row(n)[i];
    if (x != data::missing_code) variable.counts[x] += 1;
  }
  const double total = std::accumulate(variable.counts.begin(), variable.counts.end(), 0.0);
  for (const double count : variable.counts) variable.table.push_back(count / total);
  return variable;
}

/// Of each variable whose parents are not clear: the best sets, with the evidence of the network
/// that has them (the bound of X_i's values stands in for what changes).
std::vector<model::StructureMode> find_modes(Inference& inference, const Posterior& posterior,
                                             const Renaming& names, double log_evidence,
                                             std::size_t top) {
  const Shape& shape = inference.shape();
  const std::size_t n_sets = shape.n_sets();
  const auto best = inference.best_sets();
  const auto bounds = inference.structure_bounds(8);
  std::vector<model::StructureMode> modes;
  for (std::uint32_t i = 0; i < best.size(); ++i) {
    const auto of_variable = std::span(bounds).subspan(i * n_sets, n_sets);
    std::vector<std::size_t> likely;
    for (std::size_t k = 0; k < n_sets; ++k) {
      if (k == best[i] || of_variable[k] > of_variable[best[i]] - mode_nats ||
          posterior.structure[i * n_sets + k] > mode_share) {
        likely.push_back(k);
      }
    }
    if (likely.size() < 2) continue;
    std::ranges::stable_sort(
        likely, [&](std::size_t a, std::size_t b) { return of_variable[a] > of_variable[b]; });
    likely.resize(std::min(likely.size(), std::max<std::size_t>(top, 1)));
    for (const std::size_t k : likely) {
      modes.push_back(
          {i, renamed(shape.sets[k], names), log_evidence + of_variable[k] - of_variable[best[i]]});
    }
  }
  return modes;
}

}  // namespace

model::LearnedCategorical make_network(Inference& inference, const data::CategoricalTable& table,
                                       const Posterior& posterior, const Options& options) {
  const Shape& shape = inference.shape();
  const std::size_t d = shape.n_observed();
  const std::size_t n_sets = shape.n_sets();
  const auto sets = inference.best_sets();
  const auto sums = inference.cause_moments().single;
  const Renaming names = rename(shape, sets, sums);

  model::LearnedCategorical learned;
  std::vector<model::CategoricalCause> causes(shape.n_causes);
  for (std::size_t k = 0; k < shape.n_causes; ++k) {
    const std::uint32_t old = names.old_cause[k];
    causes[k].name = fmt::format("cause {}", k + 1);
    for (const std::size_t state : names.old_state[old]) {
      const double total = static_cast<double>(table.n_rows + shape.cardinality);
      causes[k].prior.push_back((sums[old * shape.cardinality + state] + 1) / total);
    }
  }
  std::vector<model::CategoricalVariable> variables;
  for (std::size_t i = 0; i < d; ++i) {
    const auto q = std::span(posterior.structure).subspan(i * n_sets, n_sets);
    const bool independent = std::ranges::max(q) < options.independent_below;
    auto variable = independent ? without_parents(inference, table, i)
                                : with_parents(inference, i, shape.sets[sets[i]], names);
    variable.name = table.names[i];
    variable.categories = table.categories[i];
    variables.push_back(std::move(variable));
  }
  learned.network = model::CategoricalNetwork(std::move(causes), std::move(variables));

  learned.structure.resize(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(n_sets));
  std::vector<std::size_t> order(n_sets);  // singles before pairs, then by the causes
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto x = renamed(shape.sets[a], names);
    const auto y = renamed(shape.sets[b], names);
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  for (std::size_t k = 0; k < n_sets; ++k) {
    learned.parent_sets.push_back(renamed(shape.sets[order[k]], names));
    for (std::size_t i = 0; i < d; ++i) {
      learned.structure(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          posterior.structure[i * n_sets + order[k]];
    }
  }
  learned.log_evidence = inference.log_evidence();
  learned.evidence_kind = "expectation propagation";
  learned.modes = find_modes(inference, posterior, names, learned.log_evidence, options.top);
  return learned;
}

}  // namespace orrery::structural_ep
