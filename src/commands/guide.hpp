// Topics of `orrery help` for somebody who has the program and no other text: what the model is,
// which command is for what, how to read a result, and how to run on many processors.
#pragma once

#include <string>

namespace orrery::commands {

std::string noisy_or_topic();
std::string choosing_topic();
std::string reading_topic();
std::string parallel_topic();

}  // namespace orrery::commands
