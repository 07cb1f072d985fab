// The last-tag task (Halpern, Horng, Sontag 2015, Sec. 5.5): of a row's true causes all but one are
// told; which is the last?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/row_lists.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

struct LastTag {
  std::uint64_t row = 0;
  std::uint32_t last = 0;
  std::vector<std::uint32_t> given;  ///< the other causes that are on; rising
  bool operator==(const LastTag&) const = default;
};

/// A question of every row in which all causes are labelled and two at least are on; which of those
/// is the last is a draw keyed by (seed, row).
std::vector<LastTag> last_tags(const data::SampleMatrix& labels, std::uint64_t seed);

/// Fills a score per cause, larger for what is more likely the last; those of the given are not
/// looked at. Called from `threads` threads at once; must not throw.
using LastTagScores = std::function<void(const LastTag& tag, int thread, std::span<double> scores)>;

struct LastTagAccuracy {
  std::uint64_t n = 0;
  std::uint64_t n_right = 0;

  [[nodiscard]] double share() const noexcept {
    return n == 0 ? 0 : static_cast<double>(n_right) / static_cast<double>(n);
  }
  [[nodiscard]] double standard_error() const noexcept;
};

/// The answer is the cause with the largest score of those not given, the lower of two equal ones.
/// NaN is no score.
LastTagAccuracy judge_last_tags(std::span<const LastTag> tags, std::size_t n_causes, int threads,
                                const LastTagScores& scores);

/// log P(the given and this one are on, the others off; the row's observations) + a constant of the
/// row: what is most likely when just one more is known to be on. Needs no sum over causes; takes
/// O(k^2 + edges) a row. `rows`: of the network's observed variables. Both must outlive the result.
LastTagScores completion_scores(const model::NoisyOrNetwork& network, const data::RowLists& rows);

}  // namespace orrery::noisy_or
