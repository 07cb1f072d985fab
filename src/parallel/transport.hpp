// The few messages a team needs, behind which MPI stands or nothing at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery::parallel {

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void broadcast(void* data, std::size_t bytes) = 0;
  virtual void sum(std::uint64_t* words, std::size_t n) = 0;
  /// Every rank's bytes at rank 0, by rank; empty elsewhere.
  virtual std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) = 0;
  /// A counter shared by all ranks, from 0. open and close are collective; next may be called by
  /// one thread of a rank at a time.
  virtual void open_counter() = 0;
  virtual std::uint64_t next_count() = 0;
  virtual void close_counter() = 0;
  /// Ends every rank with this exit code; does not return.
  virtual void abort(int exit_code) = 0;
};

/// One rank, no messages.
std::unique_ptr<Transport> make_local_transport();
/// MPI if this process was started by mpirun or srun, else null (mpi_transport.cpp).
std::unique_ptr<Transport> make_mpi_transport(int* argc, char*** argv);

}  // namespace orrery::parallel
