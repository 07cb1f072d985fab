#include "base/memory_limit.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/progress.hpp"
#include "orrery/base/error.hpp"

namespace orrery {
namespace {

std::optional<std::size_t> address_space_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

/// Pages of the address space, or of memory.
struct PagesInUse {
  std::size_t mapped = 0, resident = 0;
};
PagesInUse pages_in_use() {
  PagesInUse pages;
  std::ifstream("/proc/self/statm") >> pages.mapped >> pages.resident;
  return pages;
}

std::string format_pages(std::size_t n_pages) {
  return format_bytes(static_cast<double>(n_pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

bool has_address_space_limit() { return address_space_limit().has_value(); }

std::string describe_memory_in_use() {
  const PagesInUse pages = pages_in_use();
  const auto limit = address_space_limit();
  if (!limit) return fmt::format("the process has {}", format_pages(pages.resident));
  return fmt::format(
      "the address space of the process is limited to {} (ulimit -v), of which {} are in use",
      format_bytes(static_cast<double>(*limit)), format_pages(pages.mapped));
}

void require_address_space(std::size_t bytes, const std::string& what) {
  if (!address_space_limit()) return;
  void* room =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) {  // NOLINT(performance-no-int-to-ptr): the system's own
    throw EnvironmentError(
        fmt::format("out of memory: {}, and {} take {} more; raise the limit, or "
                    "use fewer --threads",
                    describe_memory_in_use(), what, format_bytes(static_cast<double>(bytes))));
  }
  ::munmap(room, bytes);
}

void require_threads(int n_threads) {
  if (!address_space_limit()) return;
  std::mutex mutex;
  std::condition_variable let_go;
  bool is_over = false;
  std::vector<std::thread> threads;
  const auto end_all = [&] {
    {
      const std::lock_guard lock(mutex);
      is_over = true;
    }
    let_go.notify_all();
    for (std::thread& thread : threads) thread.join();
  };
  try {
    while (threads.size() + 1 < static_cast<std::size_t>(n_threads)) {
      threads.emplace_back([&] {
        std::unique_lock lock(mutex);
        let_go.wait(lock, [&] { return is_over; });
      });
    }
  } catch (const std::exception& error) {  // of the system, or no memory to remember the thread
    const std::size_t n_started = threads.size() + 1;
    end_all();
    throw EnvironmentError(
        fmt::format("only {} of {} threads can be started ({}): {}; raise the limit, or use fewer "
                    "--threads",
                    n_started, n_threads, error.what(), describe_memory_in_use()));
  }
  end_all();
}

void keep_blas_threads_out(char** argv) {
  constexpr const char* variable = "OPENBLAS_NUM_THREADS";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the first thing of main
  if (!address_space_limit() || std::getenv(variable) != nullptr) return;
  if (::setenv(variable, "1", 0) != 0) return;  // NOLINT(concurrency-mt-unsafe)
  ::execv("/proc/self/exe", argv);              // returns only if it cannot: then go on as it is
}

}  // namespace orrery
