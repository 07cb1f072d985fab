// The triples of variables with later siblings, adjusted and pretested: made once and kept while
// they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

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

}  // namespace orrery::quartet
