// Purpose: ancestral samples of a noisy-OR network.
// Source: Jernite, Halpern, Sontag 2013, Sec. 1: causes independently, then each child by its
//         present parents and its leak.
// Cost: O(n/64 + m/64 + children of present causes) a row, with one random number for each bit
//       that departs from its likely value (bernoulli_bits.hpp) and few besides.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes; the children
// of each present cause, causes in order; the leaks. A change to this order changes every sample.
#include "orrery/model/sampling.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "model/bernoulli_bits.hpp"
#include "model/drawn_rows.hpp"
#include "orrery/base/random.hpp"

namespace orrery::model {
namespace {

using Probabilities = std::vector<std::pair<std::uint32_t, double>>;

BernoulliBits cause_bits(const NoisyOrNetwork& network) {
  Probabilities bits;
  for (std::uint32_t c = 0; c < network.n_causes(); ++c) {
    bits.emplace_back(c, network.causes()[c].prior);
  }
  return BernoulliBits(bits);
}

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

// What one thread writes while it draws.
struct Scratch {
  std::vector<std::uint64_t> present;  // causes of the row
  std::vector<std::uint64_t> draw;     // of BernoulliBits
};

class RowSampler {
 public:
  RowSampler(const NoisyOrNetwork& network, std::uint64_t seed)
      : seed_(seed),
        n_cause_words_((network.n_causes() + 63) / 64),
        n_words_((network.n_observed() + 63) / 64),
        causes_(cause_bits(network)),
        leaks_(leak_bits(network)) {
    children_.reserve(network.n_causes());
    for (std::size_t c = 0; c < network.n_causes(); ++c) {
      children_.push_back(child_bits(network.children(c)));
    }
  }

  [[nodiscard]] Scratch scratch() const {
    return {std::vector<std::uint64_t>(n_cause_words_),
            std::vector<std::uint64_t>(std::max(n_cause_words_, n_words_))};
  }

  void draw_row(std::uint64_t index, std::span<std::uint64_t> row,
                Scratch& scratch) const noexcept {
    RowRandom random(seed_, Stream::rows, index);
    std::fill(scratch.present.begin(), scratch.present.end(), 0);
    causes_.draw_into(random, scratch.present, scratch.draw);
    for (std::size_t w = 0; w < n_cause_words_; ++w) {
      for (std::uint64_t left = scratch.present[w]; left != 0; left &= left - 1) {
        const std::size_t cause = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        children_[cause].draw_into(random, row, scratch.draw);
      }
    }
    leaks_.draw_into(random, row, scratch.draw);
  }

 private:
  std::uint64_t seed_;
  std::size_t n_cause_words_;
  std::size_t n_words_;
  BernoulliBits causes_;
  BernoulliBits leaks_;
  std::vector<BernoulliBits> children_;
};

}  // namespace

data::BitColumns sample_rows(const NoisyOrNetwork& network, std::uint64_t seed,
                             std::uint64_t first_row, std::size_t n_rows) {
  data::BitColumns block(network.n_observed(), n_rows);
  const RowSampler sampler(network, seed);
  draw_rows(first_row, sampler.scratch(), block,
            [&](std::uint64_t row, std::span<std::uint64_t> bits, Scratch& scratch) noexcept {
              sampler.draw_row(row, bits, scratch);
            });
  return block;
}

}  // namespace orrery::model
