// Samples of a file a block of rows at a time, in any order and by any rank: each block has a
// digest of its own, so that whoever reads a part can tell that it is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"

namespace orrery::store {

/// The digest of the samples and their shape.
struct SampleHeader {
  std::uint64_t n_samples = 0;
  std::uint64_t n_observed = 0;
  std::uint64_t digest = 0;
  bool has_missing = false;
};

class SampleReader {
 public:
  /// Reads the header, the names and the digests, not the bits. Throws InputError.
  explicit SampleReader(const std::filesystem::path& path);
  SampleReader(const SampleReader&) = delete;
  SampleReader& operator=(const SampleReader&) = delete;
  ~SampleReader();

  [[nodiscard]] const SampleHeader& header() const;
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// Blocks of data::block_rows(n_observed) rows.
  [[nodiscard]] std::size_t n_blocks() const;
  /// Rows of a block (the last may be shorter).
  [[nodiscard]] std::size_t rows_of(std::size_t block) const;

  struct Block {
    data::BitColumns values;
    std::optional<data::BitColumns> missing;  ///< if the file has a mask
  };
  /// Reads and verifies one block; nothing else is held. Thread-safe. Throws InputError naming the
  /// file, the block and both digests if it is damaged.
  [[nodiscard]] Block read(std::size_t block) const;
  /// Of the blocks read so far.
  [[nodiscard]] std::uint64_t bytes_read() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::store
