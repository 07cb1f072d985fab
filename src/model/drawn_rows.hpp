// Purpose: samples as bits: independent bits of given probabilities, drawn with few random numbers;
//          the observed variables of a noisy-OR network from them; blocks of such rows; samples of
//          anchored networks; and rows in which variables are flipped afterwards.
// Method: every bit has a likely value; a bit departs from it with q_j = min(p_j, 1 - p_j). With
//         S_j = prod_{i <= j} (1 - q_i), P(no departure up to j) = S_j: one uniform u finds the
//         first departure, the least j with u >= S_j (inversion); the next one after j is found
//         with u S_j in place of u. A segment ends where S falls below 2^-10, so that S never
//         nears the resolution of u (2^-53).
// Cost: one uniform a departure and one a segment; a binary search a departure.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "data/bits.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

class BernoulliBits {
 public:
  /// 64 bits of the target that hold at least one of ours.
  struct WordBits {
    std::size_t word;  ///< of the target
    std::uint64_t bits;
  };

  /// (position in the target, probability of a one), by rising position.
  explicit BernoulliBits(std::span<const std::pair<std::uint32_t, double>> bits);

  [[nodiscard]] std::size_t n_words() const noexcept { return likely_.size(); }

  /// ORs one draw into `target`. `scratch` has room for n_words() words.
  void draw_into(RowRandom& random, std::span<std::uint64_t> target,
                 std::span<std::uint64_t> scratch) const noexcept;

 private:
  struct Place {
    std::size_t slot;  // in likely_
    std::uint64_t bit;
  };
  std::vector<WordBits> likely_;          // the words without any departure
  std::vector<Place> places_;             // of bit j
  std::vector<double> stay_;              // S_j, from the start of j's segment on
  std::vector<std::size_t> segment_end_;  // one past the last j of each segment
};

/// The observed variables of a noisy-OR network, drawn given which causes are present.
class LoadingBits {
 public:
  explicit LoadingBits(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_cause_words() const noexcept { return (children_.size() + 63) / 64; }
  [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }

  /// ORs one draw into `row` (n_words() words): the children of each present cause, causes in
  /// order; then the leaks. `scratch` has room for n_words().
  void draw_into(RowRandom& random, std::span<const std::uint64_t> present,
                 std::span<std::uint64_t> row, std::span<std::uint64_t> scratch) const noexcept;

 private:
  std::size_t n_words_;
  BernoulliBits leaks_;
  std::vector<BernoulliBits> children_;  // of each cause
};

// Blocks of rows that are drawn a row at a time, whatever the model: 64 rows are drawn into words
// of a row each, and transposed to words of columns.

/// Calls draw(row, bits, scratch) for each row of [first_row, first_row + block.n_rows()): `bits`
/// is zero and takes the row, `scratch` is a copy of the one given, a thread's own. `draw` must not
/// throw: it runs in a parallel region.
template <class Scratch, class Draw>
void draw_rows(std::uint64_t first_row, const Scratch& scratch, data::BitColumns& block,
               const Draw& draw) {
  struct Own {
    Scratch scratch;
    std::vector<std::uint64_t> rows;  // 64 of them, a row after a row
  };
  const std::size_t n_words = (block.n_columns() + 63) / 64;
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<Own> own(static_cast<std::size_t>(omp_get_max_threads()),
                       Own{scratch, std::vector<std::uint64_t>(64 * n_words)});
  // A thread owns whole groups of 64 rows: no two threads write one word.
  const std::size_t n_groups = block.words_per_column();
#pragma omp parallel for schedule(static) if (n_groups > 1)
  for (std::size_t group = 0; group < n_groups; ++group) {
    Own& mine = own[static_cast<std::size_t>(omp_get_thread_num())];
    std::fill(mine.rows.begin(), mine.rows.end(), 0);
    const std::size_t n_rows = std::min<std::size_t>(64, block.n_rows() - 64 * group);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::span<std::uint64_t> bits(mine.rows.data() + r * n_words, n_words);
      draw(first_row + 64 * group + r, bits, mine.scratch);
    }
    for (std::size_t w = 0; w < n_words; ++w) {
      data::BitSquare square;
      for (std::size_t r = 0; r < 64; ++r) square[r] = mine.rows[r * n_words + w];
      data::transpose(square);
      const std::size_t n_columns = std::min<std::size_t>(64, block.n_columns() - 64 * w);
      for (std::size_t c = 0; c < n_columns; ++c) block.column(64 * w + c)[group] = square[c];
    }
  }
}

// Samples of anchored networks: causes from their network, findings from the noisy-OR below. Row r
// of seed s is the same whoever draws it, and however.

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

// Rows that a model does not explain (IMG-FLIP of Buhai et al. 2020).

/// In a row, with probability `share`, the variables 0, step, 2 step, ... are the opposite of what
/// was drawn.
struct Contamination {
  double share = 0;
  std::size_t step = 1;
};

/// From "SHARE:STEP". UsageError naming option `form`, what is allowed, and `text`.
Contamination parse_contamination(std::string_view form, std::string_view text,
                                  std::size_t n_observed);

/// Flips them in the rows of `block`, of which the first is `first_row`. Whether a row is chosen
/// depends on the seed and its number alone.
void contaminate(data::BitColumns& block, const Contamination& contamination, std::uint64_t seed,
                 std::uint64_t first_row);

}  // namespace orrery::model
