// One rank's part of the rows of a run, in slices: of memory, or read from the file and kept, or
// read again each time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learning/learner.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "parallel/team.hpp"
#include "store/store.hpp"

namespace orrery::learning {

/// Sets the missing values of a block on: what is counted, and where values are dealt with they are
/// taken out again (moments/counted_moments.hpp).
void set_missing_on(store::SampleReader::Block& block);
/// Rows in which a value is missing.
[[nodiscard]] std::uint64_t count_incomplete_rows(const data::BitPanels& missing);

/// Sums over rows are made of blocks of so many, so that they depend on the data alone; a slice
/// begins with a block. Divides data::block_rows.
inline constexpr std::size_t rows_of_sum = 256;

class RowSlices {
 public:
  struct Slice {
    std::uint64_t first_row = 0;             ///< of the file
    data::BitPanels values;                  ///< a missing one is on
    std::optional<data::BitPanels> missing;  ///< if the data have a mask
  };

  /// Each rank has as many rows of the file, side by side, in the blocks that they are written in.
  /// With `hold` they are read at the first pass and kept. Throws InputError on the rank that
  /// cannot read its part, or whose file is not rank 0's. Collective.
  RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold);
  /// Slices of samples in memory, which must outlive the object; `missing` may be null.
  RowSlices(const parallel::Team& team, const data::BitPanels& values,
            const data::BitPanels* missing);

  /// Shape and names of all rows of a file; null for others.
  [[nodiscard]] const store::SampleReader* reader() const { return reader_.get(); }
  /// The same at every rank, also at one that has no slice.
  [[nodiscard]] bool may_miss() const { return may_miss_; }
  /// All slices of this rank are in memory: from the first pass on, unless they are read again.
  [[nodiscard]] bool are_held() const { return all_held_; }
  /// Calls `visit` with each slice in turn, until it returns false; returns false then.
  bool for_each(const std::function<bool(const Slice&)>& visit) const;

 private:
  /// What this rank has of a block of the file.
  [[nodiscard]] Slice read(std::size_t block) const;
  /// As for_each, of slices that are read.
  bool read_each(const std::function<bool(Slice&& slice)>& visit) const;

  std::size_t first_row_ = 0;
  std::size_t last_row_ = 0;  // one beyond
  std::unique_ptr<store::SampleReader> reader_;
  bool may_miss_;
  bool hold_ = false;
  mutable std::vector<Slice> held_;  // all of them once all_held_
  mutable bool all_held_ = false;
};

}  // namespace orrery::learning
