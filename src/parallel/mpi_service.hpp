// One thread per rank beside the computing ones: it hands out units to ranks on other hosts, passes
// on requests to stop, lets one rank alone say why a run fails, and notices when a rank falls silent.
//
// Messages are one word, between rank 0 and each other rank; their kind is the tag. Units are asked
// for and given on a communicator of their own, so that the thread that waits for one is not
// disturbed. The counter itself is a word of memory that the ranks of rank 0's host share: they
// count without a message.
//
// Cost: rank 0 looks for messages every 50 us while ranks on other hosts ask for units, else every
// millisecond; a beat a rank every fifth of the watchdog's time, 5 s at most. At 1,000 ranks the
// first thing to break is rank 0's answers: about 5 us each, so units must last milliseconds on
// average (they do, see quartet/scan/scan.cpp).
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace orrery::parallel {

class MpiService {
 public:
  /// `counters`: two shared words, 0, if this rank is on rank 0's host, else null. Collective.
  MpiService(const std::vector<std::string>& hosts, std::uint64_t* counters);
  MpiService(const MpiService&) = delete;
  MpiService& operator=(const MpiService&) = delete;
  /// Collective: waits until every rank has come here.
  ~MpiService();

  /// See Transport. The two words serve in turn: rank 0 sets the one that is retired to 0 while the
  /// other one is in use, so that no rank waits for a counter to be ready.
  void open_counter(bool heeds_stop);
  std::uint64_t next_count();
  void close_counter();
  void retire_counter();

  [[nodiscard]] bool stop_requested() const { return stop_.load(std::memory_order_relaxed); }
  void set_watchdog(double seconds) { watchdog_ = seconds; }
  /// See Team.
  bool claim_last_word();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Kind : int { ask = 1, count, beat, stop, goodbye, claim, granted, refused };
  enum class LastWord { unclaimed, claimed, granted, refused };

  void run() noexcept;
  void serve();
  /// True if a message was there.
  bool answer_units();
  bool read_messages();
  void handle(Kind kind, int source);
  void pass_on_signals();
  void pass_on_claim();
  void beat();
  void look_for_silence();
  [[nodiscard]] bool finished() const;
  [[nodiscard]] std::chrono::microseconds pause(bool busy);
  /// Never waits: what a lost rank does not receive stays under way.
  void send(Kind kind, int target, MPI_Comm communicator, std::uint64_t word = 0);
  [[nodiscard]] std::atomic_ref<std::uint64_t> counter(std::size_t which) const {
    return std::atomic_ref<std::uint64_t>(counters_[which]);
  }
  void send_to_all(Kind kind);
  void forget_received();

  const std::vector<std::string>& hosts_;
  std::uint64_t* counters_;
  std::size_t current_ = 1;  // of the two
  int rank_ = 0;
  int size_ = 1;
  bool serves_units_ = false;  // rank 0, and some rank is on another host
  MPI_Comm messages_ = MPI_COMM_NULL;
  MPI_Comm units_ = MPI_COMM_NULL;
  std::mutex asking_;
  std::mutex opening_;       // at rank 0: a stop closes the counter that heeds it, and no other
  bool heeds_stop_ = false;  // guarded by opening_
  std::atomic<bool> stop_{false};
  std::atomic<bool> leaving_{false};
  std::atomic<LastWord> last_word_{LastWord::unclaimed};  // of this rank
  std::atomic<bool> last_word_given_{false};              // at rank 0: to any rank
  std::atomic<double> watchdog_{0};
  struct Message {
    std::uint64_t word;
    Kind kind;
    int target;
    MPI_Request request;
  };

  // The thread's own.
  std::list<Message> under_way_;
  bool stop_sent_ = false;
  bool claim_sent_ = false;
  bool goodbye_sent_ = false;
  int goodbyes_ = 0;
  std::vector<Clock::time_point> heard_;  // by rank
  Clock::time_point looked_{};
  Clock::time_point beaten_{};
  Clock::time_point asked_{};
  std::thread thread_;
};

}  // namespace orrery::parallel
