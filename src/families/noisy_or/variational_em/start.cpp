#include "families/noisy_or/variational_em/start.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "base/random.hpp"

namespace orrery::variational_em {
namespace {

// A row with fewer variables on says nothing of what goes together: then the next draw counts.
constexpr std::size_t draws_a_cause = 4;
constexpr int least_on = 2;
// A variable that is on in the row drawn, and the range of the others.
constexpr double likely_failure = 0.5;
constexpr double unlikely_failure = 0.95;
constexpr double unlikely_range = 0.049;

/// The rows drawn for all causes of all restarts, `draws_a_cause` each.
std::vector<std::uint64_t> draw_rows(std::uint64_t seed, std::size_t n_restarts,
                                     std::size_t n_causes, std::uint64_t n_rows, bool hold_out) {
  std::vector<std::uint64_t> drawn;
  for (std::size_t i = 0; i < n_restarts; ++i) {
    RowRandom random(seed, Stream::restart, i);
    for (std::size_t j = 0; j < n_causes * draws_a_cause; ++j) {
      const std::uint64_t row = random.below(n_rows);
      drawn.push_back(hold_out && is_held_out(row) ? row - 1 : row);
    }
  }
  return drawn;
}

/// The words of these rows, in halves: what a sum of doubles carries unharmed.
std::optional<std::vector<double>> fetch(const learning::RowPass& rows,
                                         const std::vector<std::uint64_t>& wanted,
                                         std::size_t n_words) {
  std::multimap<std::uint64_t, std::size_t> where;
  for (std::size_t i = 0; i < wanted.size(); ++i) where.emplace(wanted[i], i);
  return sum_unless_stopped(
      rows, wanted.size() * n_words * 2,
      [&](const learning::RowBlock& block, int /*thread*/, std::span<double> sums) {
        const auto end = where.lower_bound(block.first_row + block.n_rows);
        for (auto at = where.lower_bound(block.first_row); at != end; ++at) {
          const auto row = block.row(at->first - block.first_row);
          double* halves = sums.data() + at->second * n_words * 2;
          for (std::size_t w = 0; w < n_words; ++w) {
            halves[2 * w] = static_cast<double>(row[w] & 0xffffffffU);
            halves[2 * w + 1] = static_cast<double>(row[w] >> 32U);
          }
        }
      });
}

int count_on(const double* halves, std::size_t n_words) {
  int n = 0;
  for (std::size_t h = 0; h < 2 * n_words; ++h) {
    n += std::popcount(static_cast<std::uint64_t>(halves[h]));
  }
  return n;
}

bool is_on(const double* halves, std::size_t a) {
  return ((static_cast<std::uint64_t>(halves[a / 32]) >> (a % 32)) & 1U) != 0;
}

}  // namespace

std::optional<std::vector<double>> sum_unless_stopped(const learning::RowPass& rows,
                                                      std::size_t n_sums,
                                                      const learning::RowPass::Work& work) {
  // The last sum counts the blocks that were skipped.
  std::vector<double> sums = rows.sum(
      n_sums + 1, [&](const learning::RowBlock& block, int thread, std::span<double> of_block) {
        if (rows.team().stop_requested()) {
          of_block[n_sums] = 1;
        } else {
          work(block, thread, of_block.first(n_sums));
        }
      });
  if (sums[n_sums] > 0) return std::nullopt;
  sums.pop_back();
  return sums;
}

std::optional<Counts> count_rows(const learning::RowPass& rows, std::size_t n_observed,
                                 bool hold_out) {
  const std::size_t m = n_observed;
  const auto add_bits = [](std::span<const std::uint64_t> words, double* counts) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1) {
        counts[64 * w + static_cast<std::size_t>(std::countr_zero(left))] += 1;
      }
    }
  };
  const auto sums = sum_unless_stopped(
      rows, 2 * m + 2, [&](const learning::RowBlock& block, int /*thread*/, std::span<double> sum) {
        for (std::size_t i = 0; i < block.n_rows; ++i) {
          const bool held_out = hold_out && is_held_out(block.first_row + i);
          sum[2 * m + (held_out ? 1 : 0)] += 1;
          if (held_out) continue;
          add_bits(block.row(i), sum.data());
          add_bits(block.missing_in(i), sum.data() + m);
        }
      });
  if (!sums) return std::nullopt;
  Counts counts{(*sums)[2 * m], (*sums)[2 * m + 1], {}, {}};
  for (std::size_t a = 0; a < m; ++a) {
    counts.on.push_back((*sums)[a]);
    counts.observed.push_back(counts.n_rows - (*sums)[m + a]);
  }
  return counts;
}

std::optional<std::vector<Parameters>> draw_starts(const learning::RowPass& rows,
                                                   std::uint64_t seed, std::size_t n_restarts,
                                                   std::size_t n_causes, const Counts& counts) {
  const std::size_t m = counts.on.size();
  const std::size_t n_words = (m + 63) / 64;
  const auto likenesses = fetch(
      rows, draw_rows(seed, n_restarts, n_causes, rows.n_rows(), counts.n_held_out > 0), n_words);
  if (!likenesses) return std::nullopt;
  std::vector<Parameters> starts;
  for (std::size_t i = 0; i < n_restarts; ++i) {
    RowRandom random(seed, Stream::restart, (std::uint64_t{1} << 32U) + i);
    // Some two causes are present in a row, whatever their number.
    Parameters start{n_causes, m,
                     std::vector(n_causes, std::min(0.2, 2 / static_cast<double>(n_causes))),
                     std::vector(m * n_causes, 0.0), std::vector(m, 0.0)};
    for (std::size_t k = 0; k < n_causes; ++k) {
      const double* row = likenesses->data() + (i * n_causes + k) * draws_a_cause * n_words * 2;
      for (std::size_t j = 1; j < draws_a_cause && count_on(row, n_words) < least_on; ++j) {
        row += n_words * 2;
      }
      for (std::size_t a = 0; a < m; ++a) {
        start.failure[a * n_causes + k] =
            is_on(row, a) ? likely_failure : unlikely_failure + unlikely_range * random.uniform();
      }
    }
    for (std::size_t a = 0; a < m; ++a) {
      start.leak[a] = 0.5 * (counts.on[a] + 0.5) / (counts.observed[a] + 1);
    }
    starts.push_back(std::move(start));
  }
  return starts;
}

}  // namespace orrery::variational_em
