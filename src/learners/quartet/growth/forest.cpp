#include "learners/quartet/growth/forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery::quartet {
namespace {

constexpr double least_probability = 1e-6;
// Half a case each way, as of the priors in em.hpp.
constexpr double pseudo_count = .5;

double share_of(double on, double all) {
  return std::clamp((on + pseudo_count) / (all + 2 * pseudo_count), least_probability,
                    1 - least_probability);
}

double plogp(double x, double expected) { return x > 0 ? x * std::log(x / expected) : 0; }

/// N times the mutual information of two causes that are on so often, alone and together.
double gain_of(double c, double d, double both, double n) {
  return plogp(both, c * d / n) + plogp(c - both, c * (n - d) / n) +
         plogp(d - both, (n - c) * d / n) + plogp(n - c - d + both, (n - c) * (n - d) / n);
}

struct Tie {
  double gain;
  std::uint32_t c, d;
};

}  // namespace

std::size_t Forest::n_edges() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(parent, [](auto p) { return p >= 0; }));
}

bool Forest::is_sound() const {
  for (std::size_t c = 0; c < size(); ++c) {
    std::size_t depth = 0;
    for (std::int32_t p = parent[c]; p >= 0; p = parent[static_cast<std::size_t>(p)]) {
      if (++depth > size()) return false;
    }
  }
  return true;
}

void Forest::add_root(double prior) {
  parent.push_back(-1);
  on.push_back({prior, prior});
}

void Forest::remove(std::size_t cause) {
  const std::vector<double> marginal = marginals();
  const auto removed = static_cast<std::int32_t>(cause);
  for (std::size_t c = 0; c < size(); ++c) {
    if (parent[c] == removed) {
      parent[c] = -1;
      on[c] = {marginal[c], marginal[c]};
    } else if (parent[c] > removed) {
      --parent[c];
    }
  }
  parent.erase(parent.begin() + removed);
  on.erase(on.begin() + removed);
}

std::vector<std::uint32_t> Forest::order() const {
  std::vector<std::uint32_t> depth(size());
  for (std::size_t c = 0; c < size(); ++c) {
    for (std::int32_t p = parent[c]; p >= 0; p = parent[static_cast<std::size_t>(p)]) ++depth[c];
  }
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return depth[c]; });
  return order;
}

std::vector<double> Forest::marginals() const {
  std::vector<double> marginal(size());
  for (const std::uint32_t c : order()) {
    const double of_parent = parent[c] < 0 ? 0 : marginal[static_cast<std::size_t>(parent[c])];
    marginal[c] = (1 - of_parent) * on[c][0] + of_parent * on[c][1];
  }
  return marginal;
}

double Forest::expectation(std::span<const double> factors,
                           std::span<const std::uint32_t> order) const {
  // Of what is below a cause, for the cause off and on.
  thread_local std::vector<std::array<double, 2>> below;
  below.assign(size(), {1, 1});
  double product = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t c = order[i];
    const double off = below[c][0];
    const double switched_on = below[c][1] * factors[c];
    if (parent[c] < 0) {
      product *= (1 - on[c][0]) * off + on[c][0] * switched_on;
    } else {
      auto& above = below[static_cast<std::size_t>(parent[c])];
      for (std::size_t y = 0; y < 2; ++y) {
        above[y] *= (1 - on[c][y]) * off + on[c][y] * switched_on;
      }
    }
  }
  return product;
}

model::CauseNetwork Forest::network() const {
  std::vector<model::CauseTable> tables(size());
  for (std::size_t c = 0; c < size(); ++c) {
    if (parent[c] < 0) {
      tables[c].on = {on[c][0]};
    } else {
      tables[c] = {{static_cast<std::uint32_t>(parent[c])}, {on[c][0], on[c][1]}};
    }
  }
  return model::CauseNetwork(std::move(tables));
}

Forest learn_forest(std::span<const double> present, std::span<const double> together,
                    double n_rows, double cost) {
  const std::size_t n = present.size();
  std::vector<Tie> ties;
  for (std::uint32_t d = 1; d < n; ++d) {
    for (std::uint32_t c = 0; c < d; ++c) {
      const double gain = gain_of(present[c], present[d], together[pair_index(c, d)], n_rows);
      if (gain > cost) ties.push_back({gain, c, d});
    }
  }
  std::ranges::stable_sort(ties, std::greater{}, &Tie::gain);
  std::vector<std::uint32_t> tree(n);
  std::iota(tree.begin(), tree.end(), 0U);
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (const Tie& tie : ties) {
    const std::uint32_t kept = tree[tie.c];
    const std::uint32_t joined = tree[tie.d];
    if (kept == joined) continue;
    std::ranges::replace(tree, joined, kept);
    neighbours[tie.c].push_back(tie.d);
    neighbours[tie.d].push_back(tie.c);
  }
  Forest forest;
  for (const double sum : present) forest.add_root(share_of(sum, n_rows));
  // Edges point away from the most frequent cause of a tree.
  std::vector<std::uint32_t> by_share(n);
  std::iota(by_share.begin(), by_share.end(), 0U);
  std::ranges::stable_sort(by_share, std::greater{}, [&](auto c) { return present[c]; });
  std::vector<bool> reached(n);
  for (const std::uint32_t root : by_share) {
    if (reached[root]) continue;
    reached[root] = true;
    std::vector<std::uint32_t> open{root};
    while (!open.empty()) {
      const std::uint32_t above = open.back();
      open.pop_back();
      for (const std::uint32_t c : neighbours[above]) {
        if (reached[c]) continue;
        reached[c] = true;
        const double both = together[pair_index(std::min(c, above), std::max(c, above))];
        forest.parent[c] = static_cast<std::int32_t>(above);
        forest.on[c] = {share_of(present[c] - both, n_rows - present[above]),
                        share_of(both, present[above])};
        open.push_back(c);
      }
    }
  }
  return forest;
}

}  // namespace orrery::quartet
