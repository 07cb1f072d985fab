// Ancestral samples of networks whose hidden variables are drawn first: a noisy-OR network of
// independent causes, and a sign tree. (Anchored networks: drawn_rows.cpp.)
#include "orrery/model/sampling.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/drawn_rows.hpp"
#include "orrery/model/tree_sampling.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::model {

// Purpose: samples of a noisy-OR network of independent causes.
// Source: Jernite, Halpern, Sontag 2013, Sec. 1: causes independently, then each child by its
//         present parents and its leak.
// Cost: O(n/64 + m/64 + children of present causes) per row, with one random number for each bit
//       that departs from its likely value (drawn_rows.hpp) and few besides.
// Order of draws of a row, all from RowRandom(seed, Stream::rows, row): the causes, by number; the
// children of each present cause, causes by number; the leaks. A change to this order changes every
// sample.

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

// Purpose: exact samples of a sign tree and of what the noisy channel makes of them.
// Source: Nikolakakis, Kalogerias, Sarwate 2018, Sec. 2.2 and 2.3.
//
//   paper   code            shape   range
//   X       hidden bits     p       0: -1, 1: +1
//   N       flips           p       1: the sign is flipped, with probability q
//   Y       N_i X_i         p       hidden ^ flips
//
// Cost: one random number a hidden sign; for the noise one a flip and few besides
//       (drawn_rows.hpp).
// Order of draws of a row: the hidden signs from RowRandom(seed, Stream::rows, row), parents first
// (the order of SignTree::after_parents); the flips from Stream::noise. A change to this order
// changes every sample. Hidden signs are the same for every crossover.

namespace {

BernoulliBits flips_of(std::size_t p, double crossover) {
  std::vector<std::pair<std::uint32_t, double>> bits;
  if (crossover > 0) {
    for (std::uint32_t i = 0; i < p; ++i) bits.emplace_back(i, crossover);
  }
  return BernoulliBits(bits);
}

class TreeRowSampler {
 public:
  struct Scratch {
    std::vector<std::uint64_t> flips;
    std::vector<std::uint64_t> draw;  // of BernoulliBits
  };

  TreeRowSampler(const SignTree& tree, double crossover, std::uint64_t seed)
      : seed_(seed),
        tables_(tables_of(tree)),
        flips_(flips_of(tree.n_variables(), crossover)),
        n_words_((tree.n_variables() + 63) / 64) {}

  [[nodiscard]] Scratch scratch() const {
    return {std::vector<std::uint64_t>(n_words_), std::vector<std::uint64_t>(n_words_)};
  }

  void draw_row(std::uint64_t row, std::span<std::uint64_t> bits, Scratch& scratch) const noexcept {
    RowRandom random(seed_, Stream::rows, row);
    for (const std::uint32_t i : tables_.after_parents) {
      const std::uint32_t parent = tables_.parents[i];
      const std::size_t up =
          parent == SignTree::none ? 0 : (bits[parent / 64] >> (parent % 64)) & 1U;
      const std::uint64_t on = random.bernoulli(tables_.given[i][up][1]) ? 1 : 0;
      bits[i / 64] |= on << (i % 64);
    }
    if (flips_.n_words() == 0) return;
    RowRandom noise(seed_, Stream::noise, row);
    std::fill(scratch.flips.begin(), scratch.flips.end(), 0);
    flips_.draw_into(noise, scratch.flips, scratch.draw);
    for (std::size_t w = 0; w < n_words_; ++w) bits[w] ^= scratch.flips[w];
  }

 private:
  std::uint64_t seed_;
  TreeTables tables_;
  BernoulliBits flips_;
  std::size_t n_words_;
};

data::BitColumns draw(const SignTree& tree, double crossover, std::uint64_t seed,
                      std::uint64_t first_row, std::size_t n_rows) {
  data::BitColumns block(tree.n_variables(), n_rows);
  const TreeRowSampler sampler(tree, crossover, seed);
  draw_rows(
      first_row, sampler.scratch(), block,
      [&](std::uint64_t row, std::span<std::uint64_t> bits,
          TreeRowSampler::Scratch& scratch) noexcept { sampler.draw_row(row, bits, scratch); });
  return block;
}

}  // namespace

data::BitColumns sample_tree_rows(const SignTree& tree, std::uint64_t seed, std::uint64_t first_row,
                                  std::size_t n_rows) {
  return draw(tree, tree.crossover(), seed, first_row, n_rows);
}

data::BitColumns sample_hidden_rows(const SignTree& tree, std::uint64_t seed,
                                    std::uint64_t first_row, std::size_t n_rows) {
  return draw(tree, 0, seed, first_row, n_rows);
}

}  // namespace orrery::model
