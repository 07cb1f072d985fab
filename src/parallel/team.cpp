#include "parallel/team.hpp"

#include <omp.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "parallel/transport.hpp"

namespace orrery::parallel {

struct Team::State {
  std::unique_ptr<Transport> transport;
};

Team::Team([[maybe_unused]] int* argc, [[maybe_unused]] char*** argv,
           [[maybe_unused]] double patience_seconds)
    : state_(std::make_unique<State>()) {
#ifdef ORRERY_HAVE_MPI
  state_->transport = make_mpi_transport(argc, argv, patience_seconds);
#endif
  if (!state_->transport) state_->transport = make_local_transport();
}

Team::Team() : state_(std::make_unique<State>()) { state_->transport = make_local_transport(); }

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

void Team::sum_counts(std::span<std::uint32_t> counts) const {
  state_->transport->sum(counts.data(), counts.size());
}

void Team::share_values(std::vector<double>& values) const {
  // Bits of 0 are 0: the sum of the words is the one value, whatever it is.
  std::vector<std::uint64_t> words(values.size());
  std::ranges::transform(values, words.begin(),
                         [](double value) { return std::bit_cast<std::uint64_t>(value); });
  sum_words(words);
  std::ranges::transform(words, values.begin(),
                         [](std::uint64_t word) { return std::bit_cast<double>(word); });
}

std::vector<std::vector<std::byte>> Team::gather_bytes(const std::vector<std::byte>& bytes) const {
  return state_->transport->gather(bytes);
}

void Team::abort(int exit_code) const {
  state_->transport->abort(exit_code);
  std::_Exit(exit_code);
}

std::uint64_t* Team::host_words(std::size_t n) const { return state_->transport->host_words(n); }
bool Team::leads_host() const { return state_->transport->leads_host(); }
void Team::broadcast_to_hosts(std::uint64_t* words, std::size_t n) const {
  state_->transport->broadcast_to_hosts(words, n);
}
const std::vector<std::string>& Team::hosts() const { return state_->transport->hosts(); }

bool Team::stop_requested() const { return state_->transport->stop_requested(); }
void Team::set_watchdog(double seconds) const { state_->transport->set_watchdog(seconds); }

namespace {

/// What the threads of a rank did with a stretch of units.
struct Tally {
  std::uint64_t n_taken = 0;
  std::vector<std::uint64_t> returned;
  double busy_seconds = 0;
};

}  // namespace

Team::Stretch Team::run_units(Units& units, int n_threads, Clock::time_point pause_at,
                              Progress& progress, const Work& work) const {
  Transport& transport = *state_->transport;
  const bool may_pause = pause_at != never;
  const std::uint64_t n_left = units.left();
  std::mutex tallying;
  Tally tally;
  std::exception_ptr failure;  // the first one; guarded by tallying
  std::atomic<bool> failed{false};
  const auto next = [&] {
    if (may_pause && is_root() && (transport.stop_requested() || Clock::now() >= pause_at)) {
      transport.close_counter();
    }
    return transport.next_count();
  };
  transport.open_counter(may_pause);
#pragma omp parallel num_threads(n_threads) default(shared)
  {
    Tally own;
    try {
      while (!failed) {
        const std::uint64_t i = next();
        if (i >= n_left) break;
        const auto begin = Clock::now();
        ++own.n_taken;
        if (!work(units.at(i), omp_get_thread_num())) own.returned.push_back(units.at(i));
        own.busy_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        progress.set(units.next + i + 1);
      }
    } catch (...) {
      const std::lock_guard lock(tallying);
      if (!failure) failure = std::current_exception();
      failed = true;
    }
    const std::lock_guard lock(tallying);
    tally.n_taken += own.n_taken;
    tally.busy_seconds += own.busy_seconds;
    tally.returned.insert(tally.returned.end(), own.returned.begin(), own.returned.end());
  }
  if (failure) std::rethrow_exception(failure);

  // Root's view of a request to stop decides for all.
  std::vector<std::uint64_t> totals{tally.n_taken,
                                    is_root() && transport.stop_requested() ? 1U : 0U};
  sum_words(totals);
  std::vector<std::uint64_t> returned = gather(tally.returned);
  broadcast(returned);
  units.advance(totals[0], std::move(returned));
  const Pause pause = units.done() ? Pause::none : totals[1] > 0 ? Pause::stop : Pause::due;
  return {pause, tally.busy_seconds};
}

void Team::for_each_unit(std::uint64_t n_units, int n_threads, Progress& progress,
                         const std::function<void(std::uint64_t unit, int thread)>& work) const {
  Units units{n_units, 0, {}};
  (void)run_units(units, n_threads, never, progress, [&](std::uint64_t unit, int thread) {
    work(unit, thread);
    return true;
  });
}

}  // namespace orrery::parallel
