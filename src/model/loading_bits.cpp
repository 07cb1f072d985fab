#include "model/loading_bits.hpp"

#include <utility>

#include "data/bits.hpp"

namespace orrery::model {
namespace {

using Probabilities = std::vector<std::pair<std::uint32_t, double>>;

BernoulliBits leak_bits(const NoisyOrNetwork& network) {
  Probabilities bits;
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    const double leak = network.observed()[a].leak;
    if (leak > 0) bits.emplace_back(a, leak);
  }
  return BernoulliBits(bits);
}

BernoulliBits child_bits(std::span<const Edge> children) {
  Probabilities bits;
  for (const Edge& edge : children) bits.emplace_back(edge.observed, 1 - edge.failure);
  return BernoulliBits(bits);
}

}  // namespace

LoadingBits::LoadingBits(const NoisyOrNetwork& network)
    : n_words_((network.n_observed() + 63) / 64), leaks_(leak_bits(network)) {
  children_.reserve(network.n_causes());
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    children_.push_back(child_bits(network.children(c)));
  }
}

void LoadingBits::draw_into(RowRandom& random, std::span<const std::uint64_t> present,
                            std::span<std::uint64_t> row,
                            std::span<std::uint64_t> scratch) const noexcept {
  data::for_each_bit(present,
                     [&](std::size_t cause) { children_[cause].draw_into(random, row, scratch); });
  leaks_.draw_into(random, row, scratch);
}

}  // namespace orrery::model
