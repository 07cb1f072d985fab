#include "families/noisy_or/quartet/scan/slab_cache.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/work_time.hpp"

namespace orrery::quartet {
namespace {

/// PMI - CPMI exceeds tau for each pair of the triple given the third (Lemma 2), all adjusted:
/// single, pair and triple off-probabilities.
bool passes_pretest(double a, double x, double y, double ax, double ay, double xy, double axy,
                    double tau) {
  // ax / (a x) - axy y / (ay xy) > tau, and so for the other two pairs, times all denominators.
  const double gap = ax * ay * xy - axy * (a * x * y);
  return gap > tau * (a * x) * (ay * xy) && gap > tau * (a * y) * (ax * xy) &&
         gap > tau * (x * y) * (ax * ay);
}

}  // namespace

const Slab& SlabCache::of(std::size_t variable) {
  auto found = std::find_if(slabs_.begin(), slabs_.end(),
                            [&](const Slab& slab) { return slab.variable == variable; });
  if (found == slabs_.end()) {
    if (slabs_.size() < round_.slabs_kept) {
      slabs_.emplace_front();
      found = slabs_.begin();
    } else {
      // Two or more are kept: the one asked for just before is not the least recently used.
      found = std::prev(slabs_.end());
    }
    fill(*found, variable);
  }
  slabs_.splice(slabs_.begin(), slabs_, found);
  return slabs_.front();
}

void SlabCache::fill(Slab& slab, std::size_t a) {
  const double begin = thread_seconds();
  slab.variable = a;
  walker_.triples(a, round_.siblings.row(a), slab.triples);
  slab.passes.assign(slab.triples.n_rows() * round_.bit_words, 0);
  for (std::size_t x = a + 1; x < round_.m; ++x) {
    if (!slab.triples.wants(x)) continue;
    double* row = slab.triples.moments(x);
    std::uint64_t* passes = slab.passes.data() + slab.triples.row(x) * round_.bit_words;
    if (round_.calibration) mark_by_calibration(slab, x, row, passes);
    if (!round_.learned.empty()) {
      round_.learned.factors({a, x}, x + 1, factors_);
      for (std::size_t y = x + 1; y < round_.m; ++y) row[y] /= factors_[y];
    }
    if (!round_.calibration) mark_by_pretest(slab, x, row, passes);
  }
  seconds_ += thread_seconds() - begin;
}

/// `row`: moments as they are, before the learned causes are subtracted.
void SlabCache::mark_by_calibration(const Slab& slab, std::size_t x, const double* row,
                                    std::uint64_t* passes) const {
  const Calibration& calibration = *round_.calibration;
  const auto of_x = round_.siblings.row(x);
  for (std::size_t w = x / 64; w < round_.bit_words; ++w) {
    for (std::uint64_t left = slab.triples.wanted()[w] & of_x[w]; left != 0; left &= left - 1) {
      const std::size_t y = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      if (y <= x) continue;
      const bool pass =
          calibration.triple_z(slab.variable, x, y, row[y]) > calibration.triple_bar();
      passes[w] |= std::uint64_t{pass} << (y % 64);
    }
  }
}

/// `row`: adjusted moments.
void SlabCache::mark_by_pretest(const Slab& slab, std::size_t x, const double* row,
                                std::uint64_t* passes) const {
  const std::size_t a = slab.variable;
  const double* pair_a = round_.pair_row(a);
  const double* pair_x = round_.pair_row(x);
  const double tau = round_.options.tau_e;
  for (std::size_t y = x + 1; y < round_.m; ++y) {
    const bool pass = passes_pretest(pair_a[a], pair_x[x], round_.single(y), pair_a[x], pair_a[y],
                                     pair_x[y], row[y], tau);
    passes[y / 64] |= std::uint64_t{pass} << (y % 64);
  }
  // Only siblings of both have moments.
  const auto of_x = round_.siblings.row(x);
  for (std::size_t w = 0; w < round_.bit_words; ++w) {
    passes[w] &= slab.triples.wanted()[w] & of_x[w];
  }
}

}  // namespace orrery::quartet
