// Purpose: ancestral samples of a noisy-OR network, anchored or not.
// Source: Jernite, Halpern, Sontag 2013, Sec. 1: causes independently, then each child by its
//         present parents and its leak. Halpern, Horng, Sontag 2015, Sec. 2: causes that depend on
//         one another, P(y) prod_j P(x_j | y).
// Cost: O(n/64 + m/64 + children of present causes) a row, with one random number for each bit
//       that departs from its likely value (drawn_bits.hpp) and few besides; of causes that depend
//       on one another one number each.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes, by number, or
// in the order of their network where they depend on one another; the children of each present
// cause, causes by number; the leaks. A change to this order changes every sample.
#include "orrery/model/sampling.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "data/bits.hpp"
#include "model/anchored_sampling.hpp"
#include "model/drawn_bits.hpp"

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

// Anchored networks: the causes from their network.

namespace {

void set_bits(std::span<const std::uint8_t> values, std::span<std::uint64_t> words) noexcept {
  for (std::size_t i = 0; i < values.size(); ++i) {
    words[i / 64] |= std::uint64_t{values[i]} << (i % 64);
  }
}

// What one thread writes while it draws.
struct AnchoredScratch {
  std::vector<std::uint8_t> values;    // of the causes
  std::vector<std::uint64_t> present;  // the same as bits
  std::vector<std::uint64_t> draw;     // of LoadingBits

  explicit AnchoredScratch(const LoadingBits& loadings, std::size_t n_causes)
      : values(n_causes), present(loadings.n_cause_words()), draw(loadings.n_words()) {}
};

void draw_row(const CauseNetwork& causes, const LoadingBits& loadings, RowRandom random,
              std::span<std::uint64_t> row, AnchoredScratch& scratch) noexcept {
  draw_causes(causes, random, scratch.values);
  std::ranges::fill(scratch.present, 0);
  set_bits(scratch.values, scratch.present);
  loadings.draw_into(random, scratch.present, row, scratch.draw);
}

}  // namespace

void draw_causes(const CauseNetwork& causes, RowRandom& random,
                 std::span<std::uint8_t> values) noexcept {
  for (const std::uint32_t cause : causes.order()) {
    values[cause] = random.bernoulli(causes.on(cause, values)) ? 1 : 0;
  }
}

data::BitColumns sample_anchored_rows(const NoisyOrNetwork& network, std::uint64_t seed,
                                      std::uint64_t first_row, std::size_t n_rows) {
  data::BitColumns block(network.n_observed(), n_rows);
  const LoadingBits loadings(network);
  draw_rows(
      first_row, AnchoredScratch(loadings, network.n_causes()), block,
      [&](std::uint64_t row, std::span<std::uint64_t> bits, AnchoredScratch& scratch) noexcept {
        draw_row(network.cause_network(), loadings, RowRandom(seed, Stream::rows, row), bits,
                 scratch);
      });
  return block;
}

data::BitColumns sample_cause_rows(const CauseNetwork& causes, std::uint64_t seed,
                                   std::uint64_t first_row, std::size_t n_rows) {
  using Values = std::vector<std::uint8_t>;
  data::BitColumns block(causes.n_causes(), n_rows);
  draw_rows(first_row, Values(causes.n_causes()), block,
            [&](std::uint64_t row, std::span<std::uint64_t> bits, Values& values) noexcept {
              RowRandom random(seed, Stream::rows, row);
              draw_causes(causes, random, values);
              set_bits(values, bits);
            });
  return block;
}

AnchoredSampler::AnchoredSampler(const NoisyOrNetwork& network, std::uint64_t seed)
    : network_(network), seed_(seed), loadings_(std::make_shared<const LoadingBits>(network)) {}

void AnchoredSampler::draw(std::uint64_t row, std::span<std::uint8_t> causes,
                           std::span<std::uint8_t> observed) const {
  AnchoredScratch scratch(*loadings_, network_.n_causes());
  std::vector<std::uint64_t> bits(loadings_->n_words(), 0);
  draw_row(network_.cause_network(), *loadings_, RowRandom(seed_, Stream::rows, row), bits,
           scratch);
  std::ranges::copy(scratch.values, causes.begin());
  std::ranges::fill(observed, std::uint8_t{0});
  data::for_each_bit(std::span<const std::uint64_t>(bits), [&](std::size_t j) { observed[j] = 1; });
}

}  // namespace orrery::model
