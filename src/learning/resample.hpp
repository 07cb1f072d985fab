// As many rows as a run has, drawn from them with replacement, and their moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "learning/learner.hpp"
#include "learning/row_slices.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::learning {

/// The rows of a context in memory. Throws UsageError if they are not, or if there is no room for a
/// second copy of them.
void require_room_to_resample(const LearnContext& context);

class Resample {
 public:
  /// Makes room for the rows: one copy per host. `original` outlives the object. Collective, as all
  /// that follows.
  explicit Resample(const LearnContext& original);

  /// Draws the rows and counts their pairs; what was drawn before is gone.
  void draw(std::uint64_t number);
  /// What to learn from. Stages are not recorded.
  [[nodiscard]] LearnContext context();

 private:
  void draw_rows(std::uint64_t number);
  /// Of the values, or of the mask of what is missing.
  [[nodiscard]] std::unique_ptr<moments::MomentSource> moments_of(bool of_mask);

  const LearnContext& original_;
  data::SampleMatrix rows_;
  std::uint64_t* shared_values_ = nullptr;  // null: in memory of the rank's own
  std::uint64_t* shared_missing_ = nullptr;
  std::size_t memory_left_ = 0;
  std::unique_ptr<RowSlices> slices_;
  std::unique_ptr<RowPass> pass_;
  std::unique_ptr<moments::MomentSource> moments_;
  std::vector<Stage> stages_;
};

}  // namespace orrery::learning
