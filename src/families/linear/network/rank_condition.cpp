// Purpose: are there three blocks of variables, each of which tells all causes apart? (Condition 2)
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Sec. 2.2.
// 1. By the graph: three blocks in each of which every cause has a variable of its own. It is
//    enough that each cause has three of its own (a flow); where it has not, a set S of causes with
//    |N(S)| < 3 |S| says so (Hall), whatever the loadings are.
// 2. By the numbers: loadings on such a graph may still be linearly dependent within a block.
//    From what is independent in the three blocks, rows are added (RowPartition) until each
//    block has k independent rows, or none can be added: then no three blocks have them. The other
//    rows are dealt out; they can only help.
// Cost: an added row takes O(k^2 n), a singular value O(n k^2). Few are to be added: none, if the
//   loadings are generic.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "families/linear/network/expansion.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Rows = std::vector<std::uint32_t>;

// ---- rows of a matrix dealt out to three blocks, in each of which they are linearly independent

constexpr std::size_t n_row_blocks = 3;
using RowBlocks = std::array<Rows, n_row_blocks>;

/// What counts as 0 beside 1.
constexpr double rank_tolerance = 1e-9;

/// Three disjoint sets of independent rows, enlarged one by one along shortest chains of exchanges
/// (matroid partition: Edmonds 1965, J. Res. NBS 69B; Knuth 1973, Matroid partitioning). None more
/// can be had once no chain is left. Cost: O(k^2 n) for a row more.
class RowPartition {
 public:
  /// Begins with what is independent in each block of `start`. Rows are scaled to length 1: that
  /// changes no dependence. The matrix has a column at least.
  RowPartition(const Eigen::MatrixXd& matrix, const RowBlocks& start);

  /// True once all blocks have as many rows as there are columns.
  bool complete();
  [[nodiscard]] const RowBlocks& blocks() const noexcept { return blocks_; }

 private:
  /// How every row is made of those of a block.
  struct Span {
    Eigen::MatrixXd coefficients;  // of row e, by the block's rows: column e
    std::vector<bool> reaches;     // false: row e is independent of the block
  };

  [[nodiscard]] Span span_of(const std::vector<std::uint32_t>& block) const;
  bool add_one();
  void exchange(const std::vector<std::uint32_t>& before, std::uint32_t last, std::size_t block);

  Eigen::MatrixXd matrix_;
  RowBlocks blocks_;
  std::vector<std::size_t> block_of_;  // of each row; n_row_blocks: in none
};

MatrixXd rows_of(const MatrixXd& matrix, const Rows& rows) {
  MatrixXd chosen(static_cast<Index>(rows.size()), matrix.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chosen.row(static_cast<Index>(i)) = matrix.row(rows[i]);
  }
  return chosen;
}

RowPartition::RowPartition(const MatrixXd& matrix, const RowBlocks& start)
    : matrix_(matrix), block_of_(static_cast<std::size_t>(matrix.rows()), n_row_blocks) {
  for (Index i = 0; i < matrix_.rows(); ++i) matrix_.row(i).normalize();
  for (std::size_t b = 0; b < n_row_blocks; ++b) {
    const linalg::PivotedColumns found =
        linalg::pivoted_columns_of(rows_of(matrix_, start[b]).transpose(), rank_tolerance);
    for (Index i = 0; i < found.rank; ++i) {
      const auto chosen = static_cast<std::size_t>(found.order[static_cast<std::size_t>(i)]);
      blocks_[b].push_back(start[b][chosen]);
      block_of_[start[b][chosen]] = b;
    }
  }
}

RowPartition::Span RowPartition::span_of(const Rows& block) const {
  Span span{MatrixXd(0, matrix_.rows()), std::vector<bool>(block_of_.size(), false)};
  MatrixXd left = matrix_.transpose();
  if (!block.empty()) {
    const MatrixXd basis = rows_of(matrix_, block).transpose();
    span.coefficients = linalg::least_squares_of_independent(basis, left);
    left -= basis * span.coefficients;
  }
  // A full block reaches all, though the numbers of a nearly singular one may not say so.
  const bool is_full = static_cast<Index>(block.size()) == matrix_.cols();
  for (std::size_t e = 0; e < block_of_.size(); ++e) {
    span.reaches[e] = is_full || left.col(static_cast<Index>(e)).norm() <= rank_tolerance;
  }
  return span;
}

// Breadth first from the rows in no block: row e may take the place of row f of a block if it is
// made of f and others there. A row that is independent of a whole block ends the chain.
bool RowPartition::add_one() {
  std::array<Span, n_row_blocks> spans;
  for (std::size_t b = 0; b < n_row_blocks; ++b) spans[b] = span_of(blocks_[b]);
  std::vector<std::uint32_t> before(block_of_.size(), 0);  // what takes a row's place
  std::vector<bool> is_found(block_of_.size(), false);
  Rows queue;
  for (std::uint32_t e = 0; e < block_of_.size(); ++e) {
    if (block_of_[e] == n_row_blocks) queue.push_back(e);
    is_found[e] = block_of_[e] == n_row_blocks;
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::uint32_t e = queue[head];
    for (std::size_t b = 0; b < n_row_blocks; ++b) {
      if (b == block_of_[e]) continue;
      if (!spans[b].reaches[e]) {
        exchange(before, e, b);
        return true;
      }
      for (std::size_t i = 0; i < blocks_[b].size(); ++i) {
        const std::uint32_t f = blocks_[b][i];
        const bool is_part =
            std::abs(spans[b].coefficients(static_cast<Index>(i), e)) > rank_tolerance;
        if (!is_part || is_found[f]) continue;
        is_found[f] = true;
        before[f] = e;
        queue.push_back(f);
      }
    }
  }
  return false;
}

// `last` goes to `block`, the row before it takes its place, and so on.
void RowPartition::exchange(const std::vector<std::uint32_t>& before, std::uint32_t last,
                            std::size_t block) {
  std::uint32_t row = last;
  while (true) {
    const std::size_t left = block_of_[row];
    block_of_[row] = block;
    if (left == n_row_blocks) break;
    block = left;
    row = before[row];
  }
  for (Rows& rows : blocks_) rows.clear();
  for (std::uint32_t e = 0; e < block_of_.size(); ++e) {
    if (block_of_[e] < n_row_blocks) blocks_[block_of_[e]].push_back(e);
  }
}

bool RowPartition::complete() {
  const auto k = static_cast<std::size_t>(matrix_.cols());
  const auto is_full = [&](const Rows& block) { return block.size() == k; };
  while (!std::all_of(blocks_.begin(), blocks_.end(), is_full)) {
    if (!add_one()) return false;
  }
  return true;
}

// ---- the condition

/// Each cause's three variables, one per block.
RowBlocks first_blocks(const VariableOwners& owners) {
  RowBlocks blocks;
  for (const Rows& variables : owners.owned()) {
    for (std::size_t b = 0; b < n_row_blocks; ++b) blocks[b].push_back(variables[b]);
  }
  return blocks;
}

/// The rows that are in no block, each to the smallest.
void deal_out_the_rest(RowBlocks& blocks, std::size_t n) {
  std::vector<bool> is_dealt(n, false);
  for (const Rows& block : blocks) {
    for (const std::uint32_t row : block) is_dealt[row] = true;
  }
  for (std::uint32_t row = 0; row < n; ++row) {
    if (is_dealt[row]) continue;
    std::min_element(blocks.begin(), blocks.end(), [](const Rows& a, const Rows& b) {
      return a.size() < b.size();
    })->push_back(row);
  }
  for (Rows& block : blocks) std::sort(block.begin(), block.end());
}

/// The least singular value over the blocks, and whether none is singular as numbers go.
bool measure(const Eigen::MatrixXd& loadings, RankCondition& found) {
  bool regular = true;
  found.least_singular_value = std::numeric_limits<double>::infinity();
  for (const Rows& block : found.blocks) {
    const Eigen::VectorXd values = linalg::singular_values_of(rows_of(loadings, block));
    found.least_singular_value = std::min(found.least_singular_value, values.minCoeff());
    regular = regular && values.minCoeff() > rank_tolerance * values.maxCoeff();
  }
  return regular;
}

}  // namespace

RankCondition check_rank(const Eigen::MatrixXd& loadings) {
  RankCondition found;
  const Bipartite graph = bipartite_of(loadings);
  VariableOwners owners(graph);
  std::vector<std::uint32_t> lacking;
  for (std::uint32_t j = 0; j < graph.children.size(); ++j) {
    owners.give(j, n_row_blocks);
    if (owners.n_owned(j) < n_row_blocks) lacking.push_back(j);
  }
  if (!lacking.empty()) {
    found.holds = false;
    found.set = owners.reach(lacking);
    found.neighbours = neighbours_of(graph, found.set);
    return found;
  }
  if (loadings.cols() == 0) {
    deal_out_the_rest(found.blocks, graph.n_observed);
    return found;
  }
  RowPartition partition(loadings, first_blocks(owners));
  if (partition.complete()) {
    found.blocks = partition.blocks();
    deal_out_the_rest(found.blocks, graph.n_observed);
    found.holds = measure(loadings, found);
  } else {
    found.holds = false;
  }
  if (!found.holds) found.blocks = {};
  return found;
}

}  // namespace orrery::model
