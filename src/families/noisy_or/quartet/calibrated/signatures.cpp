// Cost: 8 m N bit operations for eight pairs, shared by ranks and threads; pairs x m bits.
#include "families/noisy_or/quartet/calibrated/signatures.hpp"

#include <algorithm>

namespace orrery::quartet {
namespace {

using Pair = std::array<std::uint32_t, 2>;
constexpr std::size_t pairs_per_unit = 8;      // counted in one pass: see triples_of_pairs
constexpr std::size_t pairs_at_a_time = 4096;  // bounds what a source counts ahead

/// Every pair within a candidate, rising, at all ranks.
std::vector<Pair> pairs_within(const parallel::Team& team, std::span<const Candidate> candidates,
                               std::size_t m) {
  std::vector<Pair> pairs;
  if (team.is_root()) {
    std::vector<bool> used(m * m, false);
    for (const Candidate& candidate : candidates) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
          used[candidate.members[i] * m + candidate.members[j]] = true;
        }
      }
    }
    for (std::uint32_t a = 0; a < m; ++a) {
      for (std::uint32_t b = a + 1; b < m; ++b) {
        if (used[a * m + b]) pairs.push_back({a, b});
      }
    }
  }
  team.broadcast(pairs);
  return pairs;
}

}  // namespace

Signatures::Signatures(const parallel::Team& team, int threads,
                       const moments::MomentSource& moments, const Calibration& calibration,
                       std::span<const Candidate> candidates)
    : m_(moments.n_observed()), words_((m_ + 63) / 64), row_of_(m_ * m_, 0) {
  const std::vector<Pair> pairs = pairs_within(team, candidates, m_);
  bits_.assign(pairs.size() * words_, 0);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    row_of_[pairs[k][0] * m_ + pairs[k][1]] = static_cast<std::uint32_t>(k);
  }
  Progress silent("", 0, "");
  for (std::size_t begin = 0; begin < pairs.size(); begin += pairs_at_a_time) {
    const auto some =
        std::span(pairs).subspan(begin, std::min(pairs_at_a_time, pairs.size() - begin));
    moments.prepare_pairs(some);
    const std::size_t n_units = (some.size() + pairs_per_unit - 1) / pairs_per_unit;
    team.for_each_unit(n_units, threads, silent, [&](std::uint64_t unit, int) {
      const std::size_t first = unit * pairs_per_unit;
      const auto few = some.subspan(first, std::min(pairs_per_unit, some.size() - first));
      const auto triples = moments.triples_of_pairs(few, 0, m_);
      for (std::size_t k = 0; k < few.size(); ++k) {
        const auto [a, b] = few[k];
        std::uint64_t* row = bits_.data() + (begin + first + k) * words_;
        for (std::size_t x = 0; x < m_; ++x) {
          const bool child = x == a || x == b ||
                             calibration.triple_z(a, b, x, triples[k][x]) > calibration.child_bar();
          row[x / 64] |= std::uint64_t{child} << (x % 64);
        }
      }
    });
  }
  team.sum_words(bits_);
}

void Signatures::children_of(const Candidate& candidate, std::span<std::uint64_t> children) const {
  std::ranges::fill(children, ~std::uint64_t{0});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) {
      const std::uint32_t row = row_of_[candidate.members[i] * m_ + candidate.members[j]];
      for (std::size_t w = 0; w < words_; ++w) children[w] &= bits_[row * words_ + w];
    }
  }
  for (const std::uint32_t x : candidate.members) children[x / 64] |= std::uint64_t{1} << (x % 64);
}

}  // namespace orrery::quartet
