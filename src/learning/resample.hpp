// As many rows as there are, drawn from them with replacement, and their moments.
#pragma once

#include <cstdint>
#include <vector>

#include "learning/derived_rows.hpp"

namespace orrery::learning {

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
