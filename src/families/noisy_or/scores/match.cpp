// How much of a known network was learned.
//
// Source: Buhai, Halpern, Kim, Risteski & Sontag 2020, "Empirical study of the benefits of
// overparameterization in learning latent variable models" (ICML): Hungarian matching on
//   cost(U, V) = max_a |log f_{U,a} - log f_{V,a}|,
// a true cause counts as recovered if cost <= 1 and the learned prior is >= 0.02 (min_prior).
// Cost: n_true * n_learned merges of two child lists, then one assignment.
//
// Departures. (1) The assignment minimises min(cost, 2): one hopeless pair could otherwise outweigh
// several good ones. (2) Learned causes below the prior threshold are assigned last, so that a
// faint duplicate cannot take the place of the cause itself (the paper's code drops them
// beforehand). (3) Ties, which (1) makes common, go to the pairs with the smaller sum of |f_U -
// f_V|.
#include "families/noisy_or/scores/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/assign.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using model::Edge;
using model::NoisyOrNetwork;

constexpr double failure_floor = 1e-6;
constexpr double recovered_cost = 1;
constexpr double hopeless_cost = 2 * recovered_cost;
constexpr double tie_weight = 1e-9;
// Each subtract-off round learns at least one cause; no search gets near this many.
constexpr std::int32_t deepest = 1'000'000;

/// Calls visit(observed, failure in a, failure in b) for every child of either cause.
template <class Visit>
void for_each_child(std::span<const Edge> a, std::span<const Edge> b, const Visit& visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].observed < b[j].observed)) {
      visit(a[i].observed, a[i].failure, 1.0);
      ++i;
    } else if (i == a.size() || b[j].observed < a[i].observed) {
      visit(b[j].observed, 1.0, b[j].failure);
      ++j;
    } else {
      visit(a[i].observed, a[i].failure, b[j].failure);
      ++i;
      ++j;
    }
  }
}

bool is_edge(double failure) { return 1 - failure > edge_strength; }

std::size_t count_edges(const NoisyOrNetwork& network) {
  const auto& edges = network.edges();
  return static_cast<std::size_t>(std::count_if(
      edges.begin(), edges.end(), [](const Edge& edge) { return is_edge(edge.failure); }));
}

double assignment_cost(const NoisyOrNetwork& truth, std::size_t t, const NoisyOrNetwork& learned,
                       std::size_t k, double min_prior) {
  double difference = 0;
  for_each_child(truth.children(t), learned.children(k),
                 [&](std::uint32_t, double f_true, double f_learned) {
                   difference += std::abs(f_true - f_learned);
                 });
  const bool faint = learned.causes()[k].prior < min_prior;
  const double cost = faint ? hopeless_cost : match_cost(truth, t, learned, k);
  return std::min(cost, hopeless_cost) + tie_weight * difference;
}

/// The learned partner of each true cause, -1 where there are too few.
std::vector<std::int64_t> assign_causes(const NoisyOrNetwork& truth, const NoisyOrNetwork& learned,
                                        double min_prior) {
  std::vector<double> cost;
  cost.reserve(truth.n_causes() * learned.n_causes());
  for (std::size_t t = 0; t < truth.n_causes(); ++t) {
    for (std::size_t k = 0; k < learned.n_causes(); ++k) {
      cost.push_back(assignment_cost(truth, t, learned, k, min_prior));
    }
  }
  return assign_partners(cost, truth.n_causes(), learned.n_causes());
}

CauseMatch score_pair(const NoisyOrNetwork& truth, std::size_t t, const NoisyOrNetwork& learned,
                      std::int64_t partner, double min_prior) {
  CauseMatch match;
  match.learned = partner;
  if (partner < 0) return match;
  const auto k = static_cast<std::size_t>(partner);
  match.cost = match_cost(truth, t, learned, k);
  match.recovered = match.cost <= recovered_cost && learned.causes()[k].prior >= min_prior;
  match.prior_error = std::abs(learned.causes()[k].prior - truth.causes()[t].prior);
  for (const Edge& edge : truth.children(t)) {
    const double error = std::abs(learned.failure(k, edge.observed) - edge.failure);
    match.failure_error = std::max(match.failure_error, error);
  }
  return match;
}

void score_edges(const NoisyOrNetwork& truth, const NoisyOrNetwork& learned, Evaluation& result) {
  std::size_t common = 0;
  for (std::size_t t = 0; t < result.causes.size(); ++t) {
    if (result.causes[t].learned < 0) continue;
    const auto k = static_cast<std::size_t>(result.causes[t].learned);
    for_each_child(truth.children(t), learned.children(k),
                   [&](std::uint32_t, double f_true, double f_learned) {
                     common += is_edge(f_true) && is_edge(f_learned) ? 1U : 0U;
                   });
  }
  const auto ratio = [common](std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
  };
  const std::size_t n_learned = count_edges(learned);
  const std::size_t n_true = count_edges(truth);
  result.edge_precision = ratio(n_learned);
  result.edge_recall = ratio(n_true);
  result.edge_f1 = 2 * ratio(n_learned + n_true);
}

void score_parameters(const NoisyOrNetwork& truth, const NoisyOrNetwork& learned,
                      Evaluation& result) {
  for (const CauseMatch& match : result.causes) {
    if (!match.recovered) continue;
    ++result.recovered;
    result.mean_prior_error += match.prior_error;
    result.max_failure_error = std::max(result.max_failure_error, match.failure_error);
  }
  if (result.recovered > 0) result.mean_prior_error /= static_cast<double>(result.recovered);
  for (std::size_t a = 0; a < truth.n_observed(); ++a) {
    const double error = std::abs(learned.observed()[a].leak - truth.observed()[a].leak);
    result.max_leak_error = std::max(result.max_leak_error, error);
  }
}

std::vector<std::size_t> find_extra(const Evaluation& result) {
  std::vector<bool> wanted(result.n_learned, false);
  for (const CauseMatch& match : result.causes) {
    if (match.recovered) wanted[static_cast<std::size_t>(match.learned)] = true;
  }
  std::vector<std::size_t> extra;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!wanted[k]) extra.push_back(k);
  }
  return extra;
}

std::vector<std::size_t> count_depths(const std::vector<model::Provenance>& provenance) {
  std::vector<std::size_t> count;
  for (std::size_t k = 0; k < provenance.size(); ++k) {
    const std::int32_t depth = provenance[k].depth;
    if (depth > deepest) {
      throw InputError(
          fmt::format("causes[{}] of the learned model has depth {}, more than {} rounds: the "
                      "model is damaged; "
                      "learn it again",
                      k, depth, deepest));
    }
    if (depth < 0) continue;
    const auto d = static_cast<std::size_t>(depth);
    if (d >= count.size()) count.resize(d + 1, 0);
    ++count[d];
  }
  return count;
}

void score_cause_edges(const model::CauseNetwork& truth, const model::CauseNetwork& learned,
                       const std::vector<std::int64_t>& partner, Evaluation& result) {
  result.n_true_cause_edges = truth.n_edges();
  result.n_learned_cause_edges = learned.n_edges();
  const auto joins = [&](std::int64_t child, std::int64_t parent) {
    if (child < 0 || parent < 0) return false;
    const auto& parents = learned.tables()[static_cast<std::size_t>(child)].parents;
    return std::ranges::binary_search(parents, static_cast<std::uint32_t>(parent));
  };
  for (std::size_t child = 0; child < truth.n_causes(); ++child) {
    for (const std::uint32_t parent : truth.tables()[child].parents) {
      const bool found =
          joins(partner[child], partner[parent]) || joins(partner[parent], partner[child]);
      if (found) ++result.n_common_cause_edges;
    }
  }
}

}  // namespace

std::vector<std::size_t> align_observed(const NoisyOrNetwork& learned,
                                        const NoisyOrNetwork& truth) {
  const std::size_t m = truth.n_observed();
  if (learned.n_observed() != m) {
    throw InputError(
        fmt::format("the learned model has {} observed variables and the true network {}: give the "
                    "network that "
                    "the data was sampled from",
                    learned.n_observed(), m));
  }
  return places_of_same_names(learned.observed_names(), truth.observed_names());
}

NoisyOrNetwork in_order_of(const NoisyOrNetwork& truth, const NoisyOrNetwork& learned) {
  const std::vector<std::size_t> position = align_observed(learned, truth);
  std::vector<model::Observed> observed(learned.n_observed());
  for (std::size_t a = 0; a < observed.size(); ++a) observed[position[a]] = learned.observed()[a];
  std::vector<Edge> edges = learned.edges();
  for (Edge& edge : edges) edge.observed = static_cast<std::uint32_t>(position[edge.observed]);
  return {learned.causes(), std::move(observed), std::move(edges), learned.cause_network()};
}

double match_cost(const NoisyOrNetwork& truth, std::size_t true_cause,
                  const NoisyOrNetwork& learned, std::size_t learned_cause) {
  double worst = 1;  // the largest ratio of two failures; its log is the cost
  for_each_child(truth.children(true_cause), learned.children(learned_cause),
                 [&](std::uint32_t, double f_true, double f_learned) {
                   const double a = std::max(f_true, failure_floor);
                   const double b = std::max(f_learned, failure_floor);
                   worst = std::max(worst, a > b ? a / b : b / a);
                 });
  return std::log(worst);
}

Evaluation score_network(const model::LearnedModel& model, const NoisyOrNetwork& truth,
                         double min_prior) {
  const NoisyOrNetwork learned = in_order_of(truth, model.network);
  Evaluation result;
  result.min_prior = min_prior;
  result.n_true = truth.n_causes();
  result.n_learned = learned.n_causes();
  const std::vector<std::int64_t> partner = assign_causes(truth, learned, min_prior);
  for (std::size_t t = 0; t < result.n_true; ++t) {
    result.causes.push_back(score_pair(truth, t, learned, partner[t], min_prior));
  }
  score_parameters(truth, learned, result);
  score_edges(truth, learned, result);
  score_cause_edges(truth.cause_network(), learned.cause_network(), partner, result);
  result.extra = find_extra(result);
  result.learned_at_depth = count_depths(model.provenance);
  result.likeness = compare_strengths(learned, truth);
  return result;
}

}  // namespace orrery::noisy_or
