#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/log.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/independence.hpp"
#include "families/categorical/structural_ep/random_start.hpp"
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

/// New numbers of causes and of their states. Causes without variables come last, and are no part
/// of the network.
struct Renaming {
  std::vector<std::uint32_t> new_cause;             // by the old number
  std::vector<std::uint32_t> old_cause;             // by the new one
  std::vector<std::vector<std::size_t>> old_state;  // by old cause and new state
  std::size_t n_kept = 0;                           // causes with variables
};

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

std::vector<std::uint32_t> renamed(const ParentSet& set, const Renaming& names) {
  std::vector<std::uint32_t> causes;
  for (const std::uint32_t k : set.causes) causes.push_back(names.new_cause[k]);
  std::ranges::sort(causes);
  return causes;
}

/// All of its causes are part of the network.
bool is_kept(const ParentSet& set, const Renaming& names) {
  return std::ranges::all_of(set.causes,
                             [&](std::uint32_t k) { return names.new_cause[k] < names.n_kept; });
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

/// Of each variable whose parents are not clear: the best sets, with the evidence of the network
/// that has them (the bound of X_i's values, `bounds`, stands in for what changes). Variables that
/// are `independent` have none.
std::vector<model::StructureMode> find_modes(const Approximation& approximation,
                                             const Posterior& posterior, const Renaming& names,
                                             const std::vector<bool>& independent,
                                             const std::vector<double>& bounds, double log_evidence,
                                             std::size_t top) {
  const Shape& shape = approximation.shape();
  const std::size_t n_sets = shape.n_sets();
  const auto best = approximation.best_sets();
  std::vector<model::StructureMode> modes;
  for (std::uint32_t i = 0; i < best.size(); ++i) {
    if (independent[i]) continue;
    const auto of_variable = std::span(bounds).subspan(i * n_sets, n_sets);
    std::vector<std::size_t> likely;
    for (std::size_t k = 0; k < n_sets; ++k) {
      if (!is_kept(shape.sets[k], names)) continue;
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

/// The posterior of each variable's parents, single ones before pairs, then by the causes; given
/// that they are among the causes of the network. `share_of_none`: the probability that each
/// variable has no parents, the first of the sets then; empty: there is no such set.
void set_structure(const Shape& shape, const Renaming& names, const Posterior& posterior,
                   const std::vector<double>& share_of_none, model::LearnedCategorical& learned) {
  const std::size_t n_sets = shape.n_sets();
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < n_sets; ++k) {
    if (is_kept(shape.sets[k], names)) order.push_back(k);
  }
  const std::size_t first = share_of_none.empty() ? 0 : 1;
  if (order.size() + first == 0) return;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto x = renamed(shape.sets[a], names);
    const auto y = renamed(shape.sets[b], names);
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  learned.structure.resize(static_cast<Eigen::Index>(shape.n_observed()),
                           static_cast<Eigen::Index>(first + order.size()));
  if (first == 1) {
    learned.parent_sets.emplace_back();
    learned.structure.col(0) = Eigen::Map<const Eigen::VectorXd>(
        share_of_none.data(), static_cast<Eigen::Index>(share_of_none.size()));
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    learned.parent_sets.push_back(renamed(shape.sets[order[k]], names));
    for (std::size_t i = 0; i < shape.n_observed(); ++i) {
      learned.structure(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(first + k)) =
          posterior.structure[i * n_sets + order[k]] *
          (share_of_none.empty() ? 1 : 1 - share_of_none[i]);
    }
  }
  if (order.size() == n_sets && first == 0) return;
  learned.structure.array().colwise() /= learned.structure.rowwise().sum().eval().array();
}

/// --independent-below.
std::vector<bool> unlikely_parents(const Shape& shape, const Posterior& posterior,
                                   const Options& options) {
  std::vector<bool> unlikely;
  for (std::size_t i = 0; i < shape.n_observed(); ++i) {
    const auto q = std::span(posterior.structure).subspan(i * shape.n_sets(), shape.n_sets());
    unlikely.push_back(std::ranges::max(q) < options.independent_below);
  }
  return unlikely;
}

struct Named {
  model::CategoricalNetwork network;
  Renaming names;
};

/// `approximation` holds the most probable structure, of which it has the causes and parameters;
/// `posterior` is what all structures together had. Causes are numbered by their children, from the
/// most on; states of a cause from the most probable on; causes without children are left out.
/// Variables that are `independent` get no parents. Collective.
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

/// The network and the posterior of its structure beside that of no parents.
struct Edges {
  std::vector<bool> dropped;        // by Options::drops_edges or --independent-below
  std::vector<double> none_shares;  // empty: no variable is more probable without parents
  double gain = 0;                  // of the log evidence, from edges that were dropped
  std::string remark;
};

/// Compares what each variable has with independence; `bounds`: of its parent sets.
Edges compare_with_independence(const Approximation& approximation, const WeightedRows& observed,
                                const std::vector<double>& bounds, std::vector<bool> unlikely,
                                const Options& options) {
  const std::size_t n_sets = approximation.shape().n_sets();
  const auto sets = approximation.best_sets();
  const auto gains = independence_gains(observed, approximation.prior(), bounds);
  Edges edges{std::move(unlikely), {}, 0, {}};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (gains[i] <= 0) continue;
    names.push_back(observed.table().names[i]);
    if (!options.drops_edges) continue;
    edges.dropped[i] = true;
    const auto of_variable = std::span(bounds).subspan(i * n_sets, n_sets);
    edges.gain += gains[i] + std::ranges::max(of_variable) - of_variable[sets[i]];
  }
  edges.remark = independence_remark(names, options.drops_edges);
  if (names.empty() || !options.drops_edges) return edges;
  for (const double gain : gains) edges.none_shares.push_back(1 / (1 + std::exp(-gain)));
  return edges;
}

/// What is known of the structure beside the network. Arguments as above. Collective.
model::LearnedCategorical with_structures(Approximation& approximation,
                                          const WeightedRows& observed, const Posterior& posterior,
                                          const Options& options) {
  const Shape& shape = approximation.shape();
  const double log_evidence_of_all_edges = log_evidence(approximation);
  const auto bounds = StructureBounds(approximation).of_sets(8);
  const Edges edges = compare_with_independence(
      approximation, observed, bounds, unlikely_parents(shape, posterior, options), options);
  auto [network, names] = make_network(approximation, observed, edges.dropped);
  model::LearnedCategorical learned;
  if (names.n_kept == 0 && options.drops_edges) {
    learned = independent_network(observed, approximation.prior());
    learned.remarks.emplace_back(
        "no cause found: each variable is more probable by itself than with a cause");
    return learned;
  }
  learned.network = std::move(network);
  set_structure(shape, names, posterior, edges.none_shares, learned);
  learned.log_evidence = log_evidence_of_all_edges + edges.gain;
  learned.evidence_kind = "expectation propagation";
  learned.modes = find_modes(approximation, posterior, names, edges.dropped, bounds,
                             learned.log_evidence, options.top);
  if (const std::size_t n_lone = shape.n_causes - names.n_kept; n_lone > 0) {
    learned.remarks.push_back(fmt::format("{} of {} causes had no variables and {} left out",
                                          n_lone, shape.n_causes, n_lone == 1 ? "was" : "were"));
  }
  if (!edges.remark.empty()) learned.remarks.push_back(edges.remark);
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

model::LearnedCategorical infer_network(const WeightedRows& observed,
                                        const learning::RowShare& rows, std::size_t n_causes,
                                        const Options& options, const BestStart& best,
                                        const std::function<bool()>& go_on) {
  Approximation approximation(
      shape_of(observed.table(), n_causes, options.cardinality, options.max_parents), observed,
      rows, options.prior);
  const IterateOptions free = free_sweeps(options, go_on);
  std::size_t n_sweeps = 0;
  if (options.start == StartKind::random) {
    n_sweeps = run_from_random(options, best.number, go_on, approximation);
  } else {
    begin_from(best.start, approximation);
    settle(approximation, Projection::mean_variance, options.damping, go_on);
    n_sweeps = iterate(approximation, free);
  }
  bool rested = n_sweeps < options.max_sweeps;
  for (std::uint32_t i = 0; i < options.conditionings; ++i) {
    const std::size_t n_held = hold_causes(approximation, certainty);
    log::verbose("conditioning {}: {} of {} states held", i + 1, n_held,
                 static_cast<std::size_t>(observed.total()) * n_causes);
    const std::size_t n = iterate(approximation, free);
    rested = rested && n < options.max_sweeps;
    n_sweeps += n;
  }
  const Posterior posterior = approximation.posterior();
  const double log_evidence_of_all = log_evidence(approximation);
  approximation.release_causes();
  if (rested || options.start == StartKind::random) {
    settle(approximation, options.projection, options.damping, go_on);
  } else {
    settle_better(approximation, best.start, options, go_on);
  }
  model::LearnedCategorical learned = with_structures(approximation, observed, posterior, options);
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

model::CategoricalNetwork network_of_start(const WeightedRows& observed,
                                           const learning::RowShare& rows, std::size_t n_causes,
                                           const Options& options, const BestStart& best,
                                           const std::function<bool()>& go_on) {
  Approximation approximation(
      shape_of(observed.table(), n_causes, options.cardinality, options.max_parents), observed,
      rows, options.prior);
  if (options.start == StartKind::random) {
    run_from_random(options, best.number, go_on, approximation);
    settle(approximation, options.projection, options.damping, go_on);
  } else {
    begin_from(best.start, approximation);
    settle(approximation, Projection::mean_variance, options.damping, go_on);
  }
  return make_network(approximation, observed,
                      unlikely_parents(approximation.shape(), approximation.posterior(), options))
      .network;
}

}  // namespace orrery::structural_ep
