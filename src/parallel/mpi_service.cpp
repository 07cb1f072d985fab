#include "parallel/mpi_service.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/program.hpp"
#include "base/progress.hpp"
#include "orrery/base/error.hpp"
#include "parallel/mpi_life.hpp"
#include "parallel/mpi_wait.hpp"
#include "parallel/stop.hpp"
#include "parallel/transport.hpp"

namespace orrery::parallel {
namespace {

using std::chrono::duration;
using std::chrono::microseconds;

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return duration<double>(to - from).count();
}

/// A rank that is not heard of any more.
struct Silence : EnvironmentError {
  using EnvironmentError::EnvironmentError;
};

/// When a rank was last heard of that has nothing more to say.
constexpr auto gone = std::chrono::steady_clock::time_point::max();

}  // namespace

MpiService::MpiService(const std::vector<std::string>& hosts, std::uint64_t* counters)
    : hosts_(hosts), counters_(counters) {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &messages_), "MPI_Comm_dup");
  check(MPI_Comm_dup(MPI_COMM_WORLD, &units_), "MPI_Comm_dup");
  for (const MPI_Comm communicator : {messages_, units_}) {
    check(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  check(MPI_Comm_rank(messages_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(messages_, &size_), "MPI_Comm_size");
  // Whoever lacks the shared word asks by message.
  const int lacks = counters == nullptr ? 1 : 0;
  int any_lacks = 0;
  check(MPI_Allreduce(&lacks, &any_lacks, 1, MPI_INT, MPI_MAX, messages_), "MPI_Allreduce");
  serves_units_ = rank_ == 0 && any_lacks != 0;
  looked_ = Clock::now();
  heard_.assign(static_cast<std::size_t>(size_), looked_);
  thread_ = std::thread([this] { run(); });
}

MpiService::~MpiService() {
  leaving_ = true;
  thread_.join();
  MPI_Comm_free(&units_);
  MPI_Comm_free(&messages_);
}

void MpiService::open_counter(bool heeds_stop) {
  const std::lock_guard lock(opening_);
  current_ = 1 - current_;
  heeds_stop_ = heeds_stop;
  // A stop that comes from here on closes the counter itself.
  if (rank_ == 0 && heeds_stop && stop_) close_counter();
}

void MpiService::retire_counter() {
  const std::lock_guard lock(opening_);
  heeds_stop_ = false;
  if (rank_ == 0) counter(current_) = 0;
}

std::uint64_t MpiService::next_count() {
  if (counters_ != nullptr) return counter(current_)++;
  const std::lock_guard lock(asking_);
  std::uint64_t count = current_;
  check(MPI_Send(&count, 1, MPI_UINT64_T, 0, static_cast<int>(Kind::ask), units_), "MPI_Send");
  MPI_Request answer = MPI_REQUEST_NULL;
  check(MPI_Irecv(&count, 1, MPI_UINT64_T, 0, static_cast<int>(Kind::count), units_, &answer),
        "MPI_Irecv");
  wait(answer, "MPI_Irecv");
  return count;
}

void MpiService::close_counter() { counter(current_) |= counter_closed; }

bool MpiService::claim_last_word() {
  if (rank_ == 0) return !last_word_given_.exchange(true);
  last_word_ = LastWord::claimed;
  const auto until = Clock::now() + std::chrono::seconds(10);  // rank 0 may be lost
  while (last_word_ == LastWord::claimed && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return last_word_ != LastWord::refused;
}

void MpiService::run() noexcept {
  const auto tell = [&](const std::string& message) {
    log::write_error(fmt::format("rank {} of {} on {}: {}", rank_, size_,
                                 hosts_[static_cast<std::size_t>(rank_)], message));
    remove_unfinished_files();
    kill_programs();
  };
  try {
    serve();
  } catch (const Silence& silence) {
    tell(silence.what());
    end_cut_off(static_cast<int>(ExitCode::environment));
  } catch (const std::exception& error) {
    tell(error.what());
    end_run(static_cast<int>(ExitCode::environment));
  }
}

void MpiService::serve() {
  while (!finished()) {
    const bool asked = serves_units_ && answer_units();
    const bool told = read_messages();
    forget_received();
    pass_on_signals();
    pass_on_claim();
    look_for_silence();
    beat();
    if (leaving_ && !goodbye_sent_ && (rank_ != 0 || goodbyes_ == size_ - 1)) {
      goodbye_sent_ = true;
      send_to_all(Kind::goodbye);
      continue;
    }
    std::this_thread::sleep_for(pause(asked || told));
  }
  while (!under_way_.empty()) forget_received();
}

bool MpiService::finished() const {
  return goodbye_sent_ && goodbyes_ == (rank_ == 0 ? size_ - 1 : 1);
}

microseconds MpiService::pause(bool busy) {
  if (!serves_units_) return leaving_ ? microseconds(200) : microseconds(5000);
  const auto now = Clock::now();
  if (busy) asked_ = now;
  return seconds_between(asked_, now) < 0.05 ? microseconds(50) : microseconds(1000);
}

bool MpiService::answer_units() {
  bool any = false;
  for (;;) {
    int there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, static_cast<int>(Kind::ask), units_, &there, &status),
          "MPI_Iprobe");
    if (there == 0) return any;
    any = true;
    std::uint64_t word = 0;
    check(MPI_Recv(&word, 1, MPI_UINT64_T, status.MPI_SOURCE, static_cast<int>(Kind::ask), units_,
                   MPI_STATUS_IGNORE),
          "MPI_Recv");
    send(Kind::count, status.MPI_SOURCE, units_, counter(word)++);
  }
}

bool MpiService::read_messages() {
  bool any = false;
  while (!finished()) {
    int there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, messages_, &there, &status), "MPI_Iprobe");
    if (there == 0) break;
    any = true;
    std::uint64_t word = 0;
    check(MPI_Recv(&word, 1, MPI_UINT64_T, status.MPI_SOURCE, status.MPI_TAG, messages_,
                   MPI_STATUS_IGNORE),
          "MPI_Recv");
    heard_[static_cast<std::size_t>(status.MPI_SOURCE)] = Clock::now();
    handle(static_cast<Kind>(status.MPI_TAG), status.MPI_SOURCE);
  }
  return any;
}

void MpiService::handle(Kind kind, int source) {
  if (kind == Kind::goodbye) {
    ++goodbyes_;
    heard_[static_cast<std::size_t>(source)] = gone;
  }
  if (kind == Kind::claim) {
    send(last_word_given_.exchange(true) ? Kind::refused : Kind::granted, source, messages_);
  }
  if (kind == Kind::granted) last_word_ = LastWord::granted;
  if (kind == Kind::refused) last_word_ = LastWord::refused;
  if (kind != Kind::stop || stop_) return;
  stop_ = true;
  if (rank_ == 0) {
    {
      const std::lock_guard lock(opening_);
      if (heeds_stop_) close_counter();
    }
    send_to_all(Kind::stop);
  }
}

void MpiService::pass_on_signals() {
  if (stop_sent_ || !stop_signalled()) return;
  stop_sent_ = true;
  if (rank_ == 0) {
    handle(Kind::stop, 0);
  } else if (!goodbye_sent_) {
    send_to_all(Kind::stop);
  }
}

void MpiService::pass_on_claim() {
  if (claim_sent_ || last_word_ != LastWord::claimed) return;
  claim_sent_ = true;
  send(Kind::claim, 0, messages_);
}

void MpiService::beat() {
  const double limit = watchdog_;
  const auto now = Clock::now();
  if (!(limit > 0) || goodbye_sent_ || seconds_between(beaten_, now) < std::min(limit / 5, 5.0)) {
    return;
  }
  beaten_ = now;
  send_to_all(Kind::beat);
}

void MpiService::look_for_silence() {
  const double limit = watchdog_;
  const auto now = Clock::now();
  // This process was itself stopped for a while (a suspended job): everybody gets a fresh start.
  const bool slept = seconds_between(looked_, now) > limit / 4;
  looked_ = now;
  if (!(limit > 0) || slept) {
    for (auto& heard : heard_) heard = std::max(heard, now);
    return;
  }
  for (int other = rank_ == 0 ? 1 : 0; other < (rank_ == 0 ? size_ : 1); ++other) {
    const auto heard = heard_[static_cast<std::size_t>(other)];
    if (heard >= now || seconds_between(heard, now) <= limit) continue;
    throw Silence(fmt::format(
        "rank {} on {} has not been heard of for {}: the host or the network is lost; the last "
        "checkpoint stands, start again with --resume (--watchdog sets the patience)",
        other, hosts_[static_cast<std::size_t>(other)], format_duration(limit)));
  }
}

void MpiService::send(Kind kind, int target, MPI_Comm communicator, std::uint64_t word) {
  const bool beats_already =
      kind == Kind::beat && std::ranges::any_of(under_way_, [&](auto& other) {
        return other.kind == Kind::beat && other.target == target;
      });
  if (beats_already) return;
  Message& message = under_way_.emplace_back(Message{word, kind, target, MPI_REQUEST_NULL});
  check(MPI_Isend(&message.word, 1, MPI_UINT64_T, target, static_cast<int>(kind), communicator,
                  &message.request),
        "MPI_Isend");
}

void MpiService::forget_received() {
  for (auto message = under_way_.begin(); message != under_way_.end();) {
    int received = 0;
    check(MPI_Test(&message->request, &received, MPI_STATUS_IGNORE), "MPI_Test");
    message = received != 0 ? under_way_.erase(message) : std::next(message);
  }
}

void MpiService::send_to_all(Kind kind) {
  if (rank_ != 0) {
    send(kind, 0, messages_);
    return;
  }
  for (int other = 1; other < size_; ++other) send(kind, other, messages_);
}

}  // namespace orrery::parallel
