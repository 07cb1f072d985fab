#include "parallel/team.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <queue>
#include <utility>

#include "base/work_time.hpp"
#include "parallel/ledger.hpp"
#include "parallel/stop.hpp"
#include "parallel/transport.hpp"

namespace orrery::parallel {

void Units::advance(std::uint64_t n, std::vector<std::uint64_t> given_back) {
  assert(n <= left());
  const std::uint64_t again = std::min<std::uint64_t>(n, returned.size());
  returned.erase(returned.begin(), returned.begin() + static_cast<std::ptrdiff_t>(again));
  next += n - again;
  returned.insert(returned.end(), given_back.begin(), given_back.end());
  std::ranges::sort(returned);
}

std::vector<double> hand_out(std::span<const double> weights, std::size_t ranks) {
  using Free = std::pair<double, std::size_t>;  // when, which rank
  std::priority_queue<Free, std::vector<Free>, std::greater<>> first;
  std::vector<double> loads(ranks, 0);
  for (std::size_t r = 0; r < ranks; ++r) first.emplace(0, r);
  for (const double weight : weights) {
    const std::size_t rank = first.top().second;
    first.pop();
    loads[rank] += weight;
    first.emplace(loads[rank], rank);
  }
  return loads;
}

std::vector<std::size_t> share_out(std::span<const std::uint64_t> weights, std::size_t ranks) {
  using Load = std::pair<std::uint64_t, std::size_t>;  // of which rank
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (std::size_t r = 0; r < ranks; ++r) least.emplace(0, r);
  std::vector<std::size_t> units(weights.size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  std::ranges::stable_sort(units, std::greater<>{},
                           [&](std::size_t unit) { return weights[unit]; });
  std::vector<std::size_t> rank_of(weights.size());
  for (const std::size_t unit : units) {
    const auto [load, rank] = least.top();
    rank_of[unit] = rank;
    least.pop();
    least.emplace(load + weights[unit], rank);
  }
  return rank_of;
}

double imbalance(std::span<const double> loads) {
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  if (!(sum > 0)) return 0;
  return *std::ranges::max_element(loads) * static_cast<double>(loads.size()) / sum;
}

struct Team::State {
  std::unique_ptr<Transport> transport;
  bool is_noted = true;  ///< in the ledger; what a rank does by itself is not shared out
};

namespace {

/// Enters a message of so many bytes, and what it took this thread, in the ledger.
class Entry {
 public:
  explicit Entry(bool is_noted, std::size_t bytes, double messages = 1) : is_noted_(is_noted) {
    if (!is_noted) return;
    ledger().messages += messages;
    ledger().bytes += static_cast<double>(bytes);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  ~Entry() {
    if (is_noted_) ledger().own += thread_seconds() - begin_;
  }

 private:
  bool is_noted_;
  double begin_ = thread_seconds();
};

}  // namespace

Team::Team([[maybe_unused]] int* argc, [[maybe_unused]] char*** argv,
           [[maybe_unused]] double patience_seconds)
    : state_(std::make_unique<State>()) {
#ifdef ORRERY_HAVE_MPI
  state_->transport = make_mpi_transport(argc, argv, patience_seconds);
#endif
  if (!state_->transport) state_->transport = make_local_transport();
}

Team::Team() : state_(std::make_unique<State>()) {
  state_->transport = make_local_transport();
  state_->is_noted = false;
}

Team::~Team() = default;

int Team::rank() const noexcept { return state_->transport->rank(); }
int Team::size() const noexcept { return state_->transport->size(); }

void Team::broadcast_bytes(std::vector<std::byte>& bytes) const {
  std::uint64_t size = bytes.size();
  const Entry entry(state_->is_noted, 0, 2);
  state_->transport->broadcast(&size, sizeof size);
  bytes.resize(size);
  state_->transport->broadcast(bytes.data(), bytes.size());
  if (state_->is_noted) ledger().bytes += static_cast<double>(bytes.size());
}

void Team::broadcast_words(std::uint64_t* words, std::size_t n) const {
  const Entry entry(state_->is_noted, n * sizeof(std::uint64_t));
  state_->transport->broadcast(words, n * sizeof(std::uint64_t));
}

void Team::sum_words(std::vector<std::uint64_t>& words) const {
  const Entry entry(state_->is_noted, words.size() * sizeof(std::uint64_t));
  state_->transport->sum(words.data(), words.size());
}

void Team::sum_counts(std::span<std::uint32_t> counts) const {
  const Entry entry(state_->is_noted, counts.size_bytes());
  state_->transport->sum(counts.data(), counts.size());
}

Team::Part Team::part_of(std::size_t n) const {
  const auto rank = static_cast<std::size_t>(this->rank());
  const auto size = static_cast<std::size_t>(this->size());
  return {n * rank / size, n * (rank + 1) / size};
}

// Each value is passed once; those of a sum, which is what the ledger counts in, twice.
void Team::sum_parts(std::span<std::uint32_t> values,
                     const std::vector<std::size_t>& begins) const {
  const Entry entry(state_->is_noted, values.size_bytes() / 2);
  state_->transport->sum_parts(values.data(), begins);
}

void Team::sum_parts(std::span<std::uint64_t> values, std::size_t width) const {
  const Entry entry(state_->is_noted, values.size_bytes() / 2);
  const std::size_t n = values.size() / width;
  const auto size = static_cast<std::size_t>(this->size());
  std::vector<std::size_t> begins;
  for (std::size_t r = 0; r <= size; ++r) begins.push_back(n * r / size * width);
  state_->transport->sum_parts(values.data(), begins);
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
  const Entry entry(state_->is_noted, bytes.size());
  auto all = state_->transport->gather(bytes);
  // What the root receives from the others comes through one door.
  for (std::size_t r = 1; state_->is_noted && r < all.size(); ++r)
    ledger().bytes += static_cast<double>(all[r].size());
  return all;
}

std::vector<std::uint64_t> Team::gather_words_everywhere(
    const std::vector<std::uint64_t>& words) const {
  const Entry entry(state_->is_noted, 0, 0);
  Transport::Gathered all = state_->transport->gather_everywhere(words);
  if (state_->is_noted) {
    ledger().messages += all.n_messages;
    // As in sum_parts.
    ledger().bytes += static_cast<double>(all.words.size() * sizeof all.words[0]) / 2;
  }
  return std::move(all.words);
}

std::vector<std::vector<std::uint32_t>> Team::exchange(
    const std::vector<std::vector<std::uint32_t>>& to) const {
  const Entry entry(state_->is_noted, 0);
  auto from = state_->transport->exchange(to);
  if (!state_->is_noted) return from;
  std::size_t sent = 0;
  std::size_t received = 0;
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (r == static_cast<std::size_t>(rank())) continue;
    sent += to[r].size();
    received += from[r].size();
  }
  ledger().exchanged += static_cast<double>(std::max(sent, received) * sizeof to[0][0]);
  return from;
}

bool Team::claim_last_word() const { return state_->transport->claim_last_word(); }

void Team::abort(int exit_code) const {
  state_->transport->abort(exit_code);
  std::_Exit(exit_code);
}

std::uint64_t* Team::host_words(std::size_t n) const { return state_->transport->host_words(n); }
bool Team::leads_host() const { return state_->transport->leads_host(); }
void Team::broadcast_to_hosts(std::uint64_t* words, std::size_t n) const {
  const Entry entry(state_->is_noted, n * sizeof(std::uint64_t));
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
  double longest_seconds = 0;
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
  const double begun = thread_seconds();
#pragma omp parallel num_threads(n_threads) default(shared)
  {
    Tally own;
    try {
      while (!failed) {
        const std::uint64_t i = next();
        if (i >= n_left) break;
        const double begin = thread_seconds();
        ++own.n_taken;
        if (!work(units.at(i), omp_get_thread_num())) own.returned.push_back(units.at(i));
        const double seconds = thread_seconds() - begin;
        own.busy_seconds += seconds;
        own.longest_seconds = std::max(own.longest_seconds, seconds);
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
    tally.longest_seconds = std::max(tally.longest_seconds, own.longest_seconds);
    tally.returned.insert(tally.returned.end(), own.returned.begin(), own.returned.end());
  }
  if (failure) std::rethrow_exception(failure);
  if (state_->is_noted)
    ledger() += {.shared = tally.busy_seconds,
                 .longest = tally.longest_seconds,
                 .own = thread_seconds() - begun};

  // Root's view of a request to stop decides for all. One sum is all that ranks wait for, unless
  // units came back.
  std::vector<std::uint64_t> totals{tally.n_taken, tally.returned.size(),
                                    is_root() && transport.stop_requested() ? 1U : 0U};
  sum_words(totals);
  transport.retire_counter();
  std::vector<std::uint64_t> returned;
  if (totals[1] > 0) {
    returned = gather(tally.returned);
    broadcast(returned);
  }
  units.advance(totals[0], std::move(returned));
  const Pause pause = units.done() ? Pause::none : totals[2] > 0 ? Pause::stop : Pause::due;
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

namespace {

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

class LocalTransport final : public Transport {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] const std::vector<std::string>& hosts() const override { return hosts_; }
  void broadcast(void* /*data*/, std::size_t /*bytes*/) override {}
  void sum(std::uint64_t* /*words*/, std::size_t /*n*/) override {}
  void sum(std::uint32_t* /*words*/, std::size_t /*n*/) override {}
  void sum_parts(std::uint64_t* /*words*/, const std::vector<std::size_t>& /*begins*/) override {}
  void sum_parts(std::uint32_t* /*words*/, const std::vector<std::size_t>& /*begins*/) override {}
  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) override {
    return {bytes};
  }
  Gathered gather_everywhere(const std::vector<std::uint64_t>& words) override {
    return {words, 1};
  }
  std::vector<std::vector<std::uint32_t>> exchange(
      const std::vector<std::vector<std::uint32_t>>& to) override {
    return to;
  }
  std::uint64_t* host_words(std::size_t /*n*/) override { return nullptr; }  // nobody to share with
  [[nodiscard]] bool leads_host() const override { return true; }
  [[nodiscard]] int host_size() const override { return 1; }
  void broadcast_to_hosts(std::uint64_t* /*words*/, std::size_t /*n*/) override {}
  void open_counter(bool /*heeds_stop: Team asks each time*/) override { counter_ = 0; }
  std::uint64_t next_count() override { return counter_++; }
  void close_counter() override { counter_ |= counter_closed; }
  void retire_counter() override {}
  [[nodiscard]] bool stop_requested() const override { return stop_signalled(); }
  void set_watchdog(double /*seconds*/) override {}  // nobody else can be lost
  bool claim_last_word() override { return true; }
  void abort(int exit_code) override { std::_Exit(exit_code); }

 private:
  std::vector<std::string> hosts_{host_name()};
  std::atomic<std::uint64_t> counter_{0};
};

}  // namespace

std::unique_ptr<Transport> make_local_transport() { return std::make_unique<LocalTransport>(); }

}  // namespace orrery::parallel
