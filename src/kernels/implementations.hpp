// The kernels that dispatch.cpp chooses from, in one list a machine type can shorten.
#pragma once

#include "kernels/kernels.hpp"

namespace orrery::kernels {

// Of rows of bits, see Kernel; in rows_*.cpp.
namespace scalar {
std::size_t list_rows(const std::uint64_t*, std::size_t, std::size_t, std::uint16_t*);
void transpose(std::uint64_t*, std::size_t);
void add_rows(const std::uint64_t*, const std::uint16_t*, std::size_t, std::uint32_t*);
}  // namespace scalar
namespace avx2 {
std::size_t list_rows(const std::uint64_t*, std::size_t, std::size_t, std::uint16_t*);
void transpose(std::uint64_t*, std::size_t);
void add_rows(const std::uint64_t*, const std::uint16_t*, std::size_t, std::uint32_t*);
}  // namespace avx2
namespace avx512 {
// See WideTile.
void wide_tile(const std::uint64_t*, const std::uint64_t*, const std::uint64_t*, std::size_t,
               const std::uint64_t*, std::uint32_t*, std::size_t);
void transpose(std::uint64_t*, std::size_t);
void add_rows(const std::uint64_t*, const std::uint16_t*, std::size_t, std::uint32_t*);
}  // namespace avx512

extern const Kernel scalar_kernel;
#if defined(__x86_64__)
extern const Kernel avx2_kernel;
extern const Kernel avx512_kernel;
#endif

}  // namespace orrery::kernels
