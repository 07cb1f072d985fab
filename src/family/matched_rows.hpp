// Rows of a data file as words of a model's variables, whose columns were matched by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "store/sample_reader.hpp"

namespace orrery::family {

/// Rows as words of the model's variables.
class MatchedRows {
 public:
  explicit MatchedRows(const std::vector<std::size_t>& columns) {
    for (const std::size_t column : columns) members_.push_back({column});
  }
  /// A variable is the union of several columns: on if one of them is; else missing if one is.
  explicit MatchedRows(std::vector<std::vector<std::size_t>> members)
      : members_(std::move(members)) {}

  /// The 64 rows from `first` on (a multiple of 64; fewer at the end).
  void load(const store::SampleReader::Block& block, std::size_t first);
  /// Of them; values are 0 where missing; missing is empty if the file has no mask.
  [[nodiscard]] std::span<const std::uint64_t> values(std::size_t row) const {
    return std::span(values_).subspan(row * n_words(), n_words());
  }
  [[nodiscard]] std::span<const std::uint64_t> missing(std::size_t row) const {
    return missing_.empty() ? std::span<const std::uint64_t>()
                            : std::span(missing_).subspan(row * n_words(), n_words());
  }

 private:
  [[nodiscard]] std::size_t n_words() const noexcept { return (members_.size() + 63) / 64; }
  void transpose(const data::BitColumns& block, std::size_t first,
                 std::vector<std::uint64_t>& rows) const;

  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::uint64_t> values_, missing_;
};

}  // namespace orrery::family
