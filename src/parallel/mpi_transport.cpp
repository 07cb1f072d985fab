// MPI behind Transport. Every return code is checked. The shared counter is one word on rank 0,
// advanced by one-sided fetch-and-add, so that no rank is an idle master.
// At 1,000 ranks the first thing to break is that word: a fetch takes a few microseconds, so units
// must last milliseconds on average (they do, see quartet/scan.cpp).
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "orrery/base/error.hpp"
#include "parallel/transport.hpp"

namespace orrery::parallel {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 28U;  // MPI counts are int

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw EnvironmentError(fmt::format("{} failed: {}", call, text));
}

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv) {
    int provided = 0;
    check(MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_SERIALIZED) {
      throw EnvironmentError("this MPI library does not allow calls from several threads");
    }
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  }
  ~MpiTransport() override { MPI_Finalize(); }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void broadcast(void* data, std::size_t bytes) override {
    for (std::size_t begin = 0; begin < bytes; begin += piece_bytes) {
      check(MPI_Bcast(static_cast<std::byte*>(data) + begin,
                      static_cast<int>(std::min(piece_bytes, bytes - begin)), MPI_BYTE, 0,
                      MPI_COMM_WORLD),
            "MPI_Bcast");
    }
  }

  void sum(std::uint64_t* words, std::size_t n) override {
    constexpr std::size_t piece = piece_bytes / sizeof(std::uint64_t);
    for (std::size_t begin = 0; begin < n; begin += piece) {
      check(MPI_Allreduce(MPI_IN_PLACE, words + begin, static_cast<int>(std::min(piece, n - begin)),
                          MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD),
            "MPI_Allreduce");
    }
  }

  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) override {
    std::uint64_t own = bytes.size();
    std::vector<std::uint64_t> sizes(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
    check(MPI_Gather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD),
          "MPI_Gather");
    std::vector<std::vector<std::byte>> all;
    if (rank_ != 0) {
      for (std::size_t begin = 0; begin < bytes.size(); begin += piece_bytes) {
        check(MPI_Send(bytes.data() + begin,
                       static_cast<int>(std::min(piece_bytes, bytes.size() - begin)), MPI_BYTE, 0,
                       0, MPI_COMM_WORLD),
              "MPI_Send");
      }
      return all;
    }
    all.push_back(bytes);
    for (int source = 1; source < size_; ++source) {
      std::vector<std::byte> part(sizes[static_cast<std::size_t>(source)]);
      for (std::size_t begin = 0; begin < part.size(); begin += piece_bytes) {
        check(MPI_Recv(part.data() + begin,
                       static_cast<int>(std::min(piece_bytes, part.size() - begin)), MPI_BYTE,
                       source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              "MPI_Recv");
      }
      all.push_back(std::move(part));
    }
    return all;
  }

  void open_counter() override {
    const MPI_Aint bytes = rank_ == 0 ? sizeof(std::uint64_t) : 0;
    check(MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &counter_,
                           &window_),
          "MPI_Win_allocate");
    if (rank_ == 0) *counter_ = 0;
    check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier");
    check(MPI_Win_lock_all(0, window_), "MPI_Win_lock_all");
  }

  std::uint64_t next_count() override {
    constexpr std::uint64_t one = 1;
    std::uint64_t count = 0;
    check(MPI_Fetch_and_op(&one, &count, MPI_UINT64_T, 0, 0, MPI_SUM, window_), "MPI_Fetch_and_op");
    check(MPI_Win_flush(0, window_), "MPI_Win_flush");
    return count;
  }

  void close_counter() override {
    check(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all");
    check(MPI_Win_free(&window_), "MPI_Win_free");
  }

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  int rank_ = 0;
  int size_ = 1;
  std::uint64_t* counter_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

/// mpirun (Open MPI), srun --mpi=pmix, and PMI launchers say so in the environment. A lone process
/// does without MPI_Init: it costs more than a small run.
bool was_launched() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(int* argc, char*** argv) {
  if (!was_launched()) return nullptr;
  return std::make_unique<MpiTransport>(argc, argv);
}

}  // namespace orrery::parallel
