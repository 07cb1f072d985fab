// What every learner is to the command line, and what it is given.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/stage.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/moments/counted_moments.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::learners {

/// One run's input and means. A learner sees units of work, never a rank.
struct LearnContext {
  const parallel::Team& team;
  int threads = 1;
  std::uint64_t seed = 1;
  /// Moments of the observed variables: counted or exact.
  const moments::MomentSource& moments;
  /// Names of the observed variables.
  const std::vector<std::string>& names;
  /// The samples, or null when only moments are known.
  const data::SampleMatrix* samples = nullptr;
  /// The learner appends its own, in order of time.
  std::vector<Stage>& stages;
};

/// What a run would take, without running it (--dry-run).
struct Plan {
  double memory_bytes = 0;  ///< a rank
  std::uint64_t units = 0;
  std::string unit;    ///< "blocks of pairs"
  double seconds = 0;  ///< on these ranks and threads; from the kernels' measured rates
};

struct LearnerEntry {
  const char* name;
  const char* summary;
  void (*add_options)(boost::program_options::options_description& options);
  /// Same result at every rank. Throws UsageError for option values out of range.
  model::LearnedModel (*learn)(const LearnContext& context,
                               const boost::program_options::variables_map& values);
  Plan (*plan)(std::size_t n_observed, std::uint64_t n_samples, int ranks, int threads,
               const boost::program_options::variables_map& values);
};

/// Off-counts of all pairs, rows split over the ranks. Collective.
moments::PairCounts count_pairs(const parallel::Team& team, const data::BitPanels& values);

/// The rows that can be learned from: rows with missing values are left out (said in a warning).
/// Throws InputError for fewer than 50 rows or 4 columns; warns of constant and duplicate columns.
/// `source` names the file in messages.
data::SampleMatrix usable_rows(const data::SampleMatrix& samples, const std::string& source);

}  // namespace orrery::learners
