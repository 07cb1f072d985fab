#include "families/sign_tree/unequal_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "model/drawn_rows.hpp"

namespace orrery::sign_tree {

namespace {
constexpr const char* remark = "Each variable was sampled with a crossover of its own";
}

std::vector<double> draw_crossovers(std::size_t p, double low, double high, std::uint64_t seed) {
  RowRandom random(seed, Stream::parameters, 1);  // row 0: the moments of the edges
  std::vector<double> crossovers;
  for (std::size_t i = 0; i < p; ++i) crossovers.push_back(low + (high - low) * random.uniform());
  return crossovers;
}

void flip_each(data::BitColumns& block, std::span<const double> crossovers, std::uint64_t seed,
               std::uint64_t first_row) {
  std::vector<std::pair<std::uint32_t, double>> noisy;
  for (std::uint32_t i = 0; i < crossovers.size(); ++i) {
    if (crossovers[i] > 0) noisy.emplace_back(i, crossovers[i]);
  }
  if (noisy.empty()) return;
  const model::BernoulliBits bits(noisy);
  data::BitColumns flips(block.n_columns(), block.n_rows());
  model::draw_rows(first_row, std::vector<std::uint64_t>(bits.n_words()), flips,
                   [&](std::uint64_t row, std::span<std::uint64_t> target,
                       std::vector<std::uint64_t>& scratch) noexcept {
                     RowRandom random(seed, Stream::noise, row);
                     bits.draw_into(random, target, scratch);
                   });
  const auto words = block.words();
  for (std::size_t w = 0; w < words.size(); ++w) words[w] ^= flips.words()[w];
}

void describe_noise(std::span<const double> crossovers, model::LearnedTree& learned) {
  std::erase_if(learned.remarks, [](const std::string& text) { return text.starts_with(remark); });
  if (crossovers.empty()) return;
  const double mean = std::accumulate(crossovers.begin(), crossovers.end(), 0.0) /
                      static_cast<double>(crossovers.size());
  const auto [low, high] = std::ranges::minmax(crossovers);
  const model::SignTree& tree = learned.tree;
  learned.tree = model::SignTree(tree.names(), tree.means(), tree.edges(), mean);
  learned.crossover_error = 0;
  learned.remarks.push_back(
      fmt::format("{}, {:.4g} to {:.4g}; the one that is told is their mean, and likelihoods under "
                  "it are no true ones",
                  remark, low, high));
}

}  // namespace orrery::sign_tree
