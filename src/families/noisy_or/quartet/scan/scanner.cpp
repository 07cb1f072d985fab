// The walk over all quartets a < b < c < d.
//
// Only siblings meet (work_plan.hpp): triples of which a pair is independent are not counted. A
// unit of work is a block of pairs (a, b). For each variable of the block its slab - its triples
// with later siblings, adjusted and pretested - is made once and kept while it is needed. For a
// pair, the pretest's bit sets of a, b and c are intersected: only quartets all of whose triples
// pass are counted and tested, in rows over d.
//
//   paper                     code                                 Jernite et al. 2013
//   JOINT                     MomentWalker, cells_from_negative    Algorithm 1, line 4
//   ADJUST                    Subtraction::factors                 line 5, Eq. (3)
//   PRETEST                   passes_pretest                       line 6, Lemma 2
//   4TEST                     RankKernel / coherence               line 6, Sec. 2.1
//
// Cost: the triples of siblings, and of the quartets those that pass the pretest; N p^2 bit
// operations each (see counted_moments.cpp). Memory a thread: 17 slabs of 12 k m bytes (k siblings
// a variable) while they fit in 256 MiB, fewer beyond; never a list of quartets.
#include "families/noisy_or/quartet/scan/scanner.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/processor_time.hpp"
#include "families/noisy_or/quartet/paper/mixture.hpp"
#include "moments/joint_table.hpp"

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

std::vector<std::uint64_t> Round::later_siblings(std::size_t a) const {
  const auto all = siblings.row(a);
  std::vector<std::uint64_t> later(all.begin(), all.end());
  std::fill_n(later.begin(), a / 64, 0);
  later[a / 64] &= ~std::uint64_t{1} << (a % 64);
  return later;
}

std::size_t slab_bytes(std::size_t m, std::size_t n_siblings) {
  return n_siblings * (moments::row_stride(m) * 12 + (m + 63) / 64 * 8) + 4 * m;
}

void Scanner::fill(Slab& slab, std::size_t a) {
  const double begin = thread_seconds();
  slab.variable = a;
  walker_->triples(a, round_.siblings.row(a), slab.triples);
  slab.passes.assign(slab.triples.n_rows() * round_.bit_words, 0);
  const double* pair_a = round_.pair_row(a);
  const double tau = round_.options.tau_e;
  for (std::size_t x = a + 1; x < round_.m; ++x) {
    if (!slab.triples.wants(x)) continue;
    double* row = slab.triples.moments(x);
    std::uint64_t* passes = slab.passes.data() + slab.triples.row(x) * round_.bit_words;
    const auto of_x = round_.siblings.row(x);
    if (round_.calibration) {
      const Calibration& calibration = *round_.calibration;
      for (std::size_t w = x / 64; w < round_.bit_words; ++w) {
        for (std::uint64_t left = slab.triples.wanted()[w] & of_x[w]; left != 0; left &= left - 1) {
          const std::size_t y = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
          if (y <= x) continue;
          const bool pass = calibration.triple_z(a, x, y, row[y]) > calibration.triple_bar();
          passes[w] |= std::uint64_t{pass} << (y % 64);
        }
      }
    }
    if (!round_.learned.empty()) {
      round_.learned.factors({a, x}, x + 1, factors_);
      for (std::size_t y = x + 1; y < round_.m; ++y) row[y] /= factors_[y];
    }
    if (round_.calibration) continue;
    const double* pair_x = round_.pair_row(x);
    for (std::size_t y = x + 1; y < round_.m; ++y) {
      const bool pass = passes_pretest(pair_a[a], pair_x[x], round_.single(y), pair_a[x], pair_a[y],
                                       pair_x[y], row[y], tau);
      passes[y / 64] |= std::uint64_t{pass} << (y % 64);
    }
    // Only siblings of both have moments.
    for (std::size_t w = 0; w < round_.bit_words; ++w)
      passes[w] &= slab.triples.wanted()[w] & of_x[w];
  }
  slab_seconds_ += thread_seconds() - begin;
}

const Slab& Scanner::slab(std::size_t variable) {
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

bool Scanner::scan_block(const PairBlock& block, const std::function<bool()>& stops) {
  const std::uint64_t n_pretested = found_.n_pretested;
  const std::uint64_t n_accepted = found_.n_accepted;
  bool stopped = false;
  for (std::size_t a = block.first_a; a < block.last_a && !stopped; ++a) {
    for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b && !stopped; ++b) {
      if (!round_.siblings.has(a, b)) continue;
      stopped = stops();
      if (!stopped) scan_pair(a, b);
    }
  }
  if (round_.calibration) {
    fit_waiting();
  } else {
    screen_batch();
    test_waiting();
  }
  if (!stopped) return true;
  // What was put aside for being worse than these stays aside: they will all be found again.
  std::erase_if(found_.candidates, [&](const Candidate& candidate) {
    const auto [a, b, c, d] = candidate.members;
    return a >= block.first_a && a < block.last_a && b >= block.first_b && b < block.last_b;
  });
  found_.n_pretested = n_pretested;
  found_.n_accepted = n_accepted;
  return false;
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
  const Slab& of_a = slab(a);
  const std::uint64_t* siblings = of_a.passes.data() + of_a.triples.row(b) * words;
  if (std::all_of(siblings, siblings + words, [](std::uint64_t word) { return word == 0; })) {
    return false;
  }
  ++n_open_pairs_;
  const Slab& of_b = slab(b);
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
  const Slab& of_a = slab(a);
  const Slab& of_b = slab(b);
  const std::uint64_t* siblings = of_a.passes.data() + of_a.triples.row(b) * words;
  walker_->select_pair(a, b, of_a.triples, of_b.triples, wanted_);
  for (std::size_t c = b + 1; c < round_.m; ++c) {
    if (((siblings[c / 64] >> (c % 64)) & 1U) != 0 && intersect(of_a, of_b, b, c)) {
      test_row(of_a, of_b, b, c);
    }
  }
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
  const QuartetRows rows{
      {1, round_.single(a), round_.single(b), pair_a[b], round_.single(c), pair_a[c], pair_b[c],
       triple_ab[c]},
      {round_.adjusted.singles.data(), pair_a, pair_b, triple_ab, round_.pair_row(c),
       of_a.triples.moments(c), of_b.triples.moments(c), adjusted_quartets(a, b, c)}};
  const std::array<std::uint32_t, 3> abc{
      static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)};
  switch (round_.options.test) {
    case Test::calibrated:
      return test_calibrated(rows, abc);
    case Test::rank:
      return test_rank(rows, abc);
    case Test::coherence:
      return test_coherence(rows, abc);
  }
}

void Scanner::test_rank(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc) {
  const RankKernel& kernel = rank_kernel();
  for (std::size_t w = abc[2] / 64; w < round_.bit_words; ++w) {
    for (std::uint64_t left = both_[w]; left != 0;) {
      // The next run of ones, or as much of it as the batch has room for.
      const auto start = static_cast<std::size_t>(std::countr_zero(left));
      const auto run = static_cast<std::size_t>(std::countr_one(left >> start));
      const std::size_t n = std::min(run, QuartetBatch::lanes - batch_.size);
      for (std::size_t i = 0; i < n; ++i) {
        batch_members_[batch_.size + i] = {abc[0], abc[1], abc[2],
                                           static_cast<std::uint32_t>(64 * w + start + i)};
      }
      kernel.append(batch_, rows, 64 * w + start, n);
      found_.n_pretested += n;
      left &= ~(((std::uint64_t{1} << n) - 1) << start);  // n is 16 at most
      if (batch_.size == QuartetBatch::lanes) screen_batch();
    }
  }
}

void Scanner::screen_batch() {
  const ScreenResult screened = rank_kernel().screen(batch_, limits_);
  // Surely rejected, or surely accepted but never to be kept: no statistic is needed.
  auto lanes = ((std::uint32_t{1} << batch_.size) - 1) & ~screened.above_reject;
  const std::uint32_t only_counted = lanes & screened.above_keep & ~screened.above_accept;
  found_.n_accepted += static_cast<std::uint64_t>(std::popcount(only_counted));
  for (lanes &= ~only_counted; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    moments::QuartetMoments negative{};
    for (std::size_t set = 0; set < 16; ++set) negative[set] = batch_.negative[set][lane];
    const moments::QuartetCells cells = moments::cells_from_negative(negative);
    for (std::size_t set = 0; set < 16; ++set) {
      waiting_cells_[statistic_lanes * set + n_waiting_] = cells[set];
    }
    waiting_[n_waiting_++].members = batch_members_[lane];
    if (n_waiting_ == statistic_lanes) test_waiting();
  }
  batch_.size = 0;
}

void Scanner::test_waiting() {
  std::array<double, statistic_lanes> statistic{};
  rank_kernel().statistics(waiting_cells_.data(), statistic.data());
  for (std::size_t i = 0; i < n_waiting_; ++i) {
    waiting_[i].statistic = statistic[i];
    if (statistic[i] < round_.options.tau_q) accept(waiting_[i]);
  }
  n_waiting_ = 0;
}

void Scanner::test_coherence(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc) {
  for (std::size_t w = abc[2] / 64; w < round_.bit_words; ++w) {
    for (std::uint64_t left = both_[w]; left != 0; left &= left - 1) {
      ++found_.n_pretested;
      const std::size_t d = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      moments::QuartetMoments negative{};
      for (std::size_t set = 0; set < 8; ++set) {
        negative[set] = rows.without_d[set];
        negative[set + 8] = rows.with_d[set][d];
      }
      const auto result = coherence(negative);
      if (!result || !(result->variance < round_.options.tau_q) ||
          !(result->distance < round_.options.tau_q2)) {
        continue;
      }
      accept({result->distance, {abc[0], abc[1], abc[2], static_cast<std::uint32_t>(d)}});
    }
  }
}

void Scanner::test_calibrated(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc) {
  for (std::size_t w = abc[2] / 64; w < round_.bit_words; ++w) {
    for (std::uint64_t left = both_[w]; left != 0; left &= left - 1) {
      ++found_.n_pretested;
      const std::size_t d = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      std::array<double, 16> adjusted{};
      for (std::size_t set = 0; set < 8; ++set) {
        adjusted[set] = rows.without_d[set];
        adjusted[set + 8] = rows.with_d[set][d];
      }
      waiting_[n_waiting_].members = {abc[0], abc[1], abc[2], static_cast<std::uint32_t>(d)};
      round_.calibration->fill(fits_, n_waiting_, waiting_[n_waiting_].members, adjusted);
      if (++n_waiting_ == FitBatch::lanes) fit_waiting();
    }
  }
}

void Scanner::fit_waiting() {
  if (n_waiting_ == 0) return;
  FitResult result;
  // Lanes that stand empty repeat an earlier quartet or are the first one's.
  fit_kernel()(fits_, result);
  for (std::size_t i = 0; i < n_waiting_; ++i) {
    waiting_[i].statistic = result.chi_square[i];
    if (accepts(result, i)) accept(waiting_[i]);
  }
  n_waiting_ = 0;
}

void Scanner::accept(const Candidate& candidate) {
  ++found_.n_accepted;
  found_.candidates.push_back(candidate);
  const std::size_t n = round_.options.max_candidates;
  if (found_.candidates.size() >= 2 * n) {
    keep_best(found_.candidates, n);
    bar_ = found_.candidates.back().statistic;  // nth_element leaves the worst of the best last
    limits_ = screen_limits(round_.options.tau_q, bar_);
  }
}

ScanResult Scanner::take() {
  keep_best(found_.candidates, round_.options.max_candidates);
  return std::exchange(found_, {});
}

std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options) {
  std::size_t most = 1;  // siblings of one variable
  const std::size_t m = siblings.n_variables();
  for (std::size_t a = 0; a < m; ++a) most = std::max(most, siblings.n_later(a));
  const std::size_t of_a_unit = 2 * WorkPlan(m).side() + 1;
  return std::clamp<std::size_t>(options.slab_budget_bytes / slab_bytes(m, most), 2,
                                 std::max(of_a_unit, m));
}

void keep_best(std::vector<Candidate>& candidates, std::size_t n) {
  if (candidates.size() <= n) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(n - 1),
                   candidates.end());
  candidates.resize(n);
}

}  // namespace orrery::quartet
