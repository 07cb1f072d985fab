// One rank's part of the rows, in slices: of memory, or read from the file and kept, or read again
// each time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/parallel/team.hpp"
#include "orrery/store/sample_reader.hpp"

namespace orrery::learners {

/// The rows of a block without a missing value.
[[nodiscard]] data::BitColumns complete_block(store::SampleReader::Block block);

class RowSlices {
 public:
  struct Slice {
    std::uint64_t first_row = 0;  ///< of the file
    data::BitPanels values;
    std::optional<data::BitPanels> missing;
  };

  /// Blocks of the file are dealt to ranks in turn. With `hold` they are read at the first pass and
  /// kept. Throws InputError on the rank that cannot read its part, or whose file is not rank 0's.
  /// Collective.
  RowSlices(const parallel::Team& team, const std::filesystem::path& path, bool hold);
  /// Slices of samples in memory, which must outlive the object.
  RowSlices(const parallel::Team& team, const data::BitPanels& whole);

  /// Shape and names of all; null for samples in memory.
  [[nodiscard]] const store::SampleReader* reader() const { return reader_.get(); }
  /// Calls `visit` with each slice of complete rows in turn, until it returns false; returns false
  /// then.
  bool for_each(const std::function<bool(const Slice&)>& visit) const;

 private:
  [[nodiscard]] Slice read(std::size_t block) const;

  std::size_t first_block_;
  std::size_t step_;
  std::unique_ptr<store::SampleReader> reader_;
  bool hold_ = false;
  mutable std::vector<Slice> held_;  // all of them once all_held_
  mutable bool all_held_ = false;
};

}  // namespace orrery::learners
