// Settings of structural EM, and what a run with them would take.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/program_options.hpp"
#include "families/categorical/structural_em/em.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "learning/learner.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_em {

struct Options {
  std::size_t causes = 0;
  std::size_t cardinality = 2;
  std::uint64_t restarts = 5;
  StartKind start = StartKind::products;
  std::uint64_t early_passes = 2;  ///< 0: EM always goes on until it has converged
  FitSettings fit;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range; also for exact moments.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

/// Bytes of a rank beside the program.
[[nodiscard]] learning::Parts memory_to_learn(const data::CategoricalTable& table,
                                              std::size_t n_states, int threads);
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::structural_em
