#include "parallel/ledger.hpp"

namespace orrery::parallel {

Ledger& Ledger::operator+=(const Ledger& other) {
  shared += other.shared;
  longest += other.longest;
  own += other.own;
  messages += other.messages;
  bytes += other.bytes;
  return *this;
}

Ledger& Ledger::operator-=(const Ledger& other) {
  shared -= other.shared;
  longest -= other.longest;
  own -= other.own;
  messages -= other.messages;
  bytes -= other.bytes;
  return *this;
}

Ledger& ledger() {
  thread_local Ledger of_thread;
  return of_thread;
}

}  // namespace orrery::parallel
