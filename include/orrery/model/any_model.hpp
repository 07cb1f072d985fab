// A model of any family.
#pragma once

#include <variant>

#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// A noisy-OR network, signs on a tree, a linear network, or a categorical one.
using AnyModel = std::variant<LearnedModel, LearnedTree, LearnedLinear, LearnedCategorical>;

}  // namespace orrery::model
