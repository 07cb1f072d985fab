#include <cstdlib>

#include "parallel/transport.hpp"

namespace orrery::parallel {
namespace {

class LocalTransport final : public Transport {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void broadcast(void* /*data*/, std::size_t /*bytes*/) override {}
  void sum(std::uint64_t* /*words*/, std::size_t /*n*/) override {}
  std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) override {
    return {bytes};
  }
  void open_counter() override { counter_ = 0; }
  std::uint64_t next_count() override { return counter_++; }
  void close_counter() override {}
  void abort(int exit_code) override { std::_Exit(exit_code); }

 private:
  std::uint64_t counter_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_local_transport() { return std::make_unique<LocalTransport>(); }

}  // namespace orrery::parallel
