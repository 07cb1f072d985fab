#include "base/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "orrery/base/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace orrery {
namespace {

/// Process groups under way, for kill_programs. One that finds no room here is only left to its
/// next line by a kill.
std::array<std::atomic<pid_t>, 64> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free, "read in signal handlers");

/// Threads that are between the start of a program and its entry in `running`.
std::atomic<int> starting{0};
static_assert(std::atomic<int>::is_always_lock_free, "read in signal handlers");

/// While one lives, no signal interrupts this thread: a handler in another thread can wait for the
/// entry in `running`, and a handler in this thread comes after it.
class Starting {
 public:
  Starting() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &usual_);
    ++starting;
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;
  ~Starting() {
    --starting;
    ::pthread_sigmask(SIG_SETMASK, &usual_, nullptr);
  }

 private:
  sigset_t usual_{};
};

void exchange_once(pid_t from, pid_t to) {
  for (auto& slot : running) {
    pid_t expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

[[noreturn]] void cannot(const std::filesystem::path& program, const char* step, int error) {
  throw EnvironmentError(fmt::format("{}: cannot {}: {}", program.string(), step,
                                     std::strerror(error)));  // NOLINT(concurrency-mt-unsafe)
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int operator*() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// Calls `step` on, as signals interrupt it.
template <class Step>
auto persist(const Step& step) {
  auto result = step();
  while (result < 0 && errno == EINTR) result = step();
  return result;
}

std::string read_all(int descriptor, const std::filesystem::path& program) {
  std::string text;
  std::array<char, 1 << 16> part{};
  while (true) {
    const ssize_t n = persist([&] { return ::read(descriptor, part.data(), part.size()); });
    if (n < 0) cannot(program, "read what it says", errno);
    if (n == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
}

/// A file without a name, read from its beginning.
int memory_file(std::string_view content, const std::filesystem::path& program) {
  const int file = ::memfd_create("orrery", MFD_CLOEXEC);
  if (file < 0) cannot(program, "make room for what it is given", errno);
  while (!content.empty()) {
    const ssize_t n = persist([&] { return ::write(file, content.data(), content.size()); });
    if (n < 0) {
      const int error = errno;
      ::close(file);
      cannot(program, "make room for what it is given", error);
    }
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

struct Streams {
  int input;
  int output;
  int errors;
};

/// Its process, or an errno below 0. Nothing of this process is open in it: a rank's connections
/// would outlive the rank.
pid_t spawn(const std::filesystem::path& program, std::vector<std::string> words,
            const Streams& streams) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
  sigset_t none;
  sigset_t usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  const int error =
      ::posix_spawn(&process, program.c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -error;
}

class Child {
 public:
  Child(const std::filesystem::path& program, std::vector<std::string> words,
        const Streams& streams) {
    const Starting start;
    process_ = spawn(program, std::move(words), streams);
    if (process_ < 0) cannot(program, "be started", -process_);
    exchange_once(0, process_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ == 0) return;
    ::kill(-process_, SIGKILL);
    (void)end();
  }
  /// Waits for its end; its status as waitpid has it, or -1.
  int end() {
    siginfo_t info{};
    const auto process = static_cast<id_t>(process_);
    persist([&] { return ::waitid(P_PID, process, &info, WEXITED | WNOWAIT); });
    exchange_once(process_, 0);  // before its number may be another's
    int status = 0;
    const pid_t ended = persist([&] { return ::waitpid(process_, &status, 0); });
    process_ = 0;
    return ended < 0 ? -1 : status;
  }

 private:
  pid_t process_ = 0;
};

/// ": " and the last line that says something, or nothing.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t end = text.rfind('\n');
  if (end != std::string_view::npos) text.remove_prefix(end + 1);
  return text.empty() ? "" : fmt::format(": {}", text);
}

}  // namespace

std::filesystem::path find_program(std::string_view name) {
  const char* const variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets
  std::string_view folders = variable == nullptr ? std::string_view() : variable;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path folder = end == 0 ? "." : std::string(folders.substr(0, end));
    std::filesystem::path path = folder / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0) {
      return path;
    }
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

std::string run_program(const std::filesystem::path& program,
                        const std::vector<std::string>& arguments, std::string_view input) {
  const Descriptor given(memory_file(input, program));
  const Descriptor errors(memory_file({}, program));
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot(program, "make a pipe", errno);
  const Descriptor said(ends[0]);
  Descriptor says(ends[1]);
  std::vector<std::string> words{program.filename().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Child child(program, std::move(words), {*given, *says, *errors});
  says.close();
  std::string output = read_all(*said, program);
  const int status = child.end();
  if (status == 0) return output;
  ::lseek(*errors, 0, SEEK_SET);
  const std::string words_of_error = last_line(read_all(*errors, program));
  if (status != -1 && WIFSIGNALED(status)) {
    throw EnvironmentError(fmt::format("{}: was ended by signal {} ({}){}", program.string(),
                                       WTERMSIG(status), ::strsignal(WTERMSIG(status)),
                                       words_of_error));  // NOLINT(concurrency-mt-unsafe)
  }
  throw EnvironmentError(fmt::format("{}: failed with exit code {}{}", program.string(),
                                     status == -1 ? -1 : WEXITSTATUS(status), words_of_error));
}

void kill_programs() noexcept {
  // A start takes milliseconds, or seconds from a slow disk. Where it takes longer, this process
  // ends, and the program is left to its next line.
  const timespec millisecond{0, 1'000'000};
  for (int waits = 0; starting.load() > 0 && waits < 10'000; ++waits) {
    ::nanosleep(&millisecond, nullptr);
  }
  for (const auto& slot : running) {
    if (const pid_t process = slot.load(); process != 0) ::kill(-process, SIGKILL);
  }
}

}  // namespace orrery
