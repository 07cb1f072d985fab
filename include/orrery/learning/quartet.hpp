// The quartet learner: the hidden causes of a table of zeros and ones, as a noisy-OR network
// (Jernite, Halpern, Sontag 2013), with the results of `orrery learn quartet`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/learning/run_options.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::learn {

struct QuartetOptions {
  /// calibrated: one cause explains the quartet within its sampling error. rank: its third singular
  /// values are small. coherence: its triplets agree on the parameters.
  enum class Test : std::uint8_t { calibrated, rank, coherence };
  /// How causes are looked for: by going through all quartets, or by pair signatures.
  enum class Search : std::uint8_t { automatic, exhaustive, signatures };

  /// Whether a further variable is a child is asked of the first pair of the quartet, as the paper
  /// does, or of all six pairs, whose median decides.
  enum class Extend : std::uint8_t { median, first_pair };

  Test test = Test::calibrated;
  Search search = Search::automatic;
  double alpha = 0.05;   ///< calibrated: false discoveries among the pairs that share a parent
  bool refine = true;    ///< by EM and changes of the structure; false: as the tests find it
  double tau_q = 0.005;  ///< rank: largest third singular value; coherence: variance of estimates
  double tau_q2 = 0.05;  ///< coherence: L1 error of the rebuilt moments
  double tau_e = 0.03;   ///< rank, coherence: least PMI - CPMI that shows a shared parent
  Extend extend = Extend::median;  ///< rank, coherence: the pairs that tell further children
  int max_depth = 10;              ///< last round of subtracting causes off
  std::size_t max_candidates = 1'000'000;  ///< accepted quartets kept per round, best first
  std::uint32_t stability = 0;             ///< bootstrap resamples learned from; 0: none
  /// Bytes of triples that each thread keeps; less memory only makes a scan slower.
  std::size_t slab_budget_bytes = std::size_t{256} << 20U;
};

/// Learns the causes, their priors, the failures of their edges and the variables' leaks. Missing
/// values are taken to be missing completely at random. Cost: see `orrery learn quartet --dry-run`.
/// @throws InputError for fewer than 4 columns or 50 rows, a column observed in fewer than 50 rows,
///     and names that do not fit the columns; UsageError for an option out of its range.
model::LearnedModel quartet(const data::SampleMatrix& samples, const QuartetOptions& options = {},
                            const RunOptions& run_options = {});

}  // namespace orrery::learn
