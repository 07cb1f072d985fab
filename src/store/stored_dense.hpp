// /dense as it is read: header, names and columns first, then any block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/data/dense_block.hpp"
#include "store/dataset.hpp"
#include "store/dense.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// XXH3 over N, n and the digests of values and names.
std::uint64_t dense_digest(std::uint64_t n_samples, std::uint64_t n_columns, std::uint64_t values,
                           std::uint64_t names);

class StoredDense {
 public:
  /// Checks types, shapes, names, columns and digests, without reading the values. Throws
  /// FormatError.
  explicit StoredDense(const StoredFile& file);

  [[nodiscard]] const DenseHeader& header() const noexcept { return header_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::vector<DenseColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::size_t n_blocks() const noexcept { return block_digests_.size(); }
  /// Throws FormatError naming the block and both digests if they differ, and for a value that
  /// cannot be.
  [[nodiscard]] data::DenseBlock read(std::size_t block) const;
  /// Reads all; throws FormatError also if the columns are not what the values give.
  void verify() const;

 private:
  void read_columns(const hdf5::Handle& group);
  void require_possible(const data::DenseBlock& block, std::uint64_t first_row) const;

  DenseHeader header_;
  std::vector<std::string> names_;
  std::vector<DenseColumn> columns_;
  Dataset values_;
  std::vector<std::uint64_t> block_digests_;
};

}  // namespace orrery::store
