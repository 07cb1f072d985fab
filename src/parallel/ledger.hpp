// What the ranks of a run share out and send to each other, counted as the run goes. From it
// learning/scaling.hpp says how long the run would take on other numbers of ranks.
#pragma once

namespace orrery::parallel {

/// Sums since the process began, of this rank; differences of two are those of a stage.
struct Ledger {
  double shared = 0;    ///< processor seconds of this rank's threads in units
  double longest = 0;   ///< processor seconds of the longest unit of each handing out
  double own = 0;       ///< of `shared` and of messages, processor seconds of the thread that leads
  double messages = 0;  ///< steps in which every rank waits for another
  double bytes = 0;     ///< in them, of a rank
  double exchanged = 0;  ///< bytes that this rank sends to others or receives, of its own rows

  Ledger& operator+=(const Ledger& other);
  Ledger& operator-=(const Ledger& other);
};

/// Of this thread: the one that makes the team's calls has it.
Ledger& ledger();

/// From its making to its end this rank works on its share of what all ranks do, in threads that
/// have even parts of it: enters the time as shared, once if it lives within another. Enters
/// nothing unless it `is_shared`: every rank then does the same.
class SharedTime {
 public:
  explicit SharedTime(int n_threads, bool is_shared = true);
  SharedTime(const SharedTime&) = delete;
  SharedTime& operator=(const SharedTime&) = delete;
  ~SharedTime();

 private:
  double begin_;
  int n_threads_;
  bool is_shared_;
};

}  // namespace orrery::parallel
