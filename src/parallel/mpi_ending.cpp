#include "parallel/mpi_ending.hpp"

#include <mpi.h>

#include <cstdlib>

namespace orrery::parallel {

void end_run(int exit_code) noexcept {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace orrery::parallel
