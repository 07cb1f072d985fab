// The kernels that dispatch.cpp chooses from, in one list a machine type can shorten.
#pragma once

#include "orrery/kernels/kernels.hpp"

namespace orrery::kernels {

extern const Kernel scalar_kernel;
#if defined(__x86_64__)
extern const Kernel avx2_kernel;
extern const Kernel avx512_kernel;
#endif

}  // namespace orrery::kernels
