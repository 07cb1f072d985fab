#include "model/drawn_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "data/bits.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

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

// Purpose: ancestral samples of an anchored network.
// Source: Halpern, Horng, Sontag 2015, Sec. 2: causes that depend on one another,
//         P(y) prod_j P(x_j | y).
// Cost: as for independent causes (sampling.cpp), with one random number per cause.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes in the order of
// their network; the children of each present cause, causes by number; the leaks. A change to this
// order changes every sample.

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

// Purpose: flips every step-th variable in a share of the rows.
// Source: Buhai et al. 2020 (IMG-FLIP: share 0.1, step 4).
// Cost: a random number per row; rows * m / (64 step) words.

Contamination parse_contamination(std::string_view form, std::string_view text,
                                  std::size_t n_observed) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    throw UsageError(fmt::format("{} needs SHARE:STEP, such as 0.1:4, got \"{}\"", form, text));
  }
  const double share =
      parse_real(fmt::format("{} SHARE:STEP: SHARE", form), text.substr(0, colon), 0, 1);
  const std::uint32_t step =
      parse_whole(fmt::format("{} SHARE:STEP: STEP", form), text.substr(colon + 1), 1,
                  static_cast<std::uint32_t>(n_observed));
  return {share, step};
}

void contaminate(data::BitColumns& block, const Contamination& contamination, std::uint64_t seed,
                 std::uint64_t first_row) {
  for (std::size_t word = 0; word < block.words_per_column(); ++word) {
    const std::size_t n_rows = std::min<std::size_t>(64, block.n_rows() - 64 * word);
    std::uint64_t chosen = 0;  // bit i: row 64 word + i of the block
    for (std::size_t i = 0; i < n_rows; ++i) {
      RowRandom random(seed, Stream::contamination, first_row + 64 * word + i);
      if (random.bernoulli(contamination.share)) chosen |= std::uint64_t{1} << i;
    }
    for (std::size_t a = 0; a < block.n_columns(); a += contamination.step) {
      block.column(a)[word] ^= chosen;
    }
  }
}

}  // namespace orrery::model
