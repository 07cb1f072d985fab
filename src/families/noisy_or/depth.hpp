// depth --test quartet|triplet: which causes perfect tests could learn.
#pragma once

#include <string>

#include "family/family.hpp"

namespace orrery::noisy_or {

/// Causes to be discovered. Throws InputError for a network whose causes depend on one another.
void quartet_depth(const family::AnyModel& model, const std::string& source,
                   const cli::Arguments& arguments);
/// Parameters of a known structure.
void triplet_depth(const family::AnyModel& model, const std::string& source,
                   const cli::Arguments& arguments);

}  // namespace orrery::noisy_or
