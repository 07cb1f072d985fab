// MPI's return codes as errors.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <string>

#include "orrery/base/error.hpp"

namespace orrery::parallel {

inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw EnvironmentError(fmt::format("{} failed: {}", call, text));
}

}  // namespace orrery::parallel
