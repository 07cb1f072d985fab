// A model of either family.
#pragma once

#include <variant>

#include "orrery/model/learned_model.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// A noisy-OR network, or signs on a tree.
using AnyModel = std::variant<LearnedModel, LearnedTree>;

}  // namespace orrery::model
