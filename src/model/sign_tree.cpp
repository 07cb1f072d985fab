// A tree of signs, and its tables of each variable given its parent.
#include "orrery/model/sign_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "model/numbers.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::model {
namespace {

void require_means(const std::vector<double>& means) {
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (std::abs(means[i]) < 1) continue;  // false for NaN too
    throw InputError(
        fmt::format("variables[{}].mean = {}; a number in (-1, 1) is needed: a sign that never "
                    "changes belongs to no tree",
                    i, means[i]));
  }
}

/// Of (x_a, x_b) in {-1, +1}^2, times 4: the least.
double least_cell(double mean_a, double mean_b, double moment) {
  return std::min(1 + moment - std::abs(mean_a + mean_b), 1 - moment - std::abs(mean_a - mean_b));
}

void require_edge(const TreeEdge& edge, std::size_t place, const std::vector<double>& means) {
  const std::size_t p = means.size();
  for (const std::uint32_t end : {edge.a, edge.b}) {
    if (end < p) continue;
    throw InputError(fmt::format(
        "edges[{}] joins variable {}, but there are {}; indices start at 0", place, end, p));
  }
  if (edge.a == edge.b) {
    throw InputError(fmt::format("edges[{}] joins variable {} to itself", place, edge.a));
  }
  if (!(least_cell(means[edge.a], means[edge.b], edge.moment) >= -text_rounding)) {
    throw InputError(fmt::format(
        "edges[{}].moment = {}: no two signs of means {} and {} have it; between {} "
        "and {} is needed",
        place, edge.moment, means[edge.a], means[edge.b],
        std::abs(means[edge.a] + means[edge.b]) - 1, 1 - std::abs(means[edge.a] - means[edge.b])));
  }
}

/// Edges at each variable: place in `edges`, ascending.
struct Neighbours {
  std::vector<std::size_t> first;  // p + 1
  std::vector<std::uint32_t> edge;

  Neighbours(std::size_t p, const std::vector<TreeEdge>& edges)
      : first(p + 1, 0), edge(2 * edges.size()) {
    for (const TreeEdge& joint : edges) {
      ++first[joint.a + std::size_t{1}];
      ++first[joint.b + std::size_t{1}];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      edge[next[edges[e].a]++] = e;
      edge[next[edges[e].b]++] = e;
    }
  }
};

}  // namespace

SignTree::SignTree(std::vector<std::string> names, std::vector<double> means,
                   std::vector<TreeEdge> edges, double crossover)
    : names_(std::move(names)),
      means_(std::move(means)),
      edges_(std::move(edges)),
      crossover_(crossover) {
  const std::size_t p = names_.size();
  if (means_.empty()) means_.assign(p, 0);
  if (means_.size() != p) {
    throw InputError(fmt::format("{} means of {} variables", means_.size(), p));
  }
  if (!(crossover_ >= 0 && crossover_ < .5)) {
    throw InputError(
        fmt::format("crossover = {}; a probability in [0, 0.5) is needed: at 0.5 the "
                    "observed signs say nothing of the hidden ones",
                    crossover_));
  }
  require_means(means_);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    require_edge(edges_[e], e, means_);
    if (edges_[e].a > edges_[e].b) std::swap(edges_[e].a, edges_[e].b);
  }
  std::ranges::sort(edges_, [](const TreeEdge& e, const TreeEdge& f) {
    return std::tie(e.a, e.b) < std::tie(f.a, f.b);
  });

  const Neighbours neighbours(p, edges_);
  parents_.assign(p, none);
  parent_edges_.assign(p, none);
  after_parents_.reserve(p);
  std::vector<bool> seen(p, false);
  for (std::uint32_t root = 0; root < p; ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    after_parents_.push_back(root);
    for (std::size_t next = after_parents_.size() - 1; next < after_parents_.size(); ++next) {
      const std::uint32_t a = after_parents_[next];
      for (std::size_t k = neighbours.first[a]; k < neighbours.first[a + std::size_t{1}]; ++k) {
        const std::uint32_t e = neighbours.edge[k];
        if (e == parent_edges_[a]) continue;
        const std::uint32_t b = edges_[e].a == a ? edges_[e].b : edges_[e].a;
        if (seen[b]) {
          throw InputError(
              fmt::format("edge {} - {} closes a cycle; a tree has none", names_[a], names_[b]));
        }
        seen[b] = true;
        parents_[b] = a;
        parent_edges_[b] = e;
        after_parents_.push_back(b);
      }
    }
  }
}

bool SignTree::is_uniform() const noexcept {
  return std::ranges::all_of(means_, [](double mean) { return mean == 0; });
}

double SignTree::correlation(const TreeEdge& edge) const noexcept {
  const double a = means_[edge.a];
  const double b = means_[edge.b];
  return (edge.moment - a * b) / std::sqrt((1 - a * a) * (1 - b * b));
}

namespace {

/// Cells that rounding made negative are 0.
ConditionalTable given_parent(double parent_mean, double mean, double moment) {
  ConditionalTable table;
  for (std::size_t up = 0; up < 2; ++up) {
    const double x = sign_of(up);
    std::array<double, 2> cell{};
    for (std::size_t value = 0; value < 2; ++value) {
      const double y = sign_of(value);
      cell[value] = std::max(0.0, 1 + x * parent_mean + y * mean + x * y * moment);
    }
    for (std::size_t value = 0; value < 2; ++value) {
      table[up][value] = cell[value] / (cell[0] + cell[1]);
    }
  }
  return table;
}

}  // namespace

TreeTables tables_of(const SignTree& tree) {
  TreeTables tables{tree.parents(), tree.after_parents(), {}};
  tables.given.reserve(tree.n_variables());
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    const std::uint32_t parent = tree.parents()[i];
    const double mean = tree.means()[i];
    if (parent == SignTree::none) {
      const std::array<double, 2> own{(1 - mean) / 2, (1 + mean) / 2};
      tables.given.push_back({own, own});
    } else {
      tables.given.push_back(
          given_parent(tree.means()[parent], mean, tree.edges()[tree.parent_edges()[i]].moment));
    }
  }
  return tables;
}

}  // namespace orrery::model
