// /moments as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "moments/pair_counts.hpp"
#include "store/dataset.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

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

}  // namespace orrery::store
