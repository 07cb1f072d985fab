// The tree learner's settings, and what a run with them would take.
#pragma once

#include <optional>

#include "base/program_options.hpp"
#include "learning/learner.hpp"

namespace orrery::hidden_tree {

enum class Marginals : std::uint8_t { uniform, free };

struct Options {
  std::optional<double> crossover = 0.0;  ///< none: estimated
  std::optional<double> alpha;            ///< none: a tree; else a forest of significant edges
  Marginals marginals = Marginals::uniform;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range; also for exact moments.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

/// Adds to context.timing. Throws as a run would.
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::hidden_tree
