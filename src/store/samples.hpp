// /samples as it is read: header, names and digests first, then any block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"
#include "store/dataset.hpp"
#include "store/sample_reader.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

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

}  // namespace orrery::store
