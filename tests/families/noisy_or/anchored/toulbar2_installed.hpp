// Tests of the marginal polytope go on without toulbar2, by CBC.
#pragma once

#include "base/program.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace orrery::anchored {

inline bool toulbar2_is_installed() { return !find_program("toulbar2").empty(); }

inline IntegerProgram installed_program() {
  return toulbar2_is_installed() ? IntegerProgram::toulbar2 : IntegerProgram::cbc;
}

}  // namespace orrery::anchored
