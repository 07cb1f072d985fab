#include "store/hdf5_version.hpp"

#include <H5public.h>
#include <fmt/format.h>

namespace orrery::store {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace orrery::store
