#include "families/linear/network/row_partition.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/decompositions.hpp"

namespace orrery::model {

using Rows = std::vector<std::uint32_t>;
using Eigen::Index;
using Eigen::MatrixXd;

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

}  // namespace orrery::model
