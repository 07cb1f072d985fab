// The end of a run that cannot go on. Measured with Open MPI 4.1: MPI_Abort ends every rank while
// all hosts can be reached; where the network is cut it hangs, and so does mpirun, for ever,
// whatever the ranks do, until its daemons die.
#pragma once

namespace orrery::parallel {

/// Ends every rank of the run with this exit code; any thread.
[[noreturn]] void end_run(int exit_code) noexcept;
/// Ends this rank, and the Open MPI daemon (or mpirun itself) that started it, where other hosts
/// cannot be reached, within two seconds; every rank that notices does so. mpirun's exit code is
/// then 137, srun's `exit_code`.
[[noreturn]] void end_cut_off(int exit_code) noexcept;

}  // namespace orrery::parallel
