// What a noisy-OR network cannot say of a table, said by the learner itself: why pairs of variables
// stay unexplained.
//
// Cost: O(m^2 n) for m variables and n causes, from the pair moments; and what held-out rows take.
//
// Held-out rows: how well a network predicts rows that set none of its parameters, beside what
// predicts without causes: the best tree over the variables, independent variables, and a mixture
// of kinds of rows.
//
// Every tenth of up to 20,000 rows is set aside (of up to 1,000 rows each tenth in turn). The other
// rows set all parameters anew, from those of the network; which edges there are was chosen with
// all rows. The mixture's number of kinds is chosen by validation within the other rows, of up to
// 1,000 rows for the first tenth alone.
//
// Cost of held-out rows: some 20 passes of EM over the rows (grown_em.hpp), and the mixture's
// 2 N m K a pass, by the root's threads alone: at 1,000 ranks the others wait for a second or two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/grown.hpp"
#include "families/noisy_or/quartet/growth/residual_pairs.hpp"
#include "learning/learner.hpp"
#include "moments/moment_source.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

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

/// Groups of columns of which hardly two are ever on together, though chance would have it: the
/// values of one question, each a column. Each group rises, of two or more.
std::vector<std::vector<std::uint32_t>> exclusive_columns(const moments::MomentSource& moments);

/// How far each pair of variables is from what the network expects.
ResidualPairs residuals_of(const learning::LearnContext& context,
                           const model::NoisyOrNetwork& network);
/// Share of the pairs beyond three standard deviations.
double misfit_of(const ResidualPairs& pairs);
/// Of the dependence between variables the share that is left: what z^2 is beyond 9, summed over
/// the pairs, less what chance makes of it, over the same of independent variables. It does not grow
/// with the rows, and rare causes weigh little.
double dependence_left(const learning::LearnContext& context, const ResidualPairs& pairs);

/// What a run ends with: the share of pairs of variables that the network leaves unexplained; where
/// that is 1 % or more, or causes depend on one another, or rows are few, how it predicts rows set
/// aside beside other models (score_held_out), and what in the table may be the reason; of no cause
/// what was tested. Nothing where there are too many pairs to look at, or of exact moments.
/// Collective.
struct Verdict {
  model::Fit fit;
  std::vector<std::string> remarks;
};
Verdict verdict(const learning::LearnContext& context, const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
