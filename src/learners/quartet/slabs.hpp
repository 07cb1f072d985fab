// What a round's threads share: the moments with the learned causes subtracted off, and for each
// variable a slab of all its triples, adjusted and pretested (Algorithm 1, lines 4 to 6, for pairs
// and triples).
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "learners/quartet/options.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/moments/subtraction.hpp"

namespace orrery::quartet {

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
                   const Options& options);

/// All triples of one variable with later ones, the learned causes subtracted off.
struct Slab {
  std::size_t variable = 0;
  moments::TripleSlab triples;        // adjusted moments
  std::vector<std::uint64_t> passes;  // m rows of bits: triple (variable, x, y) passes, x < y
};

/// The slabs of late, for all threads of a rank: each is made once while it is kept, by the thread
/// that asks first. Memory: options.slab_budget_bytes a thread, and the slabs in their hands.
class SlabCache {
 public:
  SlabCache(const Round& round, int threads);

  /// Waits while another thread makes this slab. Thread-safe; `walker` is the caller's own.
  std::shared_ptr<const Slab> get(std::size_t variable, moments::MomentWalker& walker);

 private:
  using Future = std::shared_future<std::shared_ptr<const Slab>>;

  const Round& round_;
  std::size_t capacity_;
  std::mutex mutex_;
  std::vector<Future> slabs_;      // by variable; not valid: not kept
  std::list<std::size_t> recent_;  // kept variables, most recently used first
};

/// Bytes of a full cache.
std::size_t slab_cache_bytes(std::size_t n_observed, const Options& options, int threads);

}  // namespace orrery::quartet
