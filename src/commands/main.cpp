// Entry: joins the team, runs one command, turns errors into messages and exit codes.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>

#include "base/build.hpp"
#include "base/log.hpp"
#include "base/log_file.hpp"
#include "base/memory_limit.hpp"
#include "base/output_file.hpp"
#include "base/program.hpp"
#include "cli/arguments.hpp"
#include "commands/commands.hpp"
#include "learning/checkpoints.hpp"
#include "orrery/base/error.hpp"
#include "parallel/stop.hpp"

namespace {

using orrery::ExitCode;

/// What a message takes is there also where all other memory is in use.
std::unique_ptr<char[]> kept_for_a_message = std::make_unique<char[]>(std::size_t{1} << 16);

std::string out_of_memory() {
  kept_for_a_message.reset();
  return fmt::format(
      "out of memory: {}; --dry-run says what a run needs, more hosts or fewer threads need less a "
      "host",
      orrery::describe_memory_in_use());
}

std::string out_of_threads() {
  return fmt::format(
      "no further thread can be started: {}; raise the limit, or use fewer --threads",
      orrery::describe_memory_in_use());
}

/// The exit code, which the log of --log ends with.
int end(ExitCode code) {
  orrery::log::end_file(static_cast<int>(code));
  return static_cast<int>(code);
}

/// Prints the error with the rank it happened on, unless another rank has said what is wrong. With
/// several ranks the others may be waiting for this one: the whole run ends here.
int fail(const orrery::parallel::Team& team, ExitCode code, const std::string& message) {
  if (team.size() == 1) {
    orrery::log::write_error(message);
    return end(code);
  }
  if (team.claim_last_word()) {
    orrery::log::write_error(fmt::format("rank {} of {} on {}: {}", team.rank(), team.size(),
                                         team.hosts()[static_cast<std::size_t>(team.rank())],
                                         message));
  } else {  // the rank that speaks ends the run; this one does only if that rank is lost meanwhile
    std::this_thread::sleep_for(std::chrono::seconds(10));
  }
  team.abort(end(code));
}

int run_on(const orrery::parallel::Team& team, int argc, char** argv) {
  try {
    return end(orrery::commands::run(argc, argv, team));
  } catch (const orrery::learning::Stopped& stopped) {  // at every rank
    orrery::log::write_info(stopped.what());
    return end(stopped.code());
  } catch (const orrery::UsageError& error) {
    // Every rank reads the same command line: rank 0 speaks for all, the others wait for it.
    if (!team.is_root()) return static_cast<int>(error.code());
    return fail(team, error.code(), error.what());
  } catch (const orrery::Error& error) {
    // What every rank finds is said by rank 0, if it is there within a second.
    if (!team.is_root()) std::this_thread::sleep_for(std::chrono::seconds(1));
    return fail(team, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(team, ExitCode::environment, out_of_memory());
  } catch (const std::system_error& error) {
    const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
    return fail(team, ExitCode::environment,
                no_thread ? out_of_threads() : fmt::format("unexpected: {}", error.what()));
  } catch (const std::exception& error) {
    return fail(team, ExitCode::environment, fmt::format("unexpected: {}", error.what()));
  } catch (...) {  // libraries have errors of their own
    return fail(team, ExitCode::environment, "unexpected: an error of an unknown kind");
  }
}

/// Where nobody can catch it: no memory in a parallel region, or in a library.
[[noreturn]] void end_uncaught() {
  orrery::remove_unfinished_files();
  orrery::kill_programs();
  std::string what = "an error of an unknown kind";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    what = out_of_memory();
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {  // said already
  }
  orrery::log::write_error(what);
  std::_Exit(end(ExitCode::environment));
}

#ifdef __GLIBC__
/// A library that ends the program, as libgomp does with exit code 1 where it can start no thread.
void end_with_a_library(int code, void* /*nothing*/) {
  if (code != EXIT_FAILURE) return;  // orrery's own codes are others
  orrery::remove_unfinished_files();
  orrery::kill_programs();
  orrery::log::write_error("a library ended the program, most likely " + out_of_memory());
  std::_Exit(end(ExitCode::environment));
}
#endif

/// Sets what two libraries read from the environment before main, if the user has not set it. Where
/// they are linked into the program (OrreryDependencies.cmake, OrreryArchives.cmake in cmake/),
/// they read it after this constructor, which asks to be early.
///
/// Threads that wait for others look for them for some 50 us, about what waking a thread takes, and
/// then sleep. libgomp's own way is to look for milliseconds, which other threads, ranks and users
/// of the core have to wait for.
///
/// OpenBLAS would start a thread for each core, and these take a core for 0.1 s before they sleep.
/// orrery calls it from its own threads alone, each for itself. A shared OpenBLAS has started them
/// by now: see keep_blas_threads_out.
[[gnu::constructor(101)]] void set_up_libraries() {
  // NOLINTBEGIN(concurrency-mt-unsafe): before main, there is one thread
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "3000", 0);
#ifdef ORRERY_BLAS_IN_PROGRAM
  ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
#endif
  // NOLINTEND(concurrency-mt-unsafe)
}

void set_endings() {
  orrery::parallel::stop_on_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of write, not a death
  std::set_terminate(end_uncaught);
#ifdef __GLIBC__
  ::on_exit(end_with_a_library, nullptr);
#endif
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Memory of one round serves the next: giving it back and faulting it in anew costs milliseconds.
  // What is larger than the second limit is given back; malloc would set it to 128 KiB for good.
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  orrery::keep_blas_threads_out(argv);
  set_endings();
  orrery::set_sources(orrery::sources_of_this_build());
  try {
    const orrery::parallel::Team team(&argc, &argv, orrery::cli::patience_at_start(argc, argv));
    return run_on(team, argc, argv);
  } catch (const std::exception& error) {
    orrery::log::write_error(error.what());
    return static_cast<int>(ExitCode::environment);
  }
}
