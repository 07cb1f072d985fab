// The few messages a team needs, behind which MPI stands or nothing at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace orrery::parallel {

/// Set in the shared counter when no more units are to be handed out: every count is then beyond
/// any number of units, and setting it twice changes nothing.
inline constexpr std::uint64_t counter_closed = std::uint64_t{1} << 63U;

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// The host of every rank, by rank.
  [[nodiscard]] virtual const std::vector<std::string>& hosts() const = 0;
  virtual void broadcast(void* data, std::size_t bytes) = 0;
  virtual void sum(std::uint64_t* words, std::size_t n) = 0;
  virtual void sum(std::uint32_t* words, std::size_t n) = 0;
  /// The same where rank r needs words from begins[r] to begins[r + 1] alone; the others are
  /// unspecified afterwards.
  virtual void sum_parts(std::uint64_t* words, const std::vector<std::size_t>& begins) = 0;
  virtual void sum_parts(std::uint32_t* words, const std::vector<std::size_t>& begins) = 0;
  /// Every rank's bytes at rank 0, by rank; empty elsewhere.
  virtual std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) = 0;
  /// Every rank's words at every rank, one after the other by rank: fewer than 2^31 of them.
  struct Gathered {
    std::vector<std::uint64_t> words;
    int n_messages = 0;  ///< that it took; one for few words
  };
  virtual Gathered gather_everywhere(const std::vector<std::uint64_t>& words) = 0;
  /// `to[r]` goes to rank r. Returns what the ranks had for this one, by rank.
  virtual std::vector<std::vector<std::uint32_t>> exchange(
      const std::vector<std::vector<std::uint32_t>>& to) = 0;

  /// Words that all ranks of a host see, zeroed or not; they live as long as the transport.
  /// Collective.
  virtual std::uint64_t* host_words(std::size_t n) = 0;
  /// One rank of each host: it fills what host_words gave.
  [[nodiscard]] virtual bool leads_host() const = 0;
  [[nodiscard]] virtual int host_size() const = 0;
  /// Rank 0's words to the leaders of the other hosts; returns at every rank when they are there.
  /// Collective.
  virtual void broadcast_to_hosts(std::uint64_t* words, std::size_t n) = 0;

  /// A counter shared by all ranks, from 0; a request to stop closes it, now or later, if it heeds
  /// stops. Every rank calls this, and none waits for another.
  virtual void open_counter(bool heeds_stop) = 0;
  /// Any thread.
  virtual std::uint64_t next_count() = 0;
  /// Sets counter_closed. Rank 0, any thread.
  virtual void close_counter() = 0;
  /// The counter is not used any more: every rank calls this after a sum over all ranks that each
  /// entered when it had stopped counting, and before the next such sum.
  virtual void retire_counter() = 0;

  /// True once any rank was asked to stop (soon after, elsewhere).
  [[nodiscard]] virtual bool stop_requested() const = 0;
  /// Ends the run if a rank has not been heard of for this long; 0: never.
  virtual void set_watchdog(double seconds) = 0;
  /// True at one rank of all that call this: it says why the run ends, and the others are silent.
  virtual bool claim_last_word() = 0;
  /// Ends every rank with this exit code; does not return.
  virtual void abort(int exit_code) = 0;
};

/// One rank, no messages.
std::unique_ptr<Transport> make_local_transport();
/// MPI if this process was started by mpirun or srun, else null (mpi_transport.cpp).
std::unique_ptr<Transport> make_mpi_transport(int* argc, char*** argv, double patience_seconds);

}  // namespace orrery::parallel
