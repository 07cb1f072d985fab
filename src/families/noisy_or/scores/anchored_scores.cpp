// A learned anchored network beside the true one. Cost: O(k k' m) for the assignment where names do
// not tell, and a table by elimination a family. On one rank; the model in memory would break
// first.
#include "families/noisy_or/scores/anchored_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "base/assign.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "model/cause_elimination.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseNetwork;
using model::LearnedModel;
using model::NoisyOrNetwork;
using Ends = AnchoredScores::Ends;

/// Of each true observed variable the learned one; -1: none.
std::vector<std::int64_t> match_observed(const NoisyOrNetwork& truth,
                                         const NoisyOrNetwork& learned) {
  std::map<std::string, std::int64_t> by_name;
  for (std::size_t j = learned.n_observed(); j-- > 0;) {
    by_name[learned.observed()[j].name] = static_cast<std::int64_t>(j);
  }
  std::vector<std::int64_t> partner;
  bool any = false;
  for (const model::Observed& observed : truth.observed()) {
    const auto found = by_name.find(observed.name);
    partner.push_back(found == by_name.end() ? -1 : found->second);
    any = any || partner.back() >= 0;
  }
  if (any) return partner;
  if (truth.n_observed() != learned.n_observed()) {
    throw InputError(fmt::format(
        "the true network has {} observed variables, the model {}, and no name is in both; give "
        "the true network of the model's variables",
        truth.n_observed(), learned.n_observed()));
  }
  std::iota(partner.begin(), partner.end(), 0);
  return partner;
}

bool same_names(const NoisyOrNetwork& a, const NoisyOrNetwork& b) {
  const auto sorted = [](const NoisyOrNetwork& network) {
    std::vector<std::string> names;
    for (const model::Cause& cause : network.causes()) names.push_back(cause.name);
    std::ranges::sort(names);
    return names;
  };
  return sorted(a) == sorted(b);
}

std::vector<std::int64_t> match_by_name(const NoisyOrNetwork& truth,
                                        const NoisyOrNetwork& learned) {
  std::vector<std::string> from;
  std::vector<std::string> to;
  for (const model::Cause& cause : truth.causes()) from.push_back(cause.name);
  for (const model::Cause& cause : learned.causes()) to.push_back(cause.name);
  const std::vector<std::size_t> places = places_of_same_names(from, to);
  return {places.begin(), places.end()};
}

std::vector<std::int64_t> match_by_loadings(const NoisyOrNetwork& truth,
                                            const NoisyOrNetwork& learned,
                                            const std::vector<std::int64_t>& observed) {
  std::vector<double> cost;
  for (std::size_t t = 0; t < truth.n_causes(); ++t) {
    const std::vector<double> f = truth.dense_failures(t);
    for (std::size_t l = 0; l < learned.n_causes(); ++l) {
      const std::vector<double> g = learned.dense_failures(l);
      double sum = 0;
      for (std::size_t j = 0; j < f.size(); ++j) {
        if (observed[j] >= 0) sum += std::abs(f[j] - g[static_cast<std::size_t>(observed[j])]);
      }
      cost.push_back(sum);
    }
  }
  return assign_partners(cost, truth.n_causes(), learned.n_causes());
}

std::vector<Ends> edges_of(const CauseNetwork& network) {
  std::vector<Ends> edges;
  for (std::uint32_t child = 0; child < network.n_causes(); ++child) {
    for (const std::uint32_t parent : network.tables()[child].parents) {
      edges.push_back({std::min(child, parent), std::max(child, parent)});
    }
  }
  std::ranges::sort(edges);
  return edges;
}

/// Of each learned cause the true one; the number of true causes: none.
std::vector<std::uint32_t> inverse(const std::vector<std::int64_t>& partner,
                                   std::size_t n_learned) {
  std::vector<std::uint32_t> back(n_learned, static_cast<std::uint32_t>(partner.size()));
  for (std::size_t t = 0; t < partner.size(); ++t) {
    if (partner[t] >= 0) back[static_cast<std::size_t>(partner[t])] = static_cast<std::uint32_t>(t);
  }
  return back;
}

void score_edges(const CauseNetwork& truth, const CauseNetwork& learned,
                 const std::vector<std::uint32_t>& back, AnchoredScores& scores) {
  std::vector<Ends> true_edges = edges_of(truth);
  const std::vector<Ends> learned_edges = edges_of(learned);
  scores.n_true_edges = true_edges.size();
  scores.n_learned_edges = learned_edges.size();
  for (const Ends& edge : learned_edges) {
    const Ends moved{std::min(back[edge[0]], back[edge[1]]),
                     std::max(back[edge[0]], back[edge[1]])};
    const auto found = std::ranges::find(true_edges, moved);
    if (found == true_edges.end()) {
      scores.wrong.push_back(edge);
    } else {
      true_edges.erase(found);
      ++scores.n_common_edges;
    }
  }
  scores.missing = std::move(true_edges);
  const auto ratio = [&](std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(scores.n_common_edges) / static_cast<double>(all);
  };
  scores.precision = ratio(scores.n_learned_edges);
  scores.recall = ratio(scores.n_true_edges);
  scores.f1 = 2 * ratio(scores.n_learned_edges + scores.n_true_edges);
}

struct Errors {
  std::vector<double> values;

  [[nodiscard]] double mean() const {
    const auto n = static_cast<double>(values.size());
    return n == 0 ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / n;
  }
  [[nodiscard]] double largest() const { return values.empty() ? 0 : std::ranges::max(values); }
  /// The mean of the two in the middle of an even number.
  [[nodiscard]] double median() const {
    if (values.empty()) return 0;
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
};

/// Counts whether a true value lies in a 95 % interval; NaN: the error is not known.
void count_covered(double estimate, double truth, double error, AnchoredScores& scores) {
  if (!std::isfinite(error)) return;
  ++scores.n_with_error;
  if (std::abs(estimate - truth) <= model::normal95 * error) ++scores.n_covered;
}

/// The place of an edge among a network's edges, or their number.
std::size_t place_of_edge(const NoisyOrNetwork& network, std::size_t cause, std::size_t observed) {
  const auto& edges = network.edges();
  for (const model::Edge& edge : network.children(cause)) {
    if (edge.observed == observed) return static_cast<std::size_t>(&edge - edges.data());
  }
  return edges.size();
}

/// Failures of one pair of causes.
void score_failures(const LearnedModel& learned, const NoisyOrNetwork& truth, std::size_t t,
                    std::size_t l, const std::vector<std::int64_t>& observed, Errors& errors,
                    Errors& extra, AnchoredScores& scores) {
  const NoisyOrNetwork& loadings = learned.network;
  const std::vector<double> f = truth.dense_failures(t);
  for (std::size_t j = 0; j < f.size(); ++j) {
    if (observed[j] < 0) continue;
    const auto own = static_cast<std::size_t>(observed[j]);
    const std::size_t edge = place_of_edge(loadings, l, own);
    const bool has_edge = edge < loadings.edges().size();
    const double g = has_edge ? loadings.edges()[edge].failure : 1;
    if (f[j] < 1) errors.values.push_back(std::abs(f[j] - g));
    if (f[j] == 1 && has_edge) extra.values.push_back(1 - g);
    if (has_edge && !learned.errors.failure.empty()) {
      count_covered(g, f[j], learned.errors.failure[edge], scores);
    }
  }
}

void score_loadings(const LearnedModel& learned, const NoisyOrNetwork& truth,
                    const std::vector<std::int64_t>& observed, AnchoredScores& scores) {
  const NoisyOrNetwork& loadings = learned.network;
  Errors failures;
  Errors extra;
  Errors leaks;
  Errors priors;
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    if (scores.partner[t] < 0) continue;
    const auto l = static_cast<std::size_t>(scores.partner[t]);
    score_failures(learned, truth, t, l, observed, failures, extra, scores);
    const double prior = truth.causes()[t].prior;
    priors.values.push_back(std::abs(loadings.causes()[l].prior - prior));
    if (learned.errors.prior.empty()) continue;
    count_covered(loadings.causes()[l].prior, prior, learned.errors.prior[l], scores);
  }
  for (std::size_t j = 0; j < observed.size(); ++j) {
    if (observed[j] < 0) continue;
    ++scores.n_observed;
    const auto own = static_cast<std::size_t>(observed[j]);
    const double leak = truth.observed()[j].leak;
    leaks.values.push_back(std::abs(loadings.observed()[own].leak - leak));
    if (learned.errors.leak.empty()) continue;
    count_covered(loadings.observed()[own].leak, leak, learned.errors.leak[own], scores);
  }
  scores.n_true_loadings = failures.values.size();
  scores.median_failure_error = failures.median();
  scores.mean_failure_error = failures.mean();
  scores.max_failure_error = failures.largest();
  scores.n_extra_loadings = extra.values.size();
  scores.mean_extra_strength = extra.mean();
  scores.mean_leak_error = leaks.mean();
  scores.max_leak_error = leaks.largest();
  scores.mean_prior_error = priors.mean();
  scores.max_prior_error = priors.largest();
}

}  // namespace

AnchoredScores score_anchored(const LearnedModel& learned, const NoisyOrNetwork& truth) {
  const NoisyOrNetwork& own = learned.network;
  const std::vector<std::int64_t> observed = match_observed(truth, own);
  AnchoredScores scores;
  scores.by_name = same_names(truth, own);
  scores.partner =
      scores.by_name ? match_by_name(truth, own) : match_by_loadings(truth, own, observed);
  const std::vector<std::uint32_t> back = inverse(scores.partner, learned.network.n_causes());
  score_edges(truth.cause_network(), learned.network.cause_network(), back, scores);
  if (truth.n_causes() == learned.network.n_causes() &&
      model::CauseElimination(truth.cause_network()).is_feasible()) {
    scores.kl_from_truth =
        kl_divergence(truth.cause_network(), learned.network.cause_network(), back);
  }
  score_loadings(learned, truth, observed, scores);
  return scores;
}

}  // namespace orrery::noisy_or
