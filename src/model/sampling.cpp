// Purpose: ancestral samples of a noisy-OR network.
// Source: Jernite, Halpern, Sontag 2013, Sec. 1: causes independently, then each child by its
//         present parents and its leak.
// Cost: O(n/64 + m/64 + children of present causes) a row, with one random number for each bit
//       that departs from its likely value (bernoulli_bits.hpp) and few besides.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes; the children
// of each present cause, causes in order; the leaks. A change to this order changes every sample.
#include "orrery/model/sampling.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/bernoulli_bits.hpp"
#include "model/drawn_rows.hpp"
#include "model/loading_bits.hpp"

namespace orrery::model {
namespace {

BernoulliBits cause_bits(const NoisyOrNetwork& network) {
  std::vector<std::pair<std::uint32_t, double>> bits;
  for (std::uint32_t c = 0; c < network.n_causes(); ++c) {
    bits.emplace_back(c, network.causes()[c].prior);
  }
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
      : seed_(seed), causes_(cause_bits(network)), loadings_(network) {}

  [[nodiscard]] Scratch scratch() const {
    const std::size_t n_cause_words = loadings_.n_cause_words();
    return {std::vector<std::uint64_t>(n_cause_words),
            std::vector<std::uint64_t>(std::max(n_cause_words, loadings_.n_words()))};
  }

  void draw_row(std::uint64_t index, std::span<std::uint64_t> row,
                Scratch& scratch) const noexcept {
    RowRandom random(seed_, Stream::rows, index);
    std::fill(scratch.present.begin(), scratch.present.end(), 0);
    causes_.draw_into(random, scratch.present, scratch.draw);
    loadings_.draw_into(random, scratch.present, row, scratch.draw);
  }

 private:
  std::uint64_t seed_;
  BernoulliBits causes_;
  LoadingBits loadings_;
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
