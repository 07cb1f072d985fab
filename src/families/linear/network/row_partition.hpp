// Rows of a matrix dealt out to three blocks, in each of which they are linearly independent.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::model {

inline constexpr std::size_t n_row_blocks = 3;
using RowBlocks = std::array<std::vector<std::uint32_t>, n_row_blocks>;

/// What counts as 0 beside 1.
inline constexpr double rank_tolerance = 1e-9;

Eigen::MatrixXd rows_of(const Eigen::MatrixXd& matrix, const std::vector<std::uint32_t>& rows);

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

}  // namespace orrery::model
