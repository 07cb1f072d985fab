#include "orrery/model/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "model/cause_elimination.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

// Written so that NaN is refused too.
bool is_probability(double value) { return value >= 0 && value <= 1; }

void require_probability(double value, std::string_view list, std::size_t index,
                         std::string_view field) {
  if (is_probability(value)) return;
  throw InputError(
      fmt::format("{}[{}].{} = {}; a probability in [0, 1] is needed", list, index, field, value));
}

void require_index(std::uint32_t index, std::size_t size, std::size_t edge, std::string_view field,
                   std::string_view list) {
  if (index < size) return;
  throw InputError(fmt::format("edges[{}].{} = {}, but there are {} {}; indices start at 0", edge,
                               field, index, size, list));
}

// Positions in `edges` by rising (cause, observed). Throws if two edges join the same pair.
std::vector<std::size_t> sorted_order(const std::vector<Edge>& edges) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::tie(edges[i].cause, edges[i].observed, i) <
           std::tie(edges[j].cause, edges[j].observed, j);
  });
  const auto same_pair = [&](std::size_t i, std::size_t j) {
    return edges[i].cause == edges[j].cause && edges[i].observed == edges[j].observed;
  };
  const auto twice = std::adjacent_find(order.begin(), order.end(), same_pair);
  if (twice != order.end()) {
    const Edge& edge = edges[*twice];
    throw InputError(
        fmt::format("edges[{}] and edges[{}] both join cause {} and observed {}; keep one of them",
                    *twice, *(twice + 1), edge.cause, edge.observed));
  }
  return order;
}

/// Tables of every cause, and priors that are what they say.
void settle_causes(std::vector<Cause>& causes, CauseNetwork& network) {
  if (network.n_causes() == 0) {
    std::vector<double> priors;
    for (const Cause& cause : causes) priors.push_back(cause.prior);
    network = CauseNetwork::independent(priors);
    return;
  }
  if (network.n_causes() != causes.size()) {
    throw InputError(fmt::format("there are {} causes, but tables of {}; they must agree",
                                 causes.size(), network.n_causes()));
  }
  if (network.is_independent()) {
    for (std::size_t i = 0; i < causes.size(); ++i) causes[i].prior = network.tables()[i].on[0];
    return;
  }
  const CauseElimination elimination(network);
  if (!elimination.is_feasible()) return;
  const std::vector<double> on =
      elimination.posteriors(std::vector<CauseWeight>(causes.size(), CauseWeight{1, 1}));
  for (std::size_t i = 0; i < causes.size(); ++i) causes[i].prior = on[i];
}

bool before_observed(const Edge& edge, std::size_t observed) { return edge.observed < observed; }

// Anchors are of the network they stand in (Halpern, Horng, Sontag 2015, Definition 1).

constexpr std::uint32_t no_anchor = ~std::uint32_t{0};

void require_anchor(const Anchor& anchor, std::size_t number, std::size_t n_causes,
                    std::size_t n_observed) {
  if (anchor.cause >= n_causes) {
    throw InputError(
        fmt::format("anchors[{}].cause = {}, but there are {} causes; indices start "
                    "at 0",
                    number, anchor.cause, n_causes));
  }
  if (anchor.observed >= n_observed) {
    throw InputError(
        fmt::format("anchors[{}].observed = {}, but there are {} observed variables; indices "
                    "start at 0",
                    number, anchor.observed, n_observed));
  }
}

/// An observed variable is an anchor once, and of one cause (Definition 1).
void require_one_cause_each(const std::vector<Anchor>& anchors, std::size_t n_observed) {
  std::vector<std::uint32_t> anchor_of(n_observed, no_anchor);
  for (std::uint32_t i = 0; i < anchors.size(); ++i) {
    std::uint32_t& other = anchor_of[anchors[i].observed];
    if (other != no_anchor) {
      throw InputError(fmt::format(
          "anchors[{}] and anchors[{}] are both observed variable {}, of causes {} and {}; it can "
          "be an anchor once: keep one of them",
          other, i, anchors[i].observed, anchors[other].cause, anchors[i].cause));
    }
    other = i;
  }
}

void require_one_union_each(const std::vector<Anchor>& anchors) {
  std::unordered_map<std::string, std::size_t> anchor_of;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    for (const std::string& column : anchors[i].columns) {
      const auto [other, is_new] = anchor_of.emplace(column, i);
      if (is_new) continue;
      throw InputError(
          fmt::format("column {} stands in anchors[{}] and in anchors[{}]; it can "
                      "belong to one anchor, once: take it out of the other",
                      shown(column), other->second, i));
    }
  }
}

/// Sorts by (cause, observed). Throws InputError naming the entry: an index out of range, a
/// variable that is an anchor twice, a column in two unions. O(anchors + observed variables).
void settle_anchors(std::vector<Anchor>& anchors, std::size_t n_causes, std::size_t n_observed) {
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    require_anchor(anchors[i], i, n_causes, n_observed);
  }
  require_one_cause_each(anchors, n_observed);
  require_one_union_each(anchors);
  std::ranges::sort(anchors, {},
                    [](const Anchor& anchor) { return std::tuple(anchor.cause, anchor.observed); });
}

}  // namespace

NoisyOrNetwork::NoisyOrNetwork(std::vector<Cause> causes, std::vector<Observed> observed,
                               std::vector<Edge> edges, CauseNetwork cause_network,
                               std::vector<Anchor> anchors)
    : causes_(std::move(causes)),
      observed_(std::move(observed)),
      cause_network_(std::move(cause_network)),
      anchors_(std::move(anchors)) {
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    require_probability(causes_[i].prior, "causes", i, "prior");
  }
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    require_probability(observed_[i].leak, "observed", i, "leak");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    require_index(edges[i].cause, causes_.size(), i, "cause", "causes");
    require_index(edges[i].observed, observed_.size(), i, "observed", "observed variables");
    require_probability(edges[i].failure, "edges", i, "failure");
  }
  settle_causes(causes_, cause_network_);
  settle_anchors(anchors_, causes_.size(), observed_.size());
  edges_.reserve(edges.size());
  first_edge_.assign(causes_.size() + 1, 0);
  for (const std::size_t i : sorted_order(edges)) {
    if (edges[i].failure == 1) continue;  // f = 1 is no edge
    edges_.push_back(edges[i]);
    ++first_edge_[edges[i].cause + std::size_t{1}];
  }
  std::partial_sum(first_edge_.begin(), first_edge_.end(), first_edge_.begin());
}

NoisyOrNetwork::NoisyOrNetwork(const NoisyOrNetwork& loadings, CauseNetwork cause_network,
                               std::vector<Anchor> anchors)
    : NoisyOrNetwork(loadings.causes(), loadings.observed(), loadings.edges(),
                     std::move(cause_network), std::move(anchors)) {}

std::pair<double, double> NoisyOrNetwork::anchor_rates(std::size_t anchor) const {
  const auto& [cause, observed, columns] = anchors_[anchor];
  const double leak = observed_[observed].leak;
  return {leak, 1 - (1 - leak) * failure(cause, observed)};
}

double NoisyOrNetwork::failure(std::size_t cause, std::size_t observed) const noexcept {
  const std::span<const Edge> edges = children(cause);
  const auto edge = std::lower_bound(edges.begin(), edges.end(), observed, before_observed);
  return edge != edges.end() && edge->observed == observed ? edge->failure : 1;
}

std::vector<std::string> NoisyOrNetwork::observed_names() const {
  std::vector<std::string> names;
  for (const Observed& variable : observed_) names.push_back(variable.name);
  return names;
}

std::vector<double> NoisyOrNetwork::dense_failures(std::size_t cause) const {
  std::vector<double> failures(n_observed(), 1);
  for (const Edge& edge : children(cause)) failures[edge.observed] = edge.failure;
  return failures;
}

double NoisyOrNetwork::negative_moment(std::span<const std::uint32_t> set) const {
  double moment = 1;
  for (const std::uint32_t a : set) moment *= 1 - observed_[a].leak;
  std::vector<CauseWeight> weights;
  for (std::size_t cause = 0; cause < n_causes(); ++cause) {
    double all_fail = 1;
    for (const std::uint32_t a : set) all_fail *= failure(cause, a);
    if (has_dependent_causes()) {
      weights.push_back({1, all_fail});
      continue;
    }
    const double prior = causes_[cause].prior;
    moment *= 1 - prior + prior * all_fail;  // Eq. (1)
  }
  if (weights.empty()) return moment;
  return moment * CauseElimination(cause_network_).expectation(weights);
}

}  // namespace orrery::model
