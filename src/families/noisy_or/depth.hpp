// depth --test quartet|triplet: which causes perfect tests could learn.
#pragma once

#include "family/family.hpp"

namespace orrery::noisy_or {

/// Causes to be discovered.
family::DepthTest quartet_depth();
/// Parameters of a known structure.
family::DepthTest triplet_depth();

}  // namespace orrery::noisy_or
