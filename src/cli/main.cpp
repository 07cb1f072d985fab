// Entry: joins the team, runs one command, turns errors into messages and exit codes.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <csignal>
#include <exception>
#include <new>

#include "cli/commands.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/program.hpp"
#include "orrery/learners/checkpoints.hpp"

namespace {

using orrery::ExitCode;

/// Prints the error with the rank it happened on. With several ranks the others may be waiting for
/// this one: the whole run ends here.
int fail(const orrery::parallel::Team& team, ExitCode code, const std::string& message) {
  if (team.size() == 1) {
    orrery::log::write_error(message);
    return static_cast<int>(code);
  }
  orrery::log::write_error(fmt::format("rank {} of {} on {}: {}", team.rank(), team.size(),
                                       team.hosts()[static_cast<std::size_t>(team.rank())],
                                       message));
  team.abort(static_cast<int>(code));
}

int run_on(const orrery::parallel::Team& team, int argc, char** argv) {
  try {
    orrery::cli::run(argc, argv, team);
    return static_cast<int>(ExitCode::done);
  } catch (const orrery::learners::Stopped& stopped) {  // at every rank
    orrery::log::write_info(stopped.what());
    return static_cast<int>(stopped.code());
  } catch (const orrery::UsageError& error) {
    // Every rank reads the same command line: rank 0 speaks for all, the others wait for it.
    if (!team.is_root()) return static_cast<int>(error.code());
    return fail(team, error.code(), error.what());
  } catch (const orrery::Error& error) {
    return fail(team, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(team, ExitCode::environment,
                "out of memory; --dry-run says what a run needs, more hosts or fewer threads need "
                "less a host");
  } catch (const std::exception& error) {
    return fail(team, ExitCode::environment, fmt::format("unexpected: {}", error.what()));
  } catch (...) {  // libraries have errors of their own
    return fail(team, ExitCode::environment, "unexpected: an error of an unknown kind");
  }
}

/// Ctrl-C, a job manager's end, or the end of a run in which another rank failed.
extern "C" void end_without_traces(int signal) {
  orrery::remove_unfinished_files();
  orrery::kill_programs();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void set_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    // nohup and shells without job control ask for some of these to be ignored: leave it so.
    if (std::signal(signal, end_without_traces) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of write, not a death
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Memory of one round serves the next: giving it back and faulting it in anew costs milliseconds.
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  set_signals();
  try {
    const orrery::parallel::Team team(&argc, &argv);
    return run_on(team, argc, argv);
  } catch (const std::exception& error) {
    orrery::log::write_error(error.what());
    return static_cast<int>(ExitCode::environment);
  }
}
