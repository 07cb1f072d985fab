// A model of any family.
#pragma once

#include <variant>

#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// A noisy-OR network, signs on a tree, or a linear network.
using AnyModel = std::variant<LearnedModel, LearnedTree, LearnedLinear>;

}  // namespace orrery::model
