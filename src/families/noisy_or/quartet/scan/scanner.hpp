// One thread's walk over the quartets of one round, and its slabs: the triples of variables with
// later siblings, adjusted and pretested, made once and kept while they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "families/noisy_or/quartet/scan/found.hpp"
#include "families/noisy_or/quartet/scan/quartet_tester.hpp"
#include "families/noisy_or/quartet/scan/round.hpp"
#include "moments/moment_source.hpp"

namespace orrery::quartet {

/// The triples of one variable with later siblings, the learned causes subtracted off.
struct Slab {
  std::size_t variable = 0;
  moments::TripleSlab triples;        // adjusted moments
  std::vector<std::uint64_t> passes;  // a row of bits a sibling x: triple (variable, x, y) passes
};

/// One thread's slabs: the Round::slabs_kept that were used last.
class SlabCache {
 public:
  /// Both must outlive this.
  SlabCache(const Round& round, moments::MomentWalker& walker)
      : round_(round), walker_(walker), factors_(round.stride) {}

  /// The slab of a variable. It stays where it is while one other variable is asked for.
  const Slab& of(std::size_t variable);
  /// Processor time spent on slabs so far.
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  void fill(Slab& slab, std::size_t variable);
  void mark_by_calibration(const Slab& slab, std::size_t x, const double* row,
                           std::uint64_t* passes) const;
  void mark_by_pretest(const Slab& slab, std::size_t x, const double* row,
                       std::uint64_t* passes) const;

  const Round& round_;
  moments::MomentWalker& walker_;
  std::list<Slab> slabs_;  // most recently used first
  std::vector<double> factors_;
  double seconds_ = 0;
};

class Scanner {
 public:
  explicit Scanner(const Round& round)
      : round_(round),
        walker_(round.moments.walker()),
        slabs_(round, *walker_),
        tester_(quartet_tester(round)),
        found_(round.options),
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
  ScanResult take() { return found_.take(); }
  /// For plans, which count slabs apart: processor time spent on them so far, and the pairs of
  /// siblings met with a triple that passes (only those need a slab for their second member).
  [[nodiscard]] double slab_seconds() const noexcept { return slabs_.seconds(); }
  [[nodiscard]] std::uint64_t n_open_pairs() const noexcept { return n_open_pairs_; }

 private:
  void scan_pair(std::size_t a, std::size_t b);
  /// Sets both_ to the d > c whose triples with (a, b), (a, c), (b, c) pass; false if there is
  /// none.
  bool intersect(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c);
  const double* adjusted_quartets(std::size_t a, std::size_t b, std::size_t c);
  void test_row(const Slab& of_a, const Slab& of_b, std::size_t b, std::size_t c);

  const Round& round_;
  std::unique_ptr<moments::MomentWalker> walker_;
  SlabCache slabs_;
  std::unique_ptr<QuartetTester> tester_;
  Found found_;
  std::vector<double> factors_;
  std::vector<double> quartets_;  // adjusted P(abcd off) by d
  std::vector<std::uint64_t> wanted_;
  std::vector<std::uint64_t> both_;
  std::uint64_t n_open_pairs_ = 0;
};

}  // namespace orrery::quartet
