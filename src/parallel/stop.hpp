// Signals that ask a run to stop at a checkpoint.
#pragma once

namespace orrery::parallel {

/// From now on USR1, TERM, HUP and the first INT only ask for a stop; a second INT ends the process
/// at once. The first call of main: a signal that comes before it is known whether the run keeps
/// checkpoints is remembered.
void stop_on_signals();
/// From now on each of these signals ends the process, and so does one that has come already;
/// unfinished files are removed first. For runs without a checkpoint.
void end_on_signals();
/// True once such a signal has come. Async-signal-safe.
[[nodiscard]] bool stop_signalled() noexcept;

}  // namespace orrery::parallel
