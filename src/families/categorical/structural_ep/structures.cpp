#include "families/categorical/structural_ep/structures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/independence.hpp"
#include "families/categorical/structural_ep/named_network.hpp"

namespace orrery::structural_ep {
namespace {

/// A structure is worth mentioning within this many nats of the best, or with this probability.
constexpr double mode_nats = 3;
constexpr double mode_share = .05;

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

}  // namespace

std::vector<bool> unlikely_parents(const Shape& shape, const Posterior& posterior,
                                   const Options& options) {
  std::vector<bool> unlikely;
  for (std::size_t i = 0; i < shape.n_observed(); ++i) {
    const auto q = std::span(posterior.structure).subspan(i * shape.n_sets(), shape.n_sets());
    unlikely.push_back(std::ranges::max(q) < options.independent_below);
  }
  return unlikely;
}

namespace {

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

}  // namespace

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
}  // namespace orrery::structural_ep
