// Rows that are made from those of a run, and their moments: drawn anew (Resample), or with some
// columns only (ChosenColumns).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "learning/learner.hpp"
#include "learning/row_slices.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::learning {

/// In memory.
class DerivedRows {
 public:
  /// Makes room for as many rows as `original` has, whose rows are in memory: one copy per host.
  /// `names`: of the columns. Collective, as all that follows. `original` outlives the object.
  DerivedRows(const LearnContext& original, std::vector<std::string> names);

  /// What that takes, of so many columns.
  [[nodiscard]] static std::size_t bytes(const LearnContext& original, std::size_t n_columns);

  /// `make` fills the second from the first, values and then, if there is one, the mask.
  using Make = std::function<void(const data::BitPanels& from, data::BitPanels& to)>;
  /// Counts the pairs too, a stage of this name; what was there before is gone.
  void fill(const Make& make, const std::string& stage);
  /// These columns of the original rows, whose pairs are counted already.
  void choose(const std::vector<std::uint32_t>& columns);
  /// What to learn from. `stages`: where they are recorded.
  [[nodiscard]] LearnContext context(std::vector<Stage>& stages);

 private:
  void make_rows(const Make& make);
  /// Of the values, or of the mask of what is missing.
  using PairsOf = std::function<moments::PairCounts(bool of_mask)>;
  void make_moments(const PairsOf& pairs);
  [[nodiscard]] std::unique_ptr<moments::MomentSource> moments_of(bool of_mask,
                                                                  const moments::PairCounts& pairs);

  const LearnContext& original_;
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
  /// `columns`: ascending. Their pairs are those of `original`, counted in its rows. Collective, as
  /// all that follows. `original` outlives the object.
  ChosenColumns(const LearnContext& original, const std::vector<std::uint32_t>& columns);

  /// What to learn from. `stages`: where they are recorded.
  [[nodiscard]] LearnContext context(std::vector<Stage>& stages);

 private:
  void slice(const std::vector<std::uint32_t>& columns);

  const LearnContext& original_;
  std::vector<std::string> names_;
  std::unique_ptr<DerivedRows> whole_;  // or, in slices:
  std::unique_ptr<RowSlices> all_columns_;
  std::unique_ptr<RowSlices> slices_;
  std::unique_ptr<RowPass> pass_;
  std::unique_ptr<moments::MomentSource> moments_;
  std::size_t memory_left_ = 0;
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
