// What structural EM would take (--dry-run).
#pragma once

#include <cstddef>

#include "families/categorical/structural_em/options.hpp"
#include "learning/learner.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_em {

/// Bytes of a rank beside the program.
[[nodiscard]] learning::Parts memory_to_learn(const data::CategoricalTable& table,
                                              std::size_t n_states, int threads);
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::structural_em
