// The end of a run that cannot go on.
#pragma once

namespace orrery::parallel {

/// Ends every rank of the run with this exit code, also where the network is cut; any thread.
[[noreturn]] void end_run(int exit_code) noexcept;

}  // namespace orrery::parallel
