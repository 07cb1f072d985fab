// How well a network predicts rows that set none of its parameters, beside what predicts without
// causes: the best tree over the variables, independent variables, and a mixture of kinds of rows.
//
// Every tenth of up to 20,000 rows is set aside (of up to 1,000 rows each tenth in turn). The other
// rows set all parameters anew, from those of the network; which edges there are was chosen with
// all rows. The mixture's number of kinds is chosen by validation within the other rows, of up to
// 1,000 rows for the first tenth alone.
//
// Cost: some 20 passes of EM over the rows (grown_em.hpp), and the mixture's 2 N m K a pass, by the
// root's threads alone: at 1,000 ranks the others wait for a second or two.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "learning/learner.hpp"

namespace orrery::quartet {

/// Means of log P(row) over each tenth of the rows set aside, in nats.
using TenthMeans = std::array<double, 10>;
[[nodiscard]] double mean_of(const TenthMeans& tenths);
/// True if the mean of one is beyond the other's by more than `margin` nats and `errors` standard
/// errors of the difference.
[[nodiscard]] bool is_better(const TenthMeans& one, const TenthMeans& other, double margin = 0,
                             double errors = 3);

struct HeldOutScores {
  std::size_t n_rows = 0;  ///< set aside
  TenthMeans network{}, tree{}, independent{}, mixture{};
  std::size_t n_components = 0;  ///< of the mixture
};

/// Empty where a beam does not suit the network, where no rank has all rows in memory, or of fewer
/// than 100 rows. Collective; the same at every rank.
std::optional<HeldOutScores> score_held_out(const learning::LearnContext& context,
                                            const Grown& network);

}  // namespace orrery::quartet
