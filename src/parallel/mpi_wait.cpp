#include "parallel/mpi_wait.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "parallel/mpi_life.hpp"

namespace orrery::parallel {

void prepare_waits() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread of this program is there yet
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
#ifdef __linux__
  ::prctl(PR_SET_TIMERSLACK, 1'000UL, 0UL, 0UL, 0UL);  // ns
#endif
}

void wait(MPI_Request request, const char* call) {
  using std::chrono::microseconds;
  using std::chrono::steady_clock;
  constexpr auto awake = microseconds(50);
  const auto begin = steady_clock::now();
  for (;;) {
    int is_done = 0;
    check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), call);
    if (is_done != 0) return;
    const auto waited = steady_clock::now() - begin;
    if (waited < awake) continue;
    std::this_thread::sleep_for(
        std::min<steady_clock::duration>(waited / 8, std::chrono::milliseconds(1)));
  }
}

void wait_for_all(MPI_Comm communicator) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(communicator, &request), "MPI_Ibarrier");
  wait(request, "MPI_Ibarrier");
}

}  // namespace orrery::parallel
