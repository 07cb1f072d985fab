// Signals that ask a run to stop at a checkpoint.
#pragma once

namespace orrery::parallel {

/// From now on USR1, TERM, HUP and the first INT only ask for a stop; a second INT ends the process
/// at once. Without this call they end it.
void stop_on_signals();
/// True once such a signal has come. Async-signal-safe.
[[nodiscard]] bool stop_signalled() noexcept;

}  // namespace orrery::parallel
