// Rows of a run. One rank's part of them, in slices: of memory, or read from the file and kept, or
// read again each time. And rows that are made from them, in memory.
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
  /// Some columns of `rows`, which must outlive the object: made at the first pass and kept with
  /// `hold`, else made at every pass.
  RowSlices(const RowSlices& rows, std::vector<std::uint32_t> columns, bool hold);

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
  /// As for_each, of slices that are read or made.
  bool make_each(const std::function<bool(Slice&& slice)>& visit) const;

  std::size_t first_row_ = 0;
  std::size_t last_row_ = 0;  // one beyond
  std::unique_ptr<store::SampleReader> reader_;
  const RowSlices* source_ = nullptr;  // of columns_, if it is no file
  std::vector<std::uint32_t> columns_;
  bool may_miss_;
  bool hold_ = false;
  mutable std::vector<Slice> held_;  // all of them once all_held_
  mutable bool all_held_ = false;
};

// Rows that are made from those of a run, and their moments: drawn anew (Resample), or with some
// columns only (ChosenColumns).

/// In memory.
class DerivedRows {
 public:
  /// Makes room for as many rows as `original` has, whose rows are in memory: one copy per host.
  /// `names`: of the columns. `stage`: of the counts, in checkpoints too. Collective, as all that
  /// follows. `original` outlives the object.
  DerivedRows(const LearnContext& original, std::vector<std::string> names, std::string stage);

  /// What that takes, of so many columns.
  [[nodiscard]] static std::size_t bytes(const LearnContext& original, std::size_t n_columns);

  /// `make` fills the second from the first, values and then, if there is one, the mask.
  using Make = std::function<void(const data::BitPanels& from, data::BitPanels& to)>;
  /// Counts the pairs too; what was there before is gone.
  void fill(const Make& make);
  /// What to learn from. `stages`: where they are recorded.
  [[nodiscard]] LearnContext context(std::vector<Stage>& stages);

 private:
  void count();
  [[nodiscard]] std::unique_ptr<moments::MomentSource> moments_of(bool of_mask);

  const LearnContext& original_;
  std::string stage_;
  data::SampleMatrix rows_;
  std::uint64_t* shared_values_ = nullptr;  // null: in memory of the rank's own
  std::uint64_t* shared_missing_ = nullptr;
  std::size_t memory_left_ = 0;
  std::unique_ptr<RowSlices> slices_;
  std::unique_ptr<RowPass> pass_;
  std::unique_ptr<moments::MomentSource> moments_;
  std::vector<Stage> count_stages_;
};

/// The rows with some columns only: in memory, one copy per host, where the run's rows are and
/// there is room; else in the slices of each rank, held if there is room, or made again at every
/// pass.
class ChosenColumns {
 public:
  /// `columns`: ascending. `stage`: of the counts, in checkpoints too. Collective, as all that
  /// follows. `original` outlives the object.
  ChosenColumns(const LearnContext& original, const std::vector<std::uint32_t>& columns,
                const std::string& stage);

  /// What to learn from. `stages`: where they are recorded.
  [[nodiscard]] LearnContext context(std::vector<Stage>& stages);

 private:
  void hold_whole(const std::vector<std::uint32_t>& columns, const std::string& stage);
  void slice(const std::vector<std::uint32_t>& columns, const std::string& stage);

  const LearnContext& original_;
  std::vector<std::string> names_;
  std::unique_ptr<DerivedRows> whole_;  // or, in slices:
  std::unique_ptr<RowSlices> all_columns_;
  std::unique_ptr<RowSlices> slices_;
  std::unique_ptr<RowPass> pass_;
  std::unique_ptr<moments::MomentSource> moments_;
  std::size_t memory_left_ = 0;
  std::vector<Stage> count_stages_;
};

// As many rows as there are, drawn from them with replacement, and their moments.

/// The rows of a context in memory. Throws UsageError if they are not, or if there is no room for a
/// second copy of them.
void require_room_to_resample(const LearnContext& context);

class Resample {
 public:
  /// Makes room for the rows: one copy per host. `context` outlives the object. Collective.
  explicit Resample(const LearnContext& context);

  /// Draws the rows and counts their pairs; what was drawn before is gone. Collective.
  void draw(std::uint64_t number);
  /// What to learn from. Stages are not recorded.
  [[nodiscard]] LearnContext context();

 private:
  const LearnContext& original_;
  DerivedRows rows_;
  std::vector<Stage> stages_;
};

}  // namespace orrery::learning
