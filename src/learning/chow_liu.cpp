// Purpose: what a model without hidden causes reaches, to compare a learned one with.
// Source: C. K. Chow, C. N. Liu 1968, "Approximating discrete probability distributions with
//         dependence trees": of all trees, the maximum spanning tree of the mutual information has
//         the greatest likelihood.
//
//   paper            code                shape   range
//   P(x_i, x_j)      PairTable::cells    2 x 2   (0, 1)
//   I(x_i, x_j)      mutual_information          nats
//   m(j)             TreeTables::parents m       none, 0 ... m - 1
//
// Cost: O(m^2 N / 64) to count, O(m^2) for the tree (Prim).
// Smoothing: one pseudo-row is added to the counts of a pair, a quarter of it in each cell (half in
//         each state of a variable): no row has probability 0, and all tables agree on marginals.
// Missing values: a pair is counted where both are observed, a single variable where it is.
// Determinism: counts are integers; ties go to the lowest index.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "learning/baselines.hpp"
#include "moments/pair_counts.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_inference.hpp"

namespace orrery::learning {
namespace {

using model::ConditionalTable;
using model::SignTree;
using model::TreeTables;

using Cells = std::array<std::array<double, 2>, 2>;  // P(x, y)

constexpr double cell_pseudo_count = .25;
constexpr std::size_t rows_at_once = 4096;

/// The values and, below them, what is observed: column m + a is on where a is not missing.
data::BitPanels with_observed(const data::SampleMatrix& samples) {
  const std::size_t m = samples.n_observed();
  data::BitPanels both(2 * m, samples.n_samples());
  for (std::size_t first = 0; first < samples.n_samples(); first += rows_at_once) {
    const std::size_t n_rows = std::min(rows_at_once, samples.n_samples() - first);
    const data::BitColumns values = samples.values.extract(first, n_rows);
    const data::BitColumns missing = samples.missing->extract(first, n_rows);
    data::BitColumns block(2 * m, n_rows);
    for (std::size_t a = 0; a < m; ++a) {
      std::ranges::copy(values.column(a), block.column(a).begin());
      std::ranges::transform(missing.column(a), block.column(m + a).begin(),
                             [](std::uint64_t word) { return ~word; });
    }
    block.truncate(n_rows);
    both.insert(first, block);
  }
  return both;
}

/// Joint tables of all pairs of variables, smoothed.
class PairTable {
 public:
  explicit PairTable(const data::SampleMatrix& samples)
      : m_(samples.n_observed()),
        complete_(!samples.missing),
        counts_(moments::count_pairs(complete_ ? samples.values : with_observed(samples))) {}

  [[nodiscard]] Cells cells(std::size_t a, std::size_t b) const {
    const double both = on(a, b);
    const double a_on = complete_ ? on(a, a) : on(a, m_ + b);
    const double b_on = complete_ ? on(b, b) : on(m_ + a, b);
    const double all = complete_ ? static_cast<double>(counts_.n_samples) : on(m_ + a, m_ + b);
    Cells cells{{{all - a_on - b_on + both, b_on - both}, {a_on - both, both}}};
    for (auto& row : cells) {
      for (double& cell : row) cell = (cell + cell_pseudo_count) / (all + 4 * cell_pseudo_count);
    }
    return cells;
  }

 private:
  /// Rows in which both columns are on, from the counts of those in which both are off.
  [[nodiscard]] double on(std::size_t a, std::size_t b) const {
    return static_cast<double>(counts_.at(a, b) + counts_.n_samples - counts_.single(a) -
                               counts_.single(b));
  }

  std::size_t m_;
  bool complete_;
  moments::PairCounts counts_;
};

double probability_on(const data::SampleMatrix& samples, std::size_t a) {
  std::uint64_t n_on = 0;
  std::uint64_t n_seen = samples.n_samples();
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    n_on += static_cast<std::uint64_t>(std::popcount(samples.values.word(a, w)));
    if (samples.missing) {
      n_seen -= static_cast<std::uint64_t>(std::popcount(samples.missing->word(a, w)));
    }
  }
  return (static_cast<double>(n_on) + 2 * cell_pseudo_count) /
         (static_cast<double>(n_seen) + 4 * cell_pseudo_count);
}

double mutual_information(const Cells& cells) {
  double sum = 0;
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t y = 0; y < 2; ++y) {
      const double independent = (cells[x][0] + cells[x][1]) * (cells[0][y] + cells[1][y]);
      sum += cells[x][y] * std::log(cells[x][y] / independent);
    }
  }
  return sum;
}

void require_rows(const data::SampleMatrix& samples) {
  if (samples.n_samples() > 0) return;
  throw InputError("the data hold 0 rows; a baseline needs at least one");
}

/// As many variables as there are, none with a parent yet.
TreeTables without_edges(std::size_t m) {
  return {std::vector<std::uint32_t>(m, SignTree::none), {}, std::vector<ConditionalTable>(m)};
}

/// The maximum spanning tree from variable 0, by Prim's method.
void grow_tree(const PairTable& table, TreeTables& tree) {
  const std::size_t m = tree.n_variables();
  std::vector<double> best(m, -std::numeric_limits<double>::infinity());
  std::vector<bool> in_tree(m, false);
  std::size_t next = 0;
  while (tree.after_parents.size() < m) {
    in_tree[next] = true;
    tree.after_parents.push_back(static_cast<std::uint32_t>(next));
    std::size_t nearest = m;
    for (std::size_t a = 0; a < m; ++a) {
      if (in_tree[a]) continue;
      const double information = mutual_information(table.cells(next, a));
      if (information > best[a]) {
        best[a] = information;
        tree.parents[a] = static_cast<std::uint32_t>(next);
      }
      if (nearest == m || best[a] > best[nearest]) nearest = a;
    }
    next = nearest;
  }
}

/// A variable on its own: the same whatever its parent.
ConditionalTable alone(double on) { return {{{1 - on, on}, {1 - on, on}}}; }

}  // namespace

TreeTables fit_chow_liu(const data::SampleMatrix& samples) {
  require_rows(samples);
  const PairTable table(samples);
  const std::size_t m = samples.n_observed();
  TreeTables tree = without_edges(m);
  grow_tree(table, tree);
  for (std::size_t a = 0; a < m; ++a) {
    if (tree.parents[a] == SignTree::none) {
      tree.given[a] = alone(probability_on(samples, a));
      continue;
    }
    const Cells cells = table.cells(tree.parents[a], a);
    for (std::size_t x = 0; x < 2; ++x) {
      for (std::size_t y = 0; y < 2; ++y) {
        tree.given[a][x][y] = cells[x][y] / (cells[x][0] + cells[x][1]);
      }
    }
  }
  return tree;
}

TreeTables fit_independent(const data::SampleMatrix& samples) {
  require_rows(samples);
  const std::size_t m = samples.n_observed();
  TreeTables tree = without_edges(m);
  tree.after_parents.resize(m);
  std::iota(tree.after_parents.begin(), tree.after_parents.end(), 0U);
  for (std::size_t a = 0; a < m; ++a) tree.given[a] = alone(probability_on(samples, a));
  return tree;
}

double mean_log_likelihood(const TreeTables& tree, const data::SampleMatrix& samples) {
  return model::mean_log_likelihood(model::TreeChannel(tree, 0), samples);
}

}  // namespace orrery::learning
