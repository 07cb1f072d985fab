#include "parallel/mpi_library.hpp"

#ifdef ORRERY_HAVE_MPI
#include <mpi.h>

#include <array>
#endif

namespace orrery::parallel {

#ifdef ORRERY_HAVE_MPI
std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n\r"));
}
#else
std::string mpi_library() { return "none"; }
#endif

}  // namespace orrery::parallel
