// Purpose: forward samples of an anchored network.
// Source: Halpern, Horng, Sontag 2015, Sec. 2: P(y) prod_j P(x_j | y).
// Cost: one number per cause, and what loading_bits.hpp says of the observed variables.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes, in their order;
// the children of each present cause, causes by number; the leaks. A change to this order changes
// every sample.
#include "model/anchored_sampling.hpp"

#include <algorithm>
#include <vector>

#include "data/bits.hpp"
#include "model/drawn_rows.hpp"
#include "model/loading_bits.hpp"

namespace orrery::model {
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
