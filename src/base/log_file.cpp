#include "base/log_file.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "orrery/base/error.hpp"

namespace orrery::log {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int none = -1;
constexpr std::chrono::minutes progress_every{1};

std::atomic<int> descriptor{none};  // read in a signal handler
static_assert(std::atomic<int>::is_always_lock_free);
std::mutex guard;  // of all below
std::filesystem::path file;
Clock::time_point opened;
Clock::time_point last_progress;

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// An empty file, or one that begins as open_file begins it: "2026-01-31T12:00:00Z start: ".
bool is_log(const std::filesystem::path& path) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z start: ";
  std::array<char, form.size()> begin{};
  std::ifstream in(path, std::ios::binary);
  in.read(begin.data(), begin.size());
  const std::string_view found(begin.data(), static_cast<std::size_t>(in.gcount()));
  return found.empty() || std::ranges::equal(found, form, [](char is, char wanted) {
           return wanted == '0' ? is >= '0' && is <= '9' : is == wanted;
         });
}

/// Never cut off: where part of a line is written the rest follows.
bool write_all(int to, std::string_view text) noexcept {
  while (!text.empty()) {
    const ::ssize_t n = ::write(to, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

int open_at_end(const std::filesystem::path& path) {
  constexpr ::mode_t readable_by_all = 0666;  // as the user's mask allows
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, readable_by_all);
}

void close_file() {
  const int open = descriptor.exchange(none);
  if (open != none) ::close(open);
}

/// Two digits, for the signal handler, where nothing may be allocated.
void put_two(char* at, unsigned value) noexcept {
  at[0] = static_cast<char>('0' + value / 10 % 10);
  at[1] = static_cast<char>('0' + value % 10);
}

/// "2026-01-31T12:00:00Z" into `at`, by arithmetic alone.
void put_time(char* at) noexcept {
  using namespace std::chrono;
  const sys_seconds time{seconds{std::time(nullptr)}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  put_two(at, year / 100);
  put_two(at + 2, year % 100);
  put_two(at + 5, static_cast<unsigned>(date.month()));
  put_two(at + 8, static_cast<unsigned>(date.day()));
  put_two(at + 11, static_cast<unsigned>(clock.hours().count()));
  put_two(at + 14, static_cast<unsigned>(clock.minutes().count()));
  put_two(at + 17, static_cast<unsigned>(clock.seconds().count()));
}

}  // namespace

void open_file(const std::filesystem::path& path, bool speaks) {
  const std::lock_guard lock(guard);
  close_file();
  file.clear();  // one that is refused gets no error either
  opened = last_progress = Clock::now();
  if (speaks && std::filesystem::is_regular_file(path) && !is_log(path)) {
    throw UsageError(
        fmt::format("--log {}: the file is there and is not a log, which lines could be added to; "
                    "name another",
                    path.string()));
  }
  file = path;
  if (!speaks) return;
  const int to = open_at_end(path);
  if (to == none) {
    const int reason = errno;
    file.clear();
    throw EnvironmentError(fmt::format("--log {}: cannot be written ({})", path.string(),
                                       std::generic_category().message(reason)));
  }
  descriptor = to;
}

void add_to_file(std::string_view kind, std::string_view message) {
  if (descriptor == none) return;
  const std::lock_guard lock(guard);
  const int to = descriptor;
  if (to == none) return;
  const std::string line =
      fmt::format("{} {}{}{}\n", now(), kind, kind.empty() ? "" : ": ", printable(message));
  if (write_all(to, line)) return;
  const int reason = errno;
  close_file();
  write_warning(fmt::format("--log {}: cannot be written any more ({}); the run goes on without it",
                            file.string(), std::generic_category().message(reason)));
}

void add_error_to_file(std::string_view message) {
  {
    const std::lock_guard lock(guard);
    if (descriptor == none && !file.empty()) descriptor = open_at_end(file);
  }
  add_to_file("error", message);
}

void add_progress_to_file(std::string_view message) {
  if (descriptor == none) return;
  {
    const std::lock_guard lock(guard);
    if (Clock::now() - last_progress < progress_every) return;
    last_progress = Clock::now();
  }
  add_to_file("", message);
}

void end_file(int exit_code) {
  const std::chrono::duration<double> taken = Clock::now() - opened;
  add_to_file("end",
              fmt::format("exit code {} after {}", exit_code, format_duration(taken.count())));
  close_file();
}

void end_file_by_signal(int signal) noexcept {
  const int to = descriptor;
  if (to == none) return;
  char line[] = "0000-00-00T00:00:00Z end: by signal 00\n";
  constexpr std::size_t number_at = sizeof line - 4;  // before the line end
  put_time(line);
  put_two(line + number_at, static_cast<unsigned>(signal));
  write_all(to, {line, sizeof line - 1});
}

}  // namespace orrery::log
