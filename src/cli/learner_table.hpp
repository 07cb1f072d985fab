#pragma once

#include <vector>

#include "orrery/learners/learner.hpp"

namespace orrery::cli {

/// All learners of this build, in the order of src/learners.
std::vector<const learners::LearnerEntry*> learner_table();

}  // namespace orrery::cli
