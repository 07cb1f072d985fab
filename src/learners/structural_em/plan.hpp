// What structural EM would take (--dry-run).
#pragma once

#include <cstddef>

#include "learners/structural_em/options.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/learners/learner.hpp"

namespace orrery::structural_em {

/// Bytes of a rank beside the program.
[[nodiscard]] learners::Parts memory_to_learn(const data::CategoricalTable& table,
                                              std::size_t n_states, int threads);
[[nodiscard]] learners::Plan predict(const learners::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::structural_em
