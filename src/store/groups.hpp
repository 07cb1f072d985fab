// Groups of a file as they are read. Of samples, numbers and counts: header, names and digests
// first, then any block. Of the others: whole, or verified in bounded memory. Messages name the
// group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/row_names.hpp"
#include "moments/pair_counts.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/dense_block.hpp"
#include "store/dataset.hpp"
#include "store/hdf5_wrapper.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"
#include "store/store.hpp"
#include "store/stored_file.hpp"
#include "store/tables.hpp"

namespace orrery::store {

// /samples

/// XXH3 over N, m and the digests of bits, missing (0 if absent) and names.
std::uint64_t samples_digest(std::uint64_t n_samples, std::uint64_t n_observed, std::uint64_t bits,
                             std::uint64_t missing, std::uint64_t names);

/// A bit matrix of a file and the digests of its blocks.
class StoredBits {
 public:
  /// Checks shape and digests, without reading the bits. `name` is "bits" or "missing", `digests`
  /// the dataset of its blocks' digests. Throws FormatError.
  StoredBits(const hdf5::Handle& group, const std::string& name, const std::string& digests,
             std::uint64_t n_samples, std::uint64_t n_observed);

  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] const std::string& name() const noexcept { return dataset_.name(); }
  /// Throws FormatError naming the block and both digests if they differ.
  [[nodiscard]] data::BitColumns read(std::size_t block, std::size_t n_rows) const;

 private:
  Dataset dataset_;
  std::vector<std::uint64_t> block_digests_;
};

class StoredSamples {
 public:
  /// Checks types, shapes, names and the digest of the whole, without reading the bits.
  explicit StoredSamples(const StoredFile& file);

  [[nodiscard]] const SampleHeader& header() const noexcept { return header_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] std::size_t n_blocks() const;
  [[nodiscard]] std::size_t rows_of(std::size_t block) const;
  /// Throws FormatError.
  [[nodiscard]] SampleReader::Block read(std::size_t block) const;

 private:
  SampleHeader header_;
  std::vector<std::string> names_;
  std::optional<StoredBits> bits_;
  std::optional<StoredBits> missing_;
};

// /dense

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

// row_names, of /samples, /dense and /categorical

/// None: nothing is written.
void write_row_names(const hdf5::Handle& group, const data::RowNames& names);
/// None if the group has none. Throws FormatError.
[[nodiscard]] data::RowNames read_row_names(const hdf5::Handle& group, std::uint64_t n_rows);
/// Throws FormatError also for names that differ in no way or are no text.
void verify_row_names(const hdf5::Handle& group, std::uint64_t n_rows);

// /moments

/// A slab: the triples (a, x, y) of one a. Those of the last two variables are empty.
constexpr std::size_t n_slabs(std::size_t n_observed) {
  return n_observed < 2 ? 0 : n_observed - 2;
}
std::uint64_t slab_size(std::size_t n_observed, std::size_t a);

class StoredMoments {
 public:
  /// Reads the pairs; leaves the triples in the file.
  explicit StoredMoments(const StoredFile& file);

  [[nodiscard]] const moments::PairCounts& pairs() const noexcept { return pairs_; }
  [[nodiscard]] int order() const noexcept { return order_; }
  [[nodiscard]] std::uint64_t data_digest() const noexcept { return data_digest_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// Order 3 only. Throws FormatError if the slab is damaged.
  [[nodiscard]] std::vector<std::uint32_t> read_slab(std::size_t a) const;
  /// Reads all slabs, holding one, and compares the digest of the whole. Throws FormatError.
  void verify_triples() const;

 private:
  moments::PairCounts pairs_;
  int order_ = 2;
  std::uint64_t data_digest_ = 0;
  std::vector<std::string> names_;
  std::optional<Dataset> triples_;
  std::vector<std::uint64_t> slab_digests_;
};

// /categorical

/// XXH3 over N, D and the digests of codes, names, numbers of categories, and categories.
std::uint64_t categorical_digest(std::uint64_t n_samples, std::uint64_t n_columns,
                                 const std::array<std::uint64_t, 4>& digests);

void write_categorical_group(const hdf5::Handle& root, const data::CategoricalTable& table,
                             const data::RowNames& row_names = {});
/// Throws FormatError, as the next.
StoredTable read_categorical_group(const StoredFile& file);

// /checkpoint

/// Throws FormatError.
Checkpoint read_checkpoint_group(const StoredFile& file);
/// Compares every digest, holding a small piece of one array. Throws FormatError.
void verify_checkpoint_group(const StoredFile& file);

// /posterior

/// Everything of the group read and checked, in bounded memory. Throws FormatError.
void verify_posterior_group(const StoredFile& file);

// /prediction

/// Everything of the group read and checked, in bounded memory. Throws FormatError.
void verify_prediction_group(const StoredFile& file);

}  // namespace orrery::store
