// Protocol, over a pair of sockets: first the reader tells what it opened; then it answers requests
// until the other end is closed. An answer is its kind, its length and its bytes.
#include "store/reader_process.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::store {

namespace {

enum class Answer : std::uint32_t { content, input_error, usage_error, environment_error };
enum class Wish : std::uint32_t { restart, numbers, finish, row_names };

struct Request {
  Wish wish = Wish::numbers;
  std::uint32_t array = 0;
  std::uint64_t first = 0;  ///< of row names
  std::uint64_t n = 0;
};
struct AnswerHead {
  Answer kind = Answer::content;
  std::uint64_t n_bytes = 0;
};

/// False if the other end is closed.
bool send_bytes(int socket, const void* bytes, std::size_t n) {
  const char* next = static_cast<const char*>(bytes);
  while (n > 0) {
    const ssize_t sent = send(socket, next, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    n -= static_cast<std::size_t>(sent);
  }
  return true;
}
bool receive_bytes(int socket, void* bytes, std::size_t n) {
  char* next = static_cast<char*>(bytes);
  while (n > 0) {
    const ssize_t received = recv(socket, next, n, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    next += received;
    n -= static_cast<std::size_t>(received);
  }
  return true;
}

/// Numbers and texts, one after another.
class Packer {
 public:
  void add(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};
class Unpacker {
 public:
  explicit Unpacker(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes_.data() + next_, sizeof number);
    next_ += sizeof number;
    return number;
  }
  std::string text() {
    const auto n = static_cast<std::size_t>(number());
    next_ += n;
    return bytes_.substr(next_ - n, n);
  }

 private:
  std::string bytes_;
  std::size_t next_ = 0;
};

// ------------------------------------------------------------------------------------ the reader

std::string describe(const ArraysOfTable& table) {
  Packer packer;
  packer.add(static_cast<std::uint64_t>(table.layout));
  packer.add(table.frame.n_rows);
  packer.add(table.frame.row_name ? 1 : 0);
  packer.add(table.frame.names.size());
  for (const std::string& name : table.frame.names) packer.add(name);
  packer.add(table.arrays.size());
  for (const auto& array : table.arrays) {
    packer.add(array->name());
    packer.add(array->size());
    packer.add(array->holds_integers() ? 1 : 0);
  }
  return packer.bytes();
}

std::string obey(const ArraysOfTable& table, const Request& request) {
  if (request.wish == Wish::row_names) {
    Packer packer;
    for (std::uint64_t i = 0; i < request.n; ++i) {
      packer.add(table.frame.row_name(request.first + i));
    }
    return packer.bytes();
  }
  data::NumberStream& array = *table.arrays[request.array];
  if (request.wish == Wish::restart) array.restart();
  if (request.wish == Wish::finish) array.finish();
  if (request.wish != Wish::numbers) return {};
  std::vector<double> numbers(static_cast<std::size_t>(request.n));
  for (double& number : numbers) number = array.next();
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

/// Ends this process after ten seconds of computing: a damaged list may lead HDF5 round in circles.
void limit_next_answer() {
  constexpr itimerval limit{{0, 0}, {10, 0}};
  setitimer(ITIMER_VIRTUAL, &limit, nullptr);
}

/// Sends what `work` returns, or the error that it throws; false if nobody hears it, or after an
/// error.
template <class Work>
bool answer(int socket, const Work& work) {
  AnswerHead head;
  std::string bytes;
  const auto fail = [&](Answer kind, const char* message) {
    head.kind = kind;
    bytes = message;
  };
  try {
    limit_next_answer();
    bytes = work();
  } catch (const InputError& error) {
    fail(Answer::input_error, error.what());
  } catch (const UsageError& error) {
    fail(Answer::usage_error, error.what());
  } catch (const std::exception& error) {
    fail(Answer::environment_error, error.what());
  }
  head.n_bytes = bytes.size();
  return send_bytes(socket, &head, sizeof head) && send_bytes(socket, bytes.data(), bytes.size()) &&
         head.kind == Answer::content;
}

/// What ends the command is for the command to answer; its end closes the socket.
void be_a_reader() {
  for (int number = 1; number < 32; ++number) {
    const bool is_of_the_terminal = number == SIGINT || number == SIGTERM || number == SIGHUP;
    std::signal(number, is_of_the_terminal ? SIG_IGN : SIG_DFL);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

[[noreturn]] void serve(int socket, const std::function<ArraysOfTable()>& open) {
  be_a_reader();
  ArraysOfTable table;
  bool goes_on = answer(socket, [&] {
    table = open();
    return describe(table);
  });
  Request request;
  while (goes_on && receive_bytes(socket, &request, sizeof request)) {
    goes_on = answer(socket, [&] { return obey(table, request); });
  }
  _exit(0);  // nothing of the command's is flushed or removed
}

// ------------------------------------------------------------------------------- the other end

class ReaderProcess {
 public:
  ReaderProcess(const std::filesystem::path& path, const std::function<ArraysOfTable()>& open);
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;
  ~ReaderProcess();

  std::string ask(const Request& request);
  /// The next answer.
  std::string receive();

 private:
  [[noreturn]] void refuse_dead();
  int wait_for_end();

  std::string file_;
  int socket_ = -1;
  pid_t process_ = -1;
};

ReaderProcess::ReaderProcess(const std::filesystem::path& path,
                             const std::function<ArraysOfTable()>& open)
    : file_(path.string()) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw EnvironmentError(
        fmt::format("{}: no process can be started to read it: {}", file_, std::strerror(errno)));
  }
  process_ = fork();  // no thread is inside HDF5: one imports, and nothing else runs meanwhile
  if (process_ == 0) {
    close(ends[0]);
    serve(ends[1], open);
  }
  close(ends[1]);
  socket_ = ends[0];
  if (process_ < 0) {
    const int error = errno;
    close(socket_);
    throw EnvironmentError(
        fmt::format("{}: no process can be started to read it: {}", file_, std::strerror(error)));
  }
}

ReaderProcess::~ReaderProcess() {
  close(socket_);
  if (process_ > 0) {
    kill(process_, SIGKILL);  // it only reads
    wait_for_end();
  }
}

int ReaderProcess::wait_for_end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void ReaderProcess::refuse_dead() {
  const int status = process_ > 0 ? wait_for_end() : 0;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    throw EnvironmentError(fmt::format(
        "{}: the process that reads it was killed; run where more memory is free", file_));
  }
  throw InputError(fmt::format(
      "{}: the file is damaged: HDF5 cannot go on reading it ({}); restore a copy or write it anew",
      file_,
      !WIFSIGNALED(status)            ? "it ended"
      : WTERMSIG(status) == SIGVTALRM ? "it goes round in circles"
                                      : strsignal(WTERMSIG(status))));
}

std::string ReaderProcess::ask(const Request& request) {
  if (!send_bytes(socket_, &request, sizeof request)) refuse_dead();
  return receive();
}

std::string ReaderProcess::receive() {
  AnswerHead head;
  if (!receive_bytes(socket_, &head, sizeof head)) refuse_dead();
  std::string bytes(static_cast<std::size_t>(head.n_bytes), '\0');
  if (!receive_bytes(socket_, bytes.data(), bytes.size())) refuse_dead();
  switch (head.kind) {
    case Answer::input_error:
      throw InputError(bytes);
    case Answer::usage_error:
      throw UsageError(bytes);
    case Answer::environment_error:
      throw EnvironmentError(bytes);
    default:
      return bytes;
  }
}

class RemoteStream final : public data::NumberStream {
 public:
  RemoteStream(std::shared_ptr<ReaderProcess> reader, std::uint32_t number, std::string name,
               std::uint64_t size, bool holds_integers)
      : NumberStream(std::move(name), size, holds_integers),
        reader_(std::move(reader)),
        number_(number) {}

  void finish() override { static_cast<void>(reader_->ask({Wish::finish, number_, 0, 0})); }

 protected:
  void rewind() override { static_cast<void>(reader_->ask({Wish::restart, number_, 0, 0})); }
  void read(std::span<double> values) override {
    const std::string bytes = reader_->ask({Wish::numbers, number_, 0, values.size()});
    std::memcpy(values.data(), bytes.data(), values.size_bytes());
  }

 private:
  std::shared_ptr<ReaderProcess> reader_;
  std::uint32_t number_;
};

/// A piece at a time, of rows that are asked for in ascending order, mostly.
class RemoteNames {
 public:
  RemoteNames(std::shared_ptr<ReaderProcess> reader, std::uint64_t n_rows)
      : reader_(std::move(reader)), n_rows_(n_rows) {}
  std::string operator()(std::uint64_t row) {
    if (row < first_ || row >= first_ + names_.size()) {
      constexpr std::uint64_t at_once = 1024;
      first_ = row / at_once * at_once;
      const std::uint64_t n = std::min(at_once, n_rows_ - first_);
      Unpacker unpacker(reader_->ask({Wish::row_names, 0, first_, n}));
      names_.clear();
      for (std::uint64_t i = 0; i < n; ++i) names_.push_back(unpacker.text());
    }
    return names_[static_cast<std::size_t>(row - first_)];
  }

 private:
  std::shared_ptr<ReaderProcess> reader_;
  std::uint64_t n_rows_;
  std::uint64_t first_ = 0;
  std::vector<std::string> names_;
};

}  // namespace

ArraysOfTable open_in_process(const std::filesystem::path& path,
                              const std::function<ArraysOfTable()>& open) {
  const auto reader = std::make_shared<ReaderProcess>(path, open);
  Unpacker unpacker(reader->receive());
  ArraysOfTable table;
  table.layout = static_cast<ArraysOfTable::Layout>(unpacker.number());
  table.frame.file = path.string();
  table.frame.n_rows = unpacker.number();
  if (unpacker.number() != 0) table.frame.row_name = RemoteNames(reader, table.frame.n_rows);
  table.frame.names.resize(static_cast<std::size_t>(unpacker.number()));
  for (std::string& name : table.frame.names) name = unpacker.text();
  const std::uint64_t n_arrays = unpacker.number();
  for (std::uint32_t i = 0; i < n_arrays; ++i) {
    std::string name = unpacker.text();
    const std::uint64_t size = unpacker.number();
    const bool holds_integers = unpacker.number() != 0;
    table.arrays.push_back(
        std::make_unique<RemoteStream>(reader, i, std::move(name), size, holds_integers));
  }
  return table;
}

}  // namespace orrery::store
