#include "orrery/parallel/team.hpp"

#include <omp.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "parallel/transport.hpp"

namespace orrery::parallel {

struct Team::State {
  std::unique_ptr<Transport> transport;
};

Team::Team([[maybe_unused]] int* argc, [[maybe_unused]] char*** argv)
    : state_(std::make_unique<State>()) {
#ifdef ORRERY_HAVE_MPI
  state_->transport = make_mpi_transport(argc, argv);
#endif
  if (!state_->transport) state_->transport = make_local_transport();
}

Team::~Team() = default;

int Team::rank() const noexcept { return state_->transport->rank(); }
int Team::size() const noexcept { return state_->transport->size(); }

void Team::broadcast_bytes(std::vector<std::byte>& bytes) const {
  std::uint64_t size = bytes.size();
  state_->transport->broadcast(&size, sizeof size);
  bytes.resize(size);
  state_->transport->broadcast(bytes.data(), bytes.size());
}

void Team::broadcast_words(std::uint64_t* words, std::size_t n) const {
  state_->transport->broadcast(words, n * sizeof(std::uint64_t));
}

void Team::sum_words(std::vector<std::uint64_t>& words) const {
  state_->transport->sum(words.data(), words.size());
}

std::vector<std::vector<std::byte>> Team::gather_bytes(const std::vector<std::byte>& bytes) const {
  return state_->transport->gather(bytes);
}

void Team::abort(int exit_code) const {
  state_->transport->abort(exit_code);
  std::_Exit(exit_code);
}

void Team::for_each_unit(std::size_t n_units, int n_threads, Progress& progress,
                         const Work& work) const {
  Transport& transport = *state_->transport;
  std::mutex handing_out;
  std::exception_ptr failure;  // the first one; guarded by handing_out
  std::atomic<bool> stopped{false};
  const auto next_unit = [&] {
    const std::lock_guard lock(handing_out);
    return static_cast<std::size_t>(transport.next_count());
  };
  transport.open_counter();
#pragma omp parallel num_threads(n_threads) default(shared)
  {
    try {
      while (!stopped) {
        const std::size_t unit = next_unit();
        if (unit >= n_units) break;
        work(unit, omp_get_thread_num());
        progress.set(unit + 1);
      }
    } catch (...) {
      const std::lock_guard lock(handing_out);
      if (!failure) failure = std::current_exception();
      stopped = true;
    }
  }
  // An exception ends this rank's part before the collective close: the caller ends the run.
  if (failure) std::rethrow_exception(failure);
  transport.close_counter();
}

}  // namespace orrery::parallel
