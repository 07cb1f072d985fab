// One thread's walk over the quartets of one round.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/scan/candidate.hpp"
#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"
#include "families/noisy_or/quartet/scan/work_plan.hpp"
#include "moments/moment_source.hpp"
#include "moments/subtraction.hpp"

namespace orrery::quartet {

struct ScanResult {
  /// At most options.max_candidates; sorted when the scan is done. At rank 0 only.
  std::vector<Candidate> candidates;
  std::uint64_t n_pretested = 0;  ///< quartets whose triples all share a parent
  std::uint64_t n_accepted = 0;   ///< quartets that passed the quartet test too
};

/// Keeps the best `n` candidates: the same ones whatever the order they came in.
void keep_best(std::vector<Candidate>& candidates, std::size_t n);

/// Slabs that a thread keeps: those of one unit and one more, if they fit; never fewer than two.
std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options);
/// Bytes of the slab of a variable with `n_siblings` later ones.
std::size_t slab_bytes(std::size_t m, std::size_t n_siblings);

/// What all threads read.
struct Round {
  Round(const moments::MomentSource& source, const moments::Subtraction& causes,
        const Options& settings)
      : moments(source),
        learned(causes),
        options(settings),
        adjusted(source, causes),
        calibration(settings.test == Test::calibrated
                        ? std::make_optional<Calibration>(source, causes, settings.alpha)
                        : std::nullopt),
        siblings(calibration ? SiblingGraph(*calibration) : SiblingGraph(adjusted, settings.tau_e)),
        m(adjusted.m),
        stride(adjusted.stride),
        bit_words(siblings.row_words()),
        slabs_kept(quartet::slabs_kept(siblings, settings)) {}

  const moments::MomentSource& moments;
  const moments::Subtraction& learned;
  const Options& options;
  AdjustedPairs adjusted;
  std::optional<Calibration> calibration;
  SiblingGraph siblings;
  std::size_t m;
  std::size_t stride;      // row_stride(m)
  std::size_t bit_words;   // words of a set of variables
  std::size_t slabs_kept;  // by a thread

  [[nodiscard]] const double* pair_row(std::size_t a) const { return adjusted.row(a); }
  [[nodiscard]] double single(std::size_t a) const { return adjusted.singles[a]; }
  /// Siblings of `a` after it, as bits.
  [[nodiscard]] std::vector<std::uint64_t> later_siblings(std::size_t a) const;
};

/// The triples of one variable with later siblings, the learned causes subtracted off.
struct Slab {
  std::size_t variable = 0;
  moments::TripleSlab triples;        // adjusted moments
  std::vector<std::uint64_t> passes;  // a row of bits a sibling x: triple (variable, x, y) passes
};

class Scanner {
 public:
  explicit Scanner(const Round& round)
      : round_(round),
        walker_(round.moments.walker()),
        factors_(round.stride),
        quartets_(round.stride),
        wanted_(round.bit_words),
        both_(round.bit_words) {}

  /// All quartets whose first two members are a pair of the block. False, and as if it had never
  /// begun, if `stops` became true in the middle of it.
  bool scan_block(const PairBlock& block, const std::function<bool()>& stops);
  /// Sets wanted() to the variables of all quartets that begin with (a, b), siblings, and pass the
  /// pretest; false if there is none.
  bool find_wanted(std::size_t a, std::size_t b);
  [[nodiscard]] const std::vector<std::uint64_t>& wanted() const { return wanted_; }
  /// Hands over what was found since the last call.
  ScanResult take();
  /// For plans, which count slabs apart: processor time spent on them so far, and the pairs of
  /// siblings met with a triple that passes (only those need a slab for their second member).
  [[nodiscard]] double slab_seconds() const noexcept { return slab_seconds_; }
  [[nodiscard]] std::uint64_t n_open_pairs() const noexcept { return n_open_pairs_; }

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
  void test_calibrated(const QuartetRows& rows, const std::array<std::uint32_t, 3>& abc);
  void fit_waiting();
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
  FitBatch fits_;  // of n_waiting_ quartets too: a scan has one kind of test
  std::size_t n_waiting_ = 0;
  ScanResult found_;
  double slab_seconds_ = 0;
  std::uint64_t n_open_pairs_ = 0;
};

}  // namespace orrery::quartet
