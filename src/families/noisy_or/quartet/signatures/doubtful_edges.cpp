#include "families/noisy_or/quartet/signatures/doubtful_edges.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"

namespace orrery::quartet {
namespace {

/// P(a off) by the network, for each variable a.
std::vector<double> shares_off(const model::NoisyOrNetwork& network) {
  std::vector<double> off;
  for (const model::Observed& observed : network.observed()) off.push_back(1 - observed.leak);
  for (const model::Edge& edge : network.edges()) {
    off[edge.observed] *= 1 - network.causes()[edge.cause].prior * (1 - edge.failure);
  }
  return off;
}

/// Log-likelihood ratio of a cause's edge: of the two binomials, with the edge and without it, in
/// as many rows with the cause as leave its failure this standard error. `off`: P(variable off).
/// The square of strength over error tells half of that or less where the cause is in few rows.
double worth_of_edge(double failure, double error, double prior, double off) {
  const double off_beside = off / (1 - prior * (1 - failure));
  const double off_with = failure * off_beside;
  const double n = failure * (1 - off_with) / (off_beside * error * error);
  const double of_binomials =
      n * ((1 - off_with) * std::log((1 - off_with) / (1 - off_beside)) +
           off_with * std::log(std::max(failure, std::numeric_limits<double>::min())));
  const double z = (1 - failure) / error;  // the failure may be next to 0
  return std::max(of_binomials, z * z / 2);
}

}  // namespace

double drop_doubtful_edges(const learning::LearnContext& context, double alpha,
                           const model::LearnedModel& model, State& state) {
  constexpr std::size_t least_children = 3;  // fewer do not tell a cause from what they share
  const model::NoisyOrNetwork& network = model.network;
  const std::size_t m = network.n_observed();
  const Penalty penalty(context.rows->n_rows(), m, alpha);
  const Constraints rules(context.known, context.names);
  const std::vector<double> off = shares_off(network);
  std::size_t n_edges = 0;  // that go
  std::vector<std::size_t> needed;
  std::size_t e = 0;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const model::Cause& cause = network.causes()[u];
    const std::size_t n_children = network.children(u).size();
    std::size_t n_doubtful = 0;
    for (const model::Edge& edge : network.children(u)) {
      const double worth =
          worth_of_edge(edge.failure, model.errors.failure[e++], cause.prior, off[edge.observed]);
      if (!(worth < penalty.edge) || !rules.may_drop(cause.name, edge.observed)) continue;
      state.failures[u * m + edge.observed] = 1;
      ++n_doubtful;
    }
    const bool goes =
        n_doubtful > 0 && n_children - n_doubtful < least_children && state.causes[u].known < 0;
    if (!goes) needed.push_back(u);
    n_edges += goes ? n_children : n_doubtful;
  }
  const std::size_t n_causes = network.n_causes() - needed.size();
  state.keep_only(needed);
  return static_cast<double>(n_edges) * penalty.edge +
         static_cast<double>(n_causes) * penalty.cause;
}

}  // namespace orrery::quartet
