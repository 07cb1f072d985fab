// Rows of a data file against a network: columns matched by name, rows shared by ranks and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/kept_batches.hpp"
#include "cli/row_family.hpp"
#include "orrery/parallel/team.hpp"
#include "orrery/store/posterior.hpp"
#include "orrery/store/sample_reader.hpp"

namespace orrery::cli {

/// Rows as words of the network's variables.
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

/// A row that the model calls impossible.
struct ImpossibleRow {
  std::uint64_t row;
  RowContradiction why;
};

/// Adds the row seen last. Listed: posteriors of at least `min_posterior`, by cause.
void append_row(const RowAnswer& answer, double min_posterior, std::uint32_t top,
                store::PosteriorRows& rows);

/// Rows as bytes for a checkpoint, and back; throws InputError unless the bytes are of `n_rows`
/// rows.
std::vector<std::byte> pack_answers(const store::PosteriorRows& rows);
store::PosteriorRows unpack_answers(const std::vector<std::byte>& bytes, std::size_t n_rows);

/// Calls take(rows, impossible) at root for some thousand rows at a time, in order. The same rows
/// for any number of ranks and threads. Memory: a block of the file and the rows at hand. Throws
/// learners::Stopped, see KeptBatches. Collective.
using TakeRows = std::function<void(const store::PosteriorRows& rows,
                                    const std::vector<ImpossibleRow>& impossible)>;
void infer_rows(const parallel::Team& team, int threads, const RowFamily& family, std::uint32_t top,
                double min_posterior, const store::SampleReader& reader, const MatchedRows& matched,
                KeptBatches& batches, const TakeRows& take);

}  // namespace orrery::cli
