// /samples as it is read: header and names first, then block after block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"
#include "orrery/store/store.hpp"
#include "store/dataset.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// XXH3 over N, m and the digests of bits, missing (0 if absent) and names.
std::uint64_t samples_digest(std::uint64_t n_samples, std::uint64_t n_observed, std::uint64_t bits,
                             std::uint64_t missing, std::uint64_t names);

class StoredSamples {
 public:
  /// Checks types, shapes, names and the digest of the whole, without reading the bits.
  explicit StoredSamples(const StoredFile& file);

  [[nodiscard]] const SampleHeader& header() const noexcept { return header_; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

  using Visit = std::function<void(std::size_t first_row, const data::BitColumns& values,
                                   const data::BitColumns* missing)>;
  /// Reads all blocks in order, holding one; compares the digests at the end. Throws FormatError.
  void for_each_block(const Visit& visit) const;

 private:
  SampleHeader header_;
  std::vector<std::string> names_;
  std::optional<Dataset> bits_;
  std::optional<Dataset> missing_;
};

}  // namespace orrery::store
