// The settings of structural expectation propagation, and what a run with them would take.
#pragma once

#include <cstdint>

#include "base/program_options.hpp"
#include "families/categorical/structural_ep/dirichlet.hpp"
#include "learning/learner.hpp"

namespace orrery::structural_ep {

/// Where starts begin: clusters of variables, merged down and improved (search.hpp); or random
/// messages, and nothing more (random_start.hpp).
enum class StartKind : std::uint8_t { clusters, random };

struct Options {
  std::uint32_t first_causes = 0;  ///< --causes A-B: numbers tried; 0: independent variables
  std::uint32_t last_causes = 0;
  bool stops_early =
      false;  ///< --causes auto: once further numbers predict held-out rows no better
  /// --causes auto: variables that are more probable without parents get none.
  bool drops_edges = false;
  std::uint32_t max_parents = 1;
  std::uint32_t cardinality = 2;
  StartKind start = StartKind::clusters;
  std::uint32_t restarts = 10;
  std::int32_t agreements = -1;
  std::uint32_t extra = 3;
  std::uint32_t conditionings = 0;
  std::uint32_t folds = 5;
  std::uint32_t max_sweeps = 60;
  double prior = 1;
  double damping = .5;
  double tolerance = 1e-4;
  double independent_below = 0;
  std::uint32_t top = 3;
  Projection projection = Projection::mean_log;
  std::uint64_t seed = 1;
};

void add_options(boost::program_options::options_description& options);
/// Starts that must have come to the best evidence, before no more are made; 0: no number will do.
/// By default more where there are more local optima: with two parents every second start may end
/// in the same one.
[[nodiscard]] std::uint32_t sufficient_agreements(const Options& options, std::size_t n_causes);
/// The numbers that --causes auto tries of a table: none, and up to a third of the columns, since a
/// cause of fewer than three variables is not identified. Others are left as they are.
[[nodiscard]] Options for_columns(Options options, std::size_t n_columns);
/// Settings by which a number of causes is judged among others. Starts that come to the same place
/// soon show that it is a good one; where they do not, all numbers end in local optima now and
/// then.
[[nodiscard]] Options for_judging(Options options, std::uint32_t n_causes);
/// Throws UsageError for a value out of range.
[[nodiscard]] Options read_options(const boost::program_options::variables_map& values);

/// For --dry-run: a sweep is timed on some of the file's rows; a start takes some hundred sweeps.
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::structural_ep
