// The variational learner's settings, and what a run with them would take (--dry-run).
#pragma once

#include <cstddef>

#include "base/program_options.hpp"
#include "families/noisy_or/variational_em/fit.hpp"
#include "learning/learner.hpp"

namespace orrery::variational_em {

struct Options {
  std::size_t causes = 0;  ///< 0: by the bound of rows held out
  std::size_t restarts = 16;
  double prune = 0.9;  ///< an edge with a larger failure is left out of the network
  FitSettings fit;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range; also for exact moments.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

/// What a run would take. Adds the time to context.timing; the plan's memory is that of a pass,
/// without program and bits.
learning::Plan predict(const learning::PlanContext& context, const Options& options);

}  // namespace orrery::variational_em
