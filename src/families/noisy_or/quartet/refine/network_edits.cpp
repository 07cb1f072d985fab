#include "families/noisy_or/quartet/refine/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
std::vector<std::size_t> all_causes(const model::NoisyOrNetwork& network) {
  std::vector<std::size_t> causes(network.n_causes());
  std::iota(causes.begin(), causes.end(), std::size_t{0});
  return causes;
}

model::NoisyOrNetwork select(const model::NoisyOrNetwork& network,
                             const std::vector<std::size_t>& chosen) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (const std::size_t u : chosen) {
    for (model::Edge edge : network.children(u)) {
      edge.cause = static_cast<std::uint32_t>(causes.size());
      edges.push_back(edge);
    }
    causes.push_back(network.causes()[u]);
  }
  return {std::move(causes), network.observed(), std::move(edges)};
}

model::NoisyOrNetwork without(const model::NoisyOrNetwork& network, std::size_t cause) {
  std::vector<std::size_t> rest = all_causes(network);
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(cause));
  return select(network, rest);
}

model::NoisyOrNetwork with(const model::NoisyOrNetwork& network, const model::Cause& cause,
                           const std::vector<double>& failures) {
  std::vector<model::Cause> causes = network.causes();
  std::vector<model::Edge> edges = network.edges();
  for (std::uint32_t a = 0; a < failures.size(); ++a) {
    if (!(failures[a] < 1)) continue;
    edges.push_back({static_cast<std::uint32_t>(causes.size()), a,
                     std::clamp(failures[a], constants::refinement::strongest_start,
                                constants::refinement::weakest_start)});
  }
  causes.push_back(cause);
  return {std::move(causes), network.observed(), std::move(edges)};
}

double jaccard(const std::vector<double>& a, const std::vector<double>& b) {
  double both = 0;
  double either = 0;
  for (std::size_t x = 0; x < a.size(); ++x) {
    both += a[x] < 1 && b[x] < 1 ? 1 : 0;
    either += a[x] < 1 || b[x] < 1 ? 1 : 0;
  }
  return either > 0 ? both / either : 0;
}

model::NoisyOrNetwork explain_leaks(const model::NoisyOrNetwork& network) {
  std::vector<model::Observed> observed = network.observed();
  std::vector<double> off;
  for (const model::Observed& variable : observed) off.push_back(1 - variable.leak);
  for (const model::Edge& edge : network.edges()) {
    const double prior = network.causes()[edge.cause].prior;
    off[edge.observed] /= 1 - prior + prior * edge.failure;
  }
  for (std::size_t a = 0; a < observed.size(); ++a) {
    observed[a].leak = std::clamp(1 - off[a], 1e-3, 1 - 1e-3);
  }
  return {network.causes(), std::move(observed), network.edges()};
}

double cosine_of_strengths(const std::vector<double>& failures,
                           const std::vector<double>& other_failures) {
  double both = 0;
  double here = 0;
  double there = 0;
  for (std::size_t a = 0; a < failures.size(); ++a) {
    both += (1 - failures[a]) * (1 - other_failures[a]);
    here += (1 - failures[a]) * (1 - failures[a]);
    there += (1 - other_failures[a]) * (1 - other_failures[a]);
  }
  return both > 0 ? both / std::sqrt(here * there) : 0;
}

bool has_composite(const model::NoisyOrNetwork& network) {
  const std::size_t n = network.n_causes();
  std::vector<std::vector<double>> failures;
  for (std::size_t u = 0; u < n; ++u) failures.push_back(network.dense_failures(u));
  for (std::size_t u = 0; u < n; ++u) {
    std::vector<std::size_t> parts;
    for (std::size_t v = 0; v < n; ++v) {
      const double alike = cosine_of_strengths(failures[u], failures[v]);
      if (v != u && alike > 1 - constants::refinement::most_alike_to_part &&
          alike < constants::refinement::most_alike_to_part) {
        parts.push_back(v);
      }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        std::vector<double> both = failures[parts[i]];
        for (std::size_t a = 0; a < both.size(); ++a) both[a] *= failures[parts[j]][a];
        if (cosine_of_strengths(failures[u], both) > constants::refinement::least_alike_to_both)
          return true;
      }
    }
  }
  return false;
}

}  // namespace orrery::quartet
