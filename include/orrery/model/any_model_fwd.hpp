// The models of all kinds, by name alone: for headers that only pass them on.
#pragma once

#include <variant>

namespace orrery::model {

struct LearnedModel;
struct LearnedTree;
struct LearnedLinear;
struct LearnedCategorical;

/// A noisy-OR network, signs on a tree, a linear network, or a categorical one. Whoever looks into
/// one includes any_model.hpp.
using AnyModel = std::variant<LearnedModel, LearnedTree, LearnedLinear, LearnedCategorical>;

}  // namespace orrery::model
