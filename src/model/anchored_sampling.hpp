// Samples of anchored networks: causes from their network, findings from the noisy-OR below. Row r
// of seed s is the same whoever draws it, and however.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {

class LoadingBits;

/// Forward sampling: each cause given its parents, by one number of `random`, in causes.order().
void draw_causes(const CauseNetwork& causes, RowRandom& random,
                 std::span<std::uint8_t> values) noexcept;

/// Rows [first_row, first_row + n_rows) of the observed variables, drawn by the OpenMP threads of
/// the caller. O(n_rows * (n + parents of causes + m/64 + bits that depart from their likely
/// value)).
data::BitColumns sample_anchored_rows(const NoisyOrNetwork& network, std::uint64_t seed,
                                      std::uint64_t first_row, std::size_t n_rows);
/// The causes of the same rows, a column per cause.
data::BitColumns sample_cause_rows(const CauseNetwork& causes, std::uint64_t seed,
                                   std::uint64_t first_row, std::size_t n_rows);

/// A row at a time, causes and findings together.
class AnchoredSampler {
 public:
  /// `network` must outlive it.
  AnchoredSampler(const NoisyOrNetwork& network, std::uint64_t seed);
  /// Values of the causes of a row: n, and of the observed variables: m. 0 or 1 each.
  void draw(std::uint64_t row, std::span<std::uint8_t> causes,
            std::span<std::uint8_t> observed) const;

 private:
  const NoisyOrNetwork& network_;
  std::uint64_t seed_;
  std::shared_ptr<const LoadingBits> loadings_;
};

}  // namespace orrery::model
