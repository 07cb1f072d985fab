#include "parallel/stop.hpp"

#include <atomic>
#include <csignal>

#include "base/log_file.hpp"
#include "base/output_file.hpp"
#include "base/program.hpp"

namespace orrery::parallel {
namespace {

std::atomic<int> signals{0};
std::atomic<int> interrupts{0};
std::atomic<int> last_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "read and written in a signal handler");

/// Ctrl-C, a job manager's end, or the end of a run in which another rank failed.
extern "C" void end_without_traces(int signal) {
  remove_unfinished_files();
  kill_programs();
  log::end_file_by_signal(signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

extern "C" void ask_for_stop(int signal) {
  ++signals;
  last_signal = signal;
  if (signal == SIGINT && ++interrupts >= 2) end_without_traces(signal);
}

void handle_by(void (*handler)(int)) {
  for (const int signal : {SIGUSR1, SIGTERM, SIGHUP, SIGINT}) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // a write that is under way goes on
    // nohup and shells without job control ask for some of these to be ignored: leave it so.
    struct sigaction old {};
    if (::sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void stop_on_signals() { handle_by(ask_for_stop); }

void end_on_signals() {
  handle_by(end_without_traces);
  if (stop_signalled()) end_without_traces(last_signal);
}

bool stop_signalled() noexcept { return signals.load(std::memory_order_relaxed) > 0; }

}  // namespace orrery::parallel
