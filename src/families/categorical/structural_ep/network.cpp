#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/log.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/search.hpp"

namespace orrery::structural_ep {
namespace {

/// A structure is worth mentioning within this many nats of the best, or with this probability.
constexpr double mode_nats = 3;
constexpr double mode_share = .05;
/// Section 5: causes beyond this are held.
constexpr double certainty = .9;
/// Sweeps with the structure held: parameters and causes settle in some ten.
constexpr std::size_t settling_sweeps = 30;

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

model::CategoricalVariable without_parents(const Approximation& approximation,
                                           const data::CategoricalTable& table, std::size_t i) {
  model::CategoricalVariable variable;
  variable.counts.assign(table.categories[i].size(), approximation.prior());
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
std::vector<model::StructureMode> find_modes(Approximation& approximation,
                                             const Posterior& posterior, const Renaming& names,
                                             double log_evidence, std::size_t top) {
  const Shape& shape = approximation.shape();
  const std::size_t n_sets = shape.n_sets();
  const auto best = approximation.best_sets();
  const auto bounds = StructureBounds(approximation).of_sets(8);
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

/// `approximation` holds the most probable structure, of which it has the causes and parameters;
/// `posterior` is what all structures together had. Causes are numbered by their children, from the
/// most on; states of a cause from the most probable on. Priors of causes are the means of their
/// posteriors in the rows (with one count per state): inference itself takes them for uniform, as
/// the paper does. Collective.
model::LearnedCategorical make_network(Approximation& approximation,
                                       const data::CategoricalTable& table,
                                       const Posterior& posterior, const Options& options) {
  const Shape& shape = approximation.shape();
  const std::size_t d = shape.n_observed();
  const std::size_t n_sets = shape.n_sets();
  const auto sets = approximation.best_sets();
  const auto sums = cause_moments(approximation).single;
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
    auto variable = independent ? without_parents(approximation, table, i)
                                : with_parents(approximation, i, shape.sets[sets[i]], names);
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
  learned.log_evidence = log_evidence(approximation);
  learned.evidence_kind = "expectation propagation";
  learned.modes = find_modes(approximation, posterior, names, learned.log_evidence, options.top);
  return learned;
}

/// The most probable parents taken for certain, and the rest inferred. Returns the evidence.
double settle(Approximation& approximation, Projection projection, double damping,
              const std::function<bool()>& go_on) {
  approximation.hold_structure(approximation.best_sets());
  IterateOptions held;
  held.projection = projection;
  held.damping = damping;
  held.max_sweeps = held.held_sweeps = settling_sweeps;
  held.go_on = go_on;
  iterate(approximation, held);
  return log_evidence(approximation);
}

/// Where q(G) goes round in circles its most probable structure is one of those passed by: the best
/// start's is kept if it has more evidence.
void settle_better(Approximation& approximation, const Start& start, const Options& options,
                   const std::function<bool()>& go_on) {
  const Start last{approximation.best_sets(), cause_states(approximation)};
  begin_from(start, approximation);
  const double of_start = settle(approximation, options.projection, options.damping, go_on);
  begin_from(last, approximation);
  if (settle(approximation, options.projection, options.damping, go_on) >= of_start) return;
  begin_from(start, approximation);
  settle(approximation, options.projection, options.damping, go_on);
}

}  // namespace

model::LearnedCategorical infer_network(const data::CategoricalTable& table,
                                        const learning::RowShare& rows, std::size_t n_causes,
                                        const Options& options, const BestStart& best,
                                        const std::function<bool()>& go_on) {
  Approximation approximation(shape_of(table, n_causes, options.cardinality, options.max_parents),
                              table, rows, options.prior);
  begin_from(best.start, approximation);
  settle(approximation, Projection::mean_variance, options.damping, go_on);
  IterateOptions free;
  free.go_on = go_on;
  free.projection = options.projection;
  free.damping = options.damping;
  free.held_sweeps = 0;
  free.max_sweeps = options.max_sweeps;
  free.tolerance = options.tolerance;
  std::size_t n_sweeps = iterate(approximation, free);
  bool rested = n_sweeps < options.max_sweeps;
  for (std::uint32_t i = 0; i < options.conditionings; ++i) {
    const std::size_t n_held = hold_causes(approximation, certainty);
    log::verbose("conditioning {}: {} of {} states held", i + 1, n_held, table.n_rows * n_causes);
    const std::size_t n = iterate(approximation, free);
    rested = rested && n < options.max_sweeps;
    n_sweeps += n;
  }
  const Posterior posterior = approximation.posterior();
  const double log_evidence_of_all = log_evidence(approximation);
  approximation.release_causes();
  if (rested) {
    settle(approximation, options.projection, options.damping, go_on);
  } else {
    settle_better(approximation, best.start, options, go_on);
  }
  model::LearnedCategorical learned = make_network(approximation, table, posterior, options);
  if (!rested) {
    learned.remarks.push_back(
        fmt::format("the posterior of the structure was still changing after {} sweeps (with two "
                    "parents it may go round in circles where rows are few): the network is the "
                    "best that was met, shades of the posterior are those of the last sweep",
                    options.max_sweeps));
  }
  if (approximation.n_passed_over() > 0 || approximation.n_improper() > 0) {
    learned.remarks.push_back(fmt::format(
        "{} messages were passed over because a cavity distribution was improper, and {} rows of "
        "parameters begun anew",
        approximation.n_passed_over(), approximation.n_improper()));
  }
  log::verbose("{} sweeps: log evidence {:.3f} of all structures, {:.3f} of the most probable one",
               n_sweeps, log_evidence_of_all, learned.log_evidence);
  return learned;
}

}  // namespace orrery::structural_ep
