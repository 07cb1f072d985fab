// The walk over all quartets a < b < c < d.
//
// A unit of work is a block of at most 8 x 8 pairs (a, b). For each variable of the block its slab
// - all its triples with later variables, adjusted and pretested - is made once and kept while it
// is needed. For a pair, the pretest's bit sets of a, b and c are intersected: only quartets all of
// whose triples pass are counted and tested, in rows over d.
//
//   paper                     code                                 Jernite et al. 2013
//   JOINT                     MomentWalker, cells_from_negative    Algorithm 1, line 4
//   ADJUST                    Subtraction::factors                 line 5, Eq. (3)
//   PRETEST                   passes_pretest                       line 6, Lemma 2
//   4TEST                     RankKernel / coherence               line 6, Sec. 2.1
//
// Cost: C(m, 3) triples, and of the C(m, 4) quartets those that pass the pretest; N p^2 bit
// operations each (see counted_moments.cpp). Memory a thread: 17 slabs of 12 m^2 bytes while they
// fit in 256 MiB, fewer beyond; never a list of quartets. At 1,000 ranks the first thing to break
// is the number of units, C(m / 8, 2): below m of some 1,000 there are too few for all ranks.
#include "learners/quartet/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <list>
#include <memory>
#include <utility>

#include "learners/quartet/mixture.hpp"
#include "learners/quartet/rank_test.hpp"
#include "orrery/moments/joint_table.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t block = 8;  // variables on a side of a unit

std::size_t slab_bytes(std::size_t m) {
  return m * moments::row_stride(m) * 12 + m * ((m + 63) / 64) * 8;
}

/// Slabs kept by a thread: those of one unit and one more, if they fit; never fewer than two.
std::size_t slabs_kept(std::size_t m, std::size_t budget_bytes) {
  return std::clamp<std::size_t>(budget_bytes / slab_bytes(m), 2,
                                 std::max<std::size_t>(2 * block + 1, m));
}

/// PMI - CPMI exceeds tau for each pair of the triple given the third (Lemma 2), all adjusted:
/// single, pair and triple off-probabilities.
bool passes_pretest(double a, double x, double y, double ax, double ay, double xy, double axy,
                    double tau) {
  // ax / (a x) - axy y / (ay xy) > tau, and so for the other two pairs, times all denominators.
  const double gap = ax * ay * xy - axy * (a * x * y);
  return gap > tau * (a * x) * (ay * xy) && gap > tau * (a * y) * (ax * xy) &&
         gap > tau * (x * y) * (ax * ay);
}

/// All triples of one variable with later ones, the learned causes subtracted off.
struct Slab {
  std::size_t variable = 0;
  moments::TripleSlab triples;        // adjusted moments
  std::vector<std::uint64_t> passes;  // m rows of bits: triple (variable, x, y) passes, x < y
};

/// What all threads read: pairs and singles with the learned causes subtracted off.
struct Round {
  const moments::MomentSource& moments;
  const moments::Subtraction& learned;
  const Options& options;
  std::size_t m;
  std::size_t stride;           // row_stride(m)
  std::size_t bit_words;        // words of a set of variables
  std::vector<double> pairs;    // m x stride, the diagonal holds the singles
  std::vector<double> singles;  // stride

  [[nodiscard]] const double* pair_row(std::size_t a) const { return pairs.data() + a * stride; }
};

Round adjust_pairs(const moments::MomentSource& moments, const moments::Subtraction& learned,
                   const Options& options) {
  const std::size_t m = moments.n_observed();
  const std::size_t stride = moments::row_stride(m);
  Round round{moments, learned, options, m, stride, (m + 63) / 64, {}, {}};
  round.pairs.assign(m * stride, 0);
  round.singles.assign(stride, 0);
  for (std::size_t a = 0; a < m; ++a) {
    round.singles[a] = moments.single(a) / learned.factor({a});
    round.pairs[a * stride + a] = round.singles[a];
    for (std::size_t b = a + 1; b < m; ++b) {
      const double pair = moments.pair(a, b) / learned.factor({a, b});
      round.pairs[a * stride + b] = pair;
      round.pairs[b * stride + a] = pair;
    }
  }
  return round;
}

/// One thread's part of a round.
class Scanner {
 public:
  explicit Scanner(const Round& round)
      : round_(round),
        walker_(round.moments.walker()),
        factors_(round.stride),
        quartets_(round.stride),
        wanted_(round.bit_words),
        both_(round.bit_words) {}

  void scan_block(std::size_t block_a, std::size_t block_b);
  /// Tests what is still waiting and hands over the results.
  std::vector<Candidate> finish();
  [[nodiscard]] std::uint64_t n_pretested() const { return n_pretested_; }
  [[nodiscard]] std::uint64_t n_accepted() const { return n_accepted_; }

 private:
  const Slab& slab(std::size_t variable);
  void fill(Slab& slab, std::size_t variable);
  void scan_pair(std::size_t a, std::size_t b);
  /// Sets both_ to the d > c whose triples with (a, b), (a, c), (b, c) pass; false if there is
  /// none.
  bool intersect(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c);
  const double* adjusted_quartets(std::size_t a, std::size_t b, std::size_t c);
  void test_row(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c);
  void test_rank(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc);
  void test_coherence(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc);
  void screen_batch();
  void test_waiting();
  void accept(const Candidate& candidate);

  const Round& round_;
  std::unique_ptr<moments::MomentWalker> walker_;
  std::list<Slab> slabs_;  // most recently used first
  std::vector<double> factors_;
  std::vector<double> quartets_;  // adjusted P(abcd off) by d
  std::vector<std::uint64_t> wanted_;
  std::vector<std::uint64_t> both_;
  double bar_ = round_.options.tau_q;  // no candidate above it will be kept
  ScreenLimits limits_ = screen_limits(bar_, bar_);
  QuartetBatch batch_;
  std::array<std::array<std::uint32_t, 4>, QuartetBatch::lanes> batch_members_{};
  // Quartets that the screen could not reject, waiting for a full set of lanes.
  std::array<double, 16 * statistic_lanes> waiting_cells_{};
  std::array<Candidate, statistic_lanes> waiting_{};
  std::size_t n_waiting_ = 0;
  std::vector<Candidate> accepted_;
  std::uint64_t n_pretested_ = 0;
  std::uint64_t n_accepted_ = 0;
};

void Scanner::fill(Slab& slab, std::size_t a) {
  slab.variable = a;
  walker_->triples(a, slab.triples);
  slab.passes.assign(round_.m * round_.bit_words, 0);
  const double* pair_a = round_.pair_row(a);
  const double tau = round_.options.tau_e;
  for (std::size_t x = a + 1; x < round_.m; ++x) {
    double* row = slab.triples.moment.data() + x * round_.stride;
    if (!round_.learned.empty()) {
      round_.learned.factors({a, x}, x + 1, factors_);
      for (std::size_t y = x + 1; y < round_.m; ++y) row[y] /= factors_[y];
    }
    const double* pair_x = round_.pair_row(x);
    std::uint64_t* passes = slab.passes.data() + x * round_.bit_words;
    for (std::size_t y = x + 1; y < round_.m; ++y) {
      const bool pass = passes_pretest(pair_a[a], pair_x[x], round_.singles[y], pair_a[x],
                                       pair_a[y], pair_x[y], row[y], tau);
      passes[y / 64] |= std::uint64_t{pass} << (y % 64);
    }
  }
}

const Slab& Scanner::slab(std::size_t variable) {
  auto found = std::find_if(slabs_.begin(), slabs_.end(),
                            [&](const Slab& slab) { return slab.variable == variable; });
  if (found == slabs_.end()) {
    if (slabs_.size() < slabs_kept(round_.m, round_.options.slab_budget_bytes)) {
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

void Scanner::scan_block(std::size_t block_a, std::size_t block_b) {
  const std::size_t end_a = std::min((block_a + 1) * block, round_.m);
  const std::size_t end_b = std::min((block_b + 1) * block, round_.m);
  for (std::size_t a = block_a * block; a < end_a; ++a) {
    for (std::size_t b = std::max(block_b * block, a + 1); b < end_b; ++b) scan_pair(a, b);
  }
}

bool Scanner::intersect(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c) {
  const std::size_t words = round_.bit_words;
  const std::uint64_t* ab = of_a.passes.data() + b * words;
  const std::uint64_t* ac = of_a.passes.data() + c * words;
  const std::uint64_t* bc = of_b.passes.data() + c * words;
  std::uint64_t any = 0;
  for (std::size_t w = c / 64; w < words; ++w) {
    both_[w] = ab[w] & ac[w] & bc[w];  // rows of c hold d > c only
    any |= both_[w];
  }
  return any != 0;
}

void Scanner::scan_pair(std::size_t a, std::size_t b) {
  const std::size_t words = round_.bit_words;
  const Slab& of_a = slab(a);
  const std::uint64_t* siblings = of_a.passes.data() + b * words;
  if (std::all_of(siblings, siblings + words, [](std::uint64_t word) { return word == 0; })) return;
  const Slab& of_b = slab(b);

  std::fill(wanted_.begin(), wanted_.end(), 0);
  std::uint64_t any = 0;
  for (std::size_t c = b + 1; c < round_.m; ++c) {
    if (((siblings[c / 64] >> (c % 64)) & 1U) == 0 || !intersect(of_a, of_b, b, c)) continue;
    wanted_[c / 64] |= std::uint64_t{1} << (c % 64);
    for (std::size_t w = c / 64; w < words; ++w) wanted_[w] |= both_[w];
    any = 1;
  }
  if (any == 0) return;
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
  const std::size_t stride = round_.stride;
  const double* triple_ab = of_a.triples.moment.data() + b * stride;
  const double* pair_a = round_.pair_row(a);
  const double* pair_b = round_.pair_row(b);
  const QuartetRows rows{{1, round_.singles[a], round_.singles[b], pair_a[b], round_.singles[c],
                          pair_a[c], pair_b[c], triple_ab[c]},
                         {round_.singles.data(), pair_a, pair_b, triple_ab, round_.pair_row(c),
                          of_a.triples.moment.data() + c * stride,
                          of_b.triples.moment.data() + c * stride, adjusted_quartets(a, b, c)}};
  const std::array<std::uint32_t, 3> abc{
      static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)};
  if (round_.options.test == Test::rank) {
    test_rank(rows, abc);
  } else {
    test_coherence(rows, abc);
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
      n_pretested_ += n;
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
  n_accepted_ += static_cast<std::uint64_t>(std::popcount(only_counted));
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
      ++n_pretested_;
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

/// Keeps the best `n` candidates: the same ones whatever the order they came in.
void keep_best(std::vector<Candidate>& candidates, std::size_t n) {
  if (candidates.size() <= n) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(n - 1),
                   candidates.end());
  candidates.resize(n);
}

void Scanner::accept(const Candidate& candidate) {
  ++n_accepted_;
  accepted_.push_back(candidate);
  const std::size_t n = round_.options.max_candidates;
  if (accepted_.size() >= 2 * n) {
    keep_best(accepted_, n);
    bar_ = accepted_.back().statistic;  // nth_element leaves the worst of the best last
    limits_ = screen_limits(round_.options.tau_q, bar_);
  }
}

std::vector<Candidate> Scanner::finish() {
  screen_batch();
  test_waiting();
  keep_best(accepted_, round_.options.max_candidates);
  return std::move(accepted_);
}

std::size_t n_blocks(std::size_t m) { return (m + block - 1) / block; }

/// Unit number -> pair of blocks (i <= j), row by row: the largest units come first.
std::pair<std::size_t, std::size_t> blocks_of_unit(std::size_t unit, std::size_t blocks) {
  std::size_t row = 0;
  while (unit >= blocks - row) unit -= blocks - row++;
  return {row, row + unit};
}

}  // namespace

std::size_t n_scan_units(std::size_t n_observed) {
  const std::size_t blocks = n_blocks(n_observed);
  return blocks * (blocks + 1) / 2;
}

std::size_t scan_thread_bytes(std::size_t n_observed, const Options& options) {
  return std::min(slabs_kept(n_observed, options.slab_budget_bytes), n_observed) *
         slab_bytes(n_observed);
}

ScanResult scan_quartets(const parallel::Team& team, int threads,
                         const moments::MomentSource& moments, const moments::Subtraction& learned,
                         const Options& options, int depth) {
  const Round round = adjust_pairs(moments, learned, options);
  const std::size_t blocks = n_blocks(round.m);
  std::vector<std::unique_ptr<Scanner>> scanners(static_cast<std::size_t>(threads));
  Progress progress(fmt::format("quartets, depth {}", depth), n_scan_units(round.m), "blocks");
  team.for_each_unit(n_scan_units(round.m), threads, progress, [&](std::size_t unit, int thread) {
    auto& scanner = scanners[static_cast<std::size_t>(thread)];
    if (!scanner) scanner = std::make_unique<Scanner>(round);
    const auto [block_a, block_b] = blocks_of_unit(unit, blocks);
    scanner->scan_block(block_a, block_b);
  });

  std::vector<Candidate> own;
  std::vector<std::uint64_t> totals(2, 0);
  for (const auto& scanner : scanners) {
    if (!scanner) continue;
    const std::vector<Candidate> part = scanner->finish();
    own.insert(own.end(), part.begin(), part.end());
    totals[0] += scanner->n_pretested();
    totals[1] += scanner->n_accepted();
  }
  keep_best(own, options.max_candidates);
  team.sum_words(totals);
  ScanResult result{team.gather(own), totals[0], totals[1]};
  keep_best(result.candidates, options.max_candidates);
  std::sort(result.candidates.begin(), result.candidates.end());
  return result;
}

}  // namespace orrery::quartet
