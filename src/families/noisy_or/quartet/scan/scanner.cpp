// The walk over all quartets a < b < c < d.
//
// Only siblings meet (round.hpp): triples of which a pair is independent are not counted. A
// unit of work is a block of pairs (a, b). For each variable of the block its slab - its triples
// with later siblings, adjusted and pretested - is made once and kept while it is needed. For a
// pair, the pretest's bit sets of a, b and c are intersected: only quartets all of whose triples
// pass are counted and tested, in rows over d.
//
//   paper                     code                                 Jernite et al. 2013
//   JOINT                     MomentWalker, cells_from_negative    Algorithm 1, line 4
//   ADJUST                    Subtraction::factors                 line 5, Eq. (3)
//   PRETEST                   SlabCache, passes_pretest            line 6, Lemma 2
//   4TEST                     RankQuartets, CoherentQuartets       line 6, Sec. 2.1
//
// Cost: the triples of siblings, and of the quartets those that pass the pretest; N p^2 bit
// operations each (see counted_moments.cpp). Memory a thread: 17 slabs of 12 k m bytes (k siblings
// a variable) while they fit in 256 MiB, fewer beyond; never a list of quartets.
#include "families/noisy_or/quartet/scan/scanner.hpp"

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

bool Scanner::scan_block(const PairBlock& block, const std::function<bool()>& stops) {
  const Found::Counts before = found_.counts();
  bool stopped = false;
  for (std::size_t a = block.first_a; a < block.last_a && !stopped; ++a) {
    for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b && !stopped; ++b) {
      if (!round_.siblings.has(a, b)) continue;
      stopped = stops();
      if (!stopped) scan_pair(a, b);
    }
  }
  tester_->flush(found_);
  if (stopped) found_.forget(block, before);
  return !stopped;
}

bool Scanner::intersect(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c) {
  const std::size_t words = round_.bit_words;
  const std::uint64_t* ab = of_a.passes.data() + of_a.triples.row(b) * words;
  const std::uint64_t* ac = of_a.passes.data() + of_a.triples.row(c) * words;
  const std::uint64_t* bc = of_b.passes.data() + of_b.triples.row(c) * words;
  std::uint64_t any = 0;
  for (std::size_t w = c / 64; w < words; ++w) {
    both_[w] = ab[w] & ac[w] & bc[w];  // rows of c hold d > c only
    any |= both_[w];
  }
  return any != 0;
}

bool Scanner::find_wanted(std::size_t a, std::size_t b) {
  const std::size_t words = round_.bit_words;
  const Slab& of_a = slabs_.of(a);
  const std::uint64_t* siblings = of_a.passes.data() + of_a.triples.row(b) * words;
  if (std::all_of(siblings, siblings + words, [](std::uint64_t word) { return word == 0; })) {
    return false;
  }
  ++n_open_pairs_;
  const Slab& of_b = slabs_.of(b);
  std::fill(wanted_.begin(), wanted_.end(), 0);
  std::uint64_t any = 0;
  for (std::size_t c = b + 1; c < round_.m; ++c) {
    if (((siblings[c / 64] >> (c % 64)) & 1U) == 0 || !intersect(of_a, of_b, b, c)) continue;
    wanted_[c / 64] |= std::uint64_t{1} << (c % 64);
    for (std::size_t w = c / 64; w < words; ++w) wanted_[w] |= both_[w];
    any = 1;
  }
  return any != 0;
}

void Scanner::scan_pair(std::size_t a, std::size_t b) {
  if (!find_wanted(a, b)) return;
  const std::size_t words = round_.bit_words;
  const Slab& of_a = slabs_.of(a);
  const Slab& of_b = slabs_.of(b);
  const std::uint64_t* siblings = of_a.passes.data() + of_a.triples.row(b) * words;
  walker_->select_pair(a, b, of_a.triples, of_b.triples, wanted_);
  for (std::size_t c = b + 1; c < round_.m; ++c) {
    if (((siblings[c / 64] >> (c % 64)) & 1U) != 0 && intersect(of_a, of_b, b, c)) {
      test_row(of_a, of_b, b, c);
    }
  }
  tester_->leave_pair(found_);
}

const double* Scanner::adjusted_quartets(std::size_t a, std::size_t b, std::size_t c) {
  const double* row = walker_->quartets(c);
  if (round_.learned.empty()) return row;
  round_.learned.factors({a, b, c}, c + 1, factors_);
  for (std::size_t d = c + 1; d < round_.m; ++d) quartets_[d] = row[d] / factors_[d];
  return quartets_.data();
}

void Scanner::test_row(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c) {
  const std::size_t a = of_a.variable;
  const double* triple_ab = of_a.triples.moments(b);
  const double* pair_a = round_.pair_row(a);
  const double* pair_b = round_.pair_row(b);
  const QuartetRow row{
      {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)},
      both_,
      {{1, round_.single(a), round_.single(b), pair_a[b], round_.single(c), pair_a[c], pair_b[c],
        triple_ab[c]},
       {round_.adjusted.singles.data(), pair_a, pair_b, triple_ab, round_.pair_row(c),
        of_a.triples.moments(c), of_b.triples.moments(c), adjusted_quartets(a, b, c)}}};
  tester_->test(row, found_);
}

}  // namespace orrery::quartet
