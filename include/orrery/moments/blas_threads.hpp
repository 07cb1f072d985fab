// Threads of the linked BLAS.
#pragma once

namespace orrery::moments {

/// Work is shared out above the BLAS, a piece a thread: its own threads would fight over the
/// processors, and cut sums by their number. Cheap; call it before each use.
void use_one_blas_thread();

}  // namespace orrery::moments
