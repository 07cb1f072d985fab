// A model of any family.
#pragma once

#include "orrery/model/any_model_fwd.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"
