// Waits of a rank for others that leave its core to whoever has work: to the threads and ranks that
// share it, and to other users. Open MPI's own calls look for messages as fast as they can until
// one is there: on a quiet core that costs nothing but power, on a shared one it takes the time of
// the rank that is waited for.
#pragma once

#include <mpi.h>

namespace orrery::parallel {

/// Once, before MPI_Init: Open MPI's own waits offer their core to others each time that they find
/// nothing (unless the environment says otherwise), and this thread and those that it starts are
/// woken when they ask for, not 50 us later.
void prepare_waits();

/// Until the request is done: looks for it for as long as waking a thread takes, then sleeps
/// between looks for an eighth of the time waited so far, a millisecond at most. An error names
/// `call`.
void wait(MPI_Request request, const char* call);

/// Until every rank of the communicator is here, as above: what follows has nobody to wait for.
void wait_for_all(MPI_Comm communicator);

}  // namespace orrery::parallel
