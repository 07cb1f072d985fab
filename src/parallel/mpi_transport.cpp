// MPI behind Transport. Every return code is checked. Units come from a counter that the ranks of
// rank 0's host share in memory and the others ask for by message (mpi_service.hpp): no rank is an
// idle master. What a host needs once, the samples above all, lies in a shared-memory window.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/log.hpp"
#include "orrery/base/error.hpp"
#include "parallel/mpi_life.hpp"
#include "parallel/mpi_service.hpp"
#include "parallel/mpi_wait.hpp"
#include "parallel/stop.hpp"
#include "parallel/transport.hpp"

namespace orrery::parallel {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 28U;  // MPI counts are int
// Longer messages go by the calls that wait in MPI, which know faster ways for them: once every
// rank has come, there is little to wait for.
constexpr std::size_t short_bytes = std::size_t{1} << 16U;

class MpiTransport final : public Transport {
 public:
  MpiTransport(int* argc, char*** argv, double patience_seconds);
  ~MpiTransport() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] const std::vector<std::string>& hosts() const override { return hosts_; }

  void broadcast(void* data, std::size_t bytes) override {
    broadcast_on(MPI_COMM_WORLD, data, bytes);
  }
  void sum(std::uint64_t* words, std::size_t n) override { sum_all(words, n, MPI_UINT64_T); }
  void sum(std::uint32_t* words, std::size_t n) override { sum_all(words, n, MPI_UINT32_T); }
  void sum_parts(std::uint64_t* words, const std::vector<std::size_t>& begins) override {
    sum_each(words, begins, MPI_UINT64_T);
  }
  void sum_parts(std::uint32_t* words, const std::vector<std::size_t>& begins) override {
    sum_each(words, begins, MPI_UINT32_T);
  }
  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) override;
  Gathered gather_everywhere(const std::vector<std::uint64_t>& words) override;
  std::vector<std::vector<std::uint32_t>> exchange(
      const std::vector<std::vector<std::uint32_t>>& to) override;

  std::uint64_t* host_words(std::size_t n) override;
  [[nodiscard]] bool leads_host() const override { return host_rank_ == 0; }
  [[nodiscard]] int host_size() const override { return host_size_; }
  void broadcast_to_hosts(std::uint64_t* words, std::size_t n) override;

  void open_counter(bool heeds_stop) override;
  std::uint64_t next_count() override { return service_ ? service_->next_count() : counter_++; }
  void close_counter() override {
    if (service_) {
      service_->close_counter();
    } else {
      counter_ |= counter_closed;
    }
  }
  void retire_counter() override {
    if (service_) service_->retire_counter();
  }
  [[nodiscard]] bool stop_requested() const override {
    return service_ ? service_->stop_requested() : stop_signalled();
  }
  void set_watchdog(double seconds) override {
    if (service_) service_->set_watchdog(seconds);
  }
  bool claim_last_word() override { return !service_ || service_->claim_last_word(); }
  void abort(int exit_code) override { end_run(exit_code); }

 private:
  void join_host();
  void name_hosts();
  static void broadcast_on(MPI_Comm communicator, void* data, std::size_t bytes);
  template <class T>
  static void sum_all(T* values, std::size_t n, MPI_Datatype type);
  template <class T>
  void sum_each(T* values, const std::vector<std::size_t>& begins, MPI_Datatype type) const;

  int rank_ = 0;
  int size_ = 1;
  int host_rank_ = 0;
  int host_size_ = 1;
  bool on_first_host_ = false;  // the host of rank 0
  MPI_Comm host_ = MPI_COMM_NULL;
  MPI_Comm leaders_ = MPI_COMM_NULL;  // rank 0 of each host
  std::vector<std::string> hosts_;
  std::vector<MPI_Win> windows_;
  std::atomic<std::uint64_t> counter_{0};  // of a lone rank
  std::optional<MpiService> service_;      // of several
};

MpiTransport::MpiTransport(int* argc, char*** argv, double patience_seconds) {
  prepare_waits();
  const StartWatch watch(patience_seconds);
  int provided = 0;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_MULTIPLE) {
    throw EnvironmentError(
        "this MPI library does not allow calls from several threads (MPI_THREAD_MULTIPLE); use one "
        "that does");
  }
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  name_hosts();
  join_host();
  if (size_ == 1) return;
  std::uint64_t* counters = host_words(2);
  if (leads_host()) std::fill_n(counters, 2, 0);
  wait_for_all(host_);
  service_.emplace(hosts_, on_first_host_ ? counters : nullptr);
}

MpiTransport::~MpiTransport() {
  service_.reset();
  for (MPI_Win& window : windows_) {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
  if (leaders_ != MPI_COMM_NULL) MPI_Comm_free(&leaders_);
  if (host_ != MPI_COMM_NULL) MPI_Comm_free(&host_);
  MPI_Finalize();
}

void MpiTransport::name_hosts() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  std::vector<char> all(name.size() * static_cast<std::size_t>(size_));
  check(MPI_Allgather(name.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(),
                      MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD),
        "MPI_Allgather");
  for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r) {
    hosts_.emplace_back(all.data() + r * name.size());
  }
}

void MpiTransport::join_host() {
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_),
        "MPI_Comm_split_type");
  check(MPI_Comm_set_errhandler(host_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(host_, &host_rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(host_, &host_size_), "MPI_Comm_size");
  check(MPI_Comm_split(MPI_COMM_WORLD, leads_host() ? 0 : MPI_UNDEFINED, rank_, &leaders_),
        "MPI_Comm_split");
  if (leaders_ != MPI_COMM_NULL) {
    check(MPI_Comm_set_errhandler(leaders_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  int first = rank_;  // the lowest rank of this host
  check(MPI_Bcast(&first, 1, MPI_INT, 0, host_), "MPI_Bcast");
  on_first_host_ = first == 0;
}

void MpiTransport::broadcast_on(MPI_Comm communicator, void* data, std::size_t bytes) {
  if (bytes <= short_bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, communicator, &request),
          "MPI_Ibcast");
    wait(request, "MPI_Ibcast");
    return;
  }
  wait_for_all(communicator);
  for (std::size_t begin = 0; begin < bytes; begin += piece_bytes) {
    check(MPI_Bcast(static_cast<std::byte*>(data) + begin,
                    static_cast<int>(std::min(piece_bytes, bytes - begin)), MPI_BYTE, 0,
                    communicator),
          "MPI_Bcast");
  }
}

template <class T>
void MpiTransport::sum_all(T* values, std::size_t n, MPI_Datatype type) {
  if (n * sizeof(T) <= short_bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(n), type, MPI_SUM, MPI_COMM_WORLD,
                         &request),
          "MPI_Iallreduce");
    wait(request, "MPI_Iallreduce");
    return;
  }
  wait_for_all(MPI_COMM_WORLD);
  constexpr std::size_t piece = piece_bytes / sizeof(T);
  for (std::size_t begin = 0; begin < n; begin += piece) {
    check(MPI_Allreduce(MPI_IN_PLACE, values + begin, static_cast<int>(std::min(piece, n - begin)),
                        type, MPI_SUM, MPI_COMM_WORLD),
          "MPI_Allreduce");
  }
}

template <class T>
void MpiTransport::sum_each(T* values, const std::vector<std::size_t>& begins,
                            MPI_Datatype type) const {
  if (begins.back() > std::size_t{std::numeric_limits<int>::max()}) {
    return sum_all(values, begins.back(), type);  // counts are int
  }
  std::vector<int> counts;
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    counts.push_back(static_cast<int>(begins[r + 1] - begins[r]));
  }
  const auto rank = static_cast<std::size_t>(rank_);
  std::vector<T> own(begins[rank + 1] - begins[rank]);
  wait_for_all(MPI_COMM_WORLD);
  check(MPI_Reduce_scatter(values, own.data(), counts.data(), type, MPI_SUM, MPI_COMM_WORLD),
        "MPI_Reduce_scatter");
  std::ranges::copy(own, values + begins[rank]);
}

std::vector<std::vector<std::byte>> MpiTransport::gather(const std::vector<std::byte>& bytes) {
  const std::uint64_t own = bytes.size();
  std::vector<std::uint64_t> sizes(rank_ == 0 ? static_cast<std::size_t>(size_) : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Igather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD,
                    &request),
        "MPI_Igather");
  wait(request, "MPI_Igather");
  std::vector<std::vector<std::byte>> all;
  if (rank_ != 0) {
    for (std::size_t begin = 0; begin < bytes.size(); begin += piece_bytes) {
      check(MPI_Isend(bytes.data() + begin,
                      static_cast<int>(std::min(piece_bytes, bytes.size() - begin)), MPI_BYTE, 0, 0,
                      MPI_COMM_WORLD, &request),
            "MPI_Isend");
      wait(request, "MPI_Isend");
    }
    return all;
  }
  all.push_back(bytes);
  for (int source = 1; source < size_; ++source) {
    std::vector<std::byte> part(sizes[static_cast<std::size_t>(source)]);
    for (std::size_t begin = 0; begin < part.size(); begin += piece_bytes) {
      check(MPI_Irecv(part.data() + begin,
                      static_cast<int>(std::min(piece_bytes, part.size() - begin)), MPI_BYTE,
                      source, 0, MPI_COMM_WORLD, &request),
            "MPI_Irecv");
      wait(request, "MPI_Irecv");
    }
    all.push_back(std::move(part));
  }
  return all;
}

// The first message has how many words each rank has, and the first few of them: mostly that is
// all. Of 1,000 ranks it has 256 kB.
MpiTransport::Gathered MpiTransport::gather_everywhere(const std::vector<std::uint64_t>& words) {
  constexpr std::size_t few = 31;
  constexpr std::size_t block = few + 1;
  const auto size = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> own(block, 0);
  own[0] = words.size();
  std::copy_n(words.begin(), std::min(few, words.size()), own.begin() + 1);
  std::vector<std::uint64_t> blocks(block * size);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgather(own.data(), static_cast<int>(block), MPI_UINT64_T, blocks.data(),
                       static_cast<int>(block), MPI_UINT64_T, MPI_COMM_WORLD, &request),
        "MPI_Iallgather");
  wait(request, "MPI_Iallgather");
  std::vector<int> counts;
  std::vector<int> begins;
  std::uint64_t total = 0;
  bool are_few = true;
  for (std::size_t r = 0; r < size; ++r) {
    const std::uint64_t n = blocks[block * r];
    if (n > std::uint64_t{std::numeric_limits<int>::max()} - total) {
      throw std::length_error("2^31 words or more are to be gathered at every rank");
    }
    counts.push_back(static_cast<int>(n));
    begins.push_back(static_cast<int>(total));
    total += n;
    are_few = are_few && n <= few;
  }
  std::vector<std::uint64_t> all(total);
  if (are_few) {
    for (std::size_t r = 0; r < size; ++r) {
      std::copy_n(blocks.data() + block * r + 1, counts[r], all.data() + begins[r]);
    }
    return {std::move(all), 1};
  }
  wait_for_all(MPI_COMM_WORLD);
  check(MPI_Allgatherv(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, all.data(),
                       counts.data(), begins.data(), MPI_UINT64_T, MPI_COMM_WORLD),
        "MPI_Allgatherv");
  return {std::move(all), 2};
}

// Each with the rank one behind, then two behind, and so on: at every step a rank sends to one
// other and receives from one other. At 1,000 ranks these steps are what breaks first, if messages
// are short.
std::vector<std::vector<std::uint32_t>> MpiTransport::exchange(
    const std::vector<std::vector<std::uint32_t>>& to) {
  constexpr std::size_t piece = piece_bytes / sizeof(std::uint32_t);
  std::vector<std::uint64_t> sizes_to;
  sizes_to.reserve(to.size());
  for (const auto& values : to) sizes_to.push_back(values.size());
  std::vector<std::uint64_t> sizes(to.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ialltoall(sizes_to.data(), 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T,
                      MPI_COMM_WORLD, &request),
        "MPI_Ialltoall");
  wait(request, "MPI_Ialltoall");
  std::vector<std::vector<std::uint32_t>> from;
  from.reserve(sizes.size());
  for (const std::uint64_t n : sizes) from.emplace_back(n);
  from[static_cast<std::size_t>(rank_)] = to[static_cast<std::size_t>(rank_)];
  for (int step = 1; step < size_; ++step) {
    const int target = (rank_ + step) % size_;
    const int source = (rank_ - step + size_) % size_;
    const std::vector<std::uint32_t>& sent = to[static_cast<std::size_t>(target)];
    std::vector<std::uint32_t>& received = from[static_cast<std::size_t>(source)];
    for (std::size_t begin = 0; begin < std::max(sent.size(), received.size()); begin += piece) {
      MPI_Request receiving = MPI_REQUEST_NULL;
      MPI_Request sending = MPI_REQUEST_NULL;
      if (begin < received.size()) {
        check(MPI_Irecv(received.data() + begin,
                        static_cast<int>(std::min(piece, received.size() - begin)), MPI_UINT32_T,
                        source, 0, MPI_COMM_WORLD, &receiving),
              "MPI_Irecv");
      }
      if (begin < sent.size()) {
        check(MPI_Isend(sent.data() + begin, static_cast<int>(std::min(piece, sent.size() - begin)),
                        MPI_UINT32_T, target, 0, MPI_COMM_WORLD, &sending),
              "MPI_Isend");
      }
      wait(receiving, "MPI_Irecv");
      wait(sending, "MPI_Isend");
    }
  }
  return from;
}

std::uint64_t* MpiTransport::host_words(std::size_t n) {
  const MPI_Aint own = leads_host() ? static_cast<MPI_Aint>(n * sizeof(std::uint64_t)) : 0;
  MPI_Win window = MPI_WIN_NULL;
  void* words = nullptr;
  check(MPI_Win_allocate_shared(own, sizeof(std::uint64_t), MPI_INFO_NULL, host_, &words, &window),
        "MPI_Win_allocate_shared");
  MPI_Aint bytes = 0;
  int unit = 0;
  check(MPI_Win_shared_query(window, 0, &bytes, &unit, &words), "MPI_Win_shared_query");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
  windows_.push_back(window);
  return static_cast<std::uint64_t*>(words);
}

void MpiTransport::broadcast_to_hosts(std::uint64_t* words, std::size_t n) {
  if (leads_host()) broadcast_on(leaders_, words, n * sizeof(std::uint64_t));
  MPI_Win window = windows_.back();
  check(MPI_Win_sync(window), "MPI_Win_sync");
  wait_for_all(host_);
  check(MPI_Win_sync(window), "MPI_Win_sync");
}

void MpiTransport::open_counter(bool heeds_stop) {
  if (!service_) {
    counter_ = 0;
    return;
  }
  service_->open_counter(heeds_stop);
}

/// mpirun (Open MPI), srun --mpi=pmix, and PMI launchers say so in the environment. A lone process
/// does without MPI_Init: it costs more than a small run.
bool was_launched() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(int* argc, char*** argv, double patience_seconds) {
  if (!was_launched()) return nullptr;
  return std::make_unique<MpiTransport>(argc, argv, patience_seconds);
}

}  // namespace orrery::parallel
