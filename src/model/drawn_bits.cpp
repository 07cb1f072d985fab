#include "model/drawn_bits.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "data/bits.hpp"

namespace orrery::model {
namespace {
constexpr double least_stay = 0x1.0p-10;
}  // namespace

BernoulliBits::BernoulliBits(std::span<const std::pair<std::uint32_t, double>> bits) {
  double stay = 1;
  for (const auto& [position, probability] : bits) {
    if (stay < least_stay) {
      segment_end_.push_back(stay_.size());
      stay = 1;
    }
    const std::size_t word = position / 64;
    const std::uint64_t bit = std::uint64_t{1} << (position % 64);
    if (likely_.empty() || likely_.back().word != word) likely_.push_back({word, 0});
    const bool likely_on = probability > 0.5;
    if (likely_on) likely_.back().bits |= bit;
    places_.push_back({likely_.size() - 1, bit});
    // 1 - q: exactly 1 for p = 0 and p = 1, so that these never depart.
    stay *= likely_on ? probability : 1 - probability;
    stay_.push_back(stay);
  }
  if (!stay_.empty()) segment_end_.push_back(stay_.size());
}

void BernoulliBits::draw_into(RowRandom& random, std::span<std::uint64_t> target,
                              std::span<std::uint64_t> scratch) const noexcept {
  for (std::size_t slot = 0; slot < likely_.size(); ++slot) scratch[slot] = likely_[slot].bits;
  std::size_t next = 0;
  for (const std::size_t end : segment_end_) {
    double scale = 1;  // S of the last departure
    while (next < end) {
      const double threshold = random.uniform() * scale;
      if (threshold < stay_[end - 1]) break;
      const auto first = stay_.begin() + static_cast<std::ptrdiff_t>(next);
      const auto last = stay_.begin() + static_cast<std::ptrdiff_t>(end);
      const auto departure = std::lower_bound(first, last, threshold, std::greater<>{});
      const auto j = static_cast<std::size_t>(departure - stay_.begin());
      scratch[places_[j].slot] ^= places_[j].bit;
      scale = stay_[j];
      next = j + 1;
    }
    next = end;
  }
  for (std::size_t slot = 0; slot < likely_.size(); ++slot) {
    target[likely_[slot].word] |= scratch[slot];
  }
}

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
