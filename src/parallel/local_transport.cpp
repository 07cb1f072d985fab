#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "parallel/stop.hpp"
#include "parallel/transport.hpp"

namespace orrery::parallel {
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
  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) override {
    return {bytes};
  }
  std::uint64_t* host_words(std::size_t /*n*/) override { return nullptr; }  // nobody to share with
  [[nodiscard]] bool leads_host() const override { return true; }
  [[nodiscard]] int host_size() const override { return 1; }
  void broadcast_to_hosts(std::uint64_t* /*words*/, std::size_t /*n*/) override {}
  void open_counter(bool /*heeds_stop: Team asks each time*/) override { counter_ = 0; }
  std::uint64_t next_count() override { return counter_++; }
  void close_counter() override { counter_ |= counter_closed; }
  [[nodiscard]] bool stop_requested() const override { return stop_signalled(); }
  void set_watchdog(double /*seconds*/) override {}  // nobody else can be lost
  void abort(int exit_code) override { std::_Exit(exit_code); }

 private:
  std::vector<std::string> hosts_{host_name()};
  std::atomic<std::uint64_t> counter_{0};
};

}  // namespace

std::unique_ptr<Transport> make_local_transport() { return std::make_unique<LocalTransport>(); }

}  // namespace orrery::parallel
