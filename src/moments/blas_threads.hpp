// Threads of the linked BLAS.
#pragma once

namespace orrery::moments {

/// Work is shared out above the BLAS, a piece per thread: its own threads would fight over the
/// processors, and cut sums by their number. Cheap; call it before each use.
void use_one_blas_thread();
/// Throws EnvironmentError where the address space is limited and has no room for the buffers that
/// the BLAS takes, 128 MiB each, if so many threads call it at once. OpenBLAS would try for ever.
void require_blas_memory(int n_threads);

}  // namespace orrery::moments
