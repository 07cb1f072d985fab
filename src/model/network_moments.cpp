#include "model/network_moments.hpp"

#include <array>

namespace orrery::model {
namespace {

std::uint32_t index(std::size_t x) { return static_cast<std::uint32_t>(x); }

class NetworkWalker final : public moments::MomentWalker {
 public:
  explicit NetworkWalker(const NetworkMoments& source)
      : source_(source), row_(moments::row_stride(source.n_observed())) {}

  void triples(std::size_t a, std::span<const std::uint64_t> wanted,
               moments::TripleSlab& slab) override {
    const std::size_t m = source_.n_observed();
    slab.reset(a, m, wanted, false);
    for (std::size_t x = a + 1; x < m; ++x) {
      if (!slab.wants(x)) continue;
      double* row = slab.moments(x);
      for (std::size_t y = x + 1; y < m; ++y) {
        if (slab.wants(y)) row[y] = source_.triple(a, x, y);
      }
    }
  }

  void select_pair(std::size_t a, std::size_t b, const moments::TripleSlab& /*slab_a*/,
                   const moments::TripleSlab& /*slab_b*/,
                   std::span<const std::uint64_t> wanted) override {
    a_ = a;
    b_ = b;
    wanted_.assign(wanted.begin(), wanted.end());
  }

  const double* quartets(std::size_t c) override {
    for (std::size_t d = c + 1; d < source_.n_observed(); ++d) {
      if (((wanted_[d / 64] >> (d % 64)) & 1U) != 0) row_[d] = source_.quartet(a_, b_, c, d);
    }
    return row_.data();
  }

 private:
  const NetworkMoments& source_;
  std::vector<double> row_;
  std::vector<std::uint64_t> wanted_;
  std::size_t a_ = 0;
  std::size_t b_ = 0;
};

}  // namespace

NetworkMoments::NetworkMoments(const NoisyOrNetwork& network)
    : network_(network), pairs_(network.n_observed() * network.n_observed()) {
  const std::size_t m = network.n_observed();
  for (std::size_t a = 0; a < m; ++a) {
    pairs_[a * m + a] = network.negative_moment(std::array{index(a)});
    for (std::size_t b = a + 1; b < m; ++b) {
      const double moment = network.negative_moment(std::array{index(a), index(b)});
      pairs_[a * m + b] = moment;
      pairs_[b * m + a] = moment;
    }
  }
}

double NetworkMoments::triple(std::size_t a, std::size_t b, std::size_t c) const {
  return network_.negative_moment(std::array{index(a), index(b), index(c)});
}

double NetworkMoments::quartet(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
  return network_.negative_moment(std::array{index(a), index(b), index(c), index(d)});
}

std::unique_ptr<moments::MomentWalker> NetworkMoments::walker() const {
  return std::make_unique<NetworkWalker>(*this);
}

}  // namespace orrery::model
