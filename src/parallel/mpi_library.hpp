// Which MPI library this program was built with.
#pragma once

#include <string>

namespace orrery::parallel {

/// "Open MPI v4.1.4", the first words that the library has for itself; "none" in a build without
/// MPI. MPI need not have been started.
std::string mpi_library();

}  // namespace orrery::parallel
