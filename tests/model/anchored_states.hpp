// Small anchored networks, and their distribution by the definition: all states of causes and
// findings, one after the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/cause_oracle.hpp"
#include "orrery/model/anchored_network.hpp"

namespace orrery::model::anchored_states {

/// y_2 -> y_0 <- y_1 (out of order); an anchor, a violated one, a column without a leak.
inline AnchoredNetwork small() {
  const CauseNetwork causes({{{1, 2}, {.1, .6, .5, .2}}, {{}, {.3}}, {{1}, {.2, .7}}});
  const NoisyOrNetwork loadings({{"y0", .5}, {"y1", .5}, {"y2", .5}},
                                {{"a", .1}, {"b", .05}, {"c", 0}},
                                {{0, 0, .2}, {1, 1, .3}, {2, 1, .8}, {0, 2, .5}, {2, 2, .4}});
  return {loadings, causes, {{0, 0}, {1, 1}}};
}

/// An anchor a cause in the first columns, then columns with an edge from each in two causes.
inline AnchoredNetwork random_network(std::uint64_t seed, std::uint32_t n, std::uint32_t m,
                                      std::size_t in_degree) {
  RowRandom random(seed, Stream::parameters, n);
  std::vector<Cause> names(n, Cause{"y", .5});
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  std::vector<Anchor> anchors;
  for (std::uint32_t j = 0; j < m; ++j) {
    observed.push_back({"x", .2 * random.uniform()});
    for (std::uint32_t i = 0; i < n; ++i) {
      if (j < n ? i == j : random.bernoulli(.5)) edges.push_back({i, j, .9 * random.uniform()});
    }
    if (j < n) anchors.push_back({j, j});
  }
  return {NoisyOrNetwork(names, observed, edges), cause_oracle::random_causes(seed, n, in_degree),
          anchors};
}

/// P(y, x); bit i of the cell is cause i, the bits of the findings follow.
inline double probability(const AnchoredNetwork& network, std::size_t cell) {
  const std::size_t n = network.n_causes();
  double p = std::exp(network.causes().log_probability(cause_oracle::values_of(cell, n)));
  for (std::size_t j = 0; j < network.n_observed(); ++j) {
    double off = 1 - network.loadings().observed()[j].leak;
    for (std::size_t i = 0; i < n; ++i) {
      if (cause_oracle::bit(cell, i)) off *= network.loadings().failure(i, j);
    }
    p *= cause_oracle::bit(cell, n + j) ? 1 - off : off;
  }
  return p;
}

/// Of all cells.
inline std::vector<double> distribution(const AnchoredNetwork& network) {
  std::vector<double> cells(std::size_t{1} << (network.n_causes() + network.n_observed()));
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    cells[cell] = probability(network, cell);
  }
  return cells;
}

}  // namespace orrery::model::anchored_states
