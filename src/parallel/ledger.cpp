#include "parallel/ledger.hpp"

#include "base/work_time.hpp"

namespace orrery::parallel {

Ledger& Ledger::operator+=(const Ledger& other) {
  shared += other.shared;
  longest += other.longest;
  own += other.own;
  messages += other.messages;
  bytes += other.bytes;
  exchanged += other.exchanged;
  return *this;
}

Ledger& Ledger::operator-=(const Ledger& other) {
  shared -= other.shared;
  longest -= other.longest;
  own -= other.own;
  messages -= other.messages;
  bytes -= other.bytes;
  exchanged -= other.exchanged;
  return *this;
}

Ledger& ledger() {
  thread_local Ledger of_thread;
  return of_thread;
}

namespace {

thread_local int n_shared_times = 0;  // of this thread, at once

}  // namespace

SharedTime::SharedTime(int n_threads, bool is_shared)
    : begin_(thread_seconds()), n_threads_(n_threads), is_shared_(is_shared) {
  if (is_shared_) ++n_shared_times;
}

SharedTime::~SharedTime() {
  if (!is_shared_ || --n_shared_times > 0) return;
  const double seconds = thread_seconds() - begin_;
  ledger() += {.shared = seconds * n_threads_, .own = seconds};
}

}  // namespace orrery::parallel
