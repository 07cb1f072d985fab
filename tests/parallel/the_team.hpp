// MPI starts once a process: one team for all tests, made by main (main.cpp).
#pragma once

#include "parallel/team.hpp"

namespace orrery::parallel {

const Team& the_team();

}  // namespace orrery::parallel
