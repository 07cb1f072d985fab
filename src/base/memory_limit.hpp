// A limit on the address space of the process (`ulimit -v`), asked before a library meets it:
// OpenBLAS tries for ever to get its buffer, and libgomp ends the process where a thread cannot be
// started. Without such a limit nothing here does anything.
#pragma once

#include <cstddef>
#include <string>

namespace orrery {

[[nodiscard]] bool has_address_space_limit();
/// Throws EnvironmentError (exit code 4), naming the limit and what is in use, unless `bytes` more
/// can be had for `what` ("buffers of the BLAS").
void require_address_space(std::size_t bytes, const std::string& what);
/// Throws EnvironmentError unless so many threads can run at once, this one among them.
void require_threads(int n_threads);
/// "the address space of the process is limited to 200.0 MB (ulimit -v), of which 150.2 MB are in
/// use", or "the process has 3.2 GB".
[[nodiscard]] std::string describe_memory_in_use();

/// Where the address space is limited, starts the program anew with OPENBLAS_NUM_THREADS=1 in its
/// environment (unless that variable is set): the threads that OpenBLAS starts before main would
/// otherwise ask for 128 MiB each, for ever. Returns if there is nothing to do.
void keep_blas_threads_out(char** argv);

}  // namespace orrery
