// Negative moments counted from samples: CountedMoments where no value is missing, and
// PairwiseDeleted, which divides the moments of two sources, where values are.
#pragma once

#include <memory>

#include "data/row_lists.hpp"
#include "moments/moment_source.hpp"
#include "moments/tiled_moments.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

class CountedMoments final : public TiledMoments {
 public:
  /// `values` must outlive the object. N < 2^32. With `stored_triples`, triples are read, not
  /// counted (thread-safe function).
  CountedMoments(const data::BitPanels& values, const PairCounts& pairs,
                 StoredTriples stored_triples = {});

  void prepare_many_pairs(int threads, std::size_t most_bytes) const override;
  void end_many_pairs() const override { lists_.reset(); }
  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;
  [[nodiscard]] std::vector<OnWithPair> on_with_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs) const override;

 private:
  [[nodiscard]] std::unique_ptr<TileCounter> tiles() const override;
  [[nodiscard]] std::size_t tiles_bytes() const override;
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const override;

  const data::BitPanels& values_;
  mutable std::unique_ptr<const data::RowLists> lists_;  // once many pairs are to be counted
};

/// Adds the rows in which both of a pair are off and x is on to counts[pair][x - first], for up to
/// pairs_at_once pairs and first <= x < last: one pass of tiles over the bits of those x.
void count_on_beside_pairs(const data::BitPanels& values,
                           std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
                           std::size_t last, std::vector<std::vector<std::uint32_t>>& counts);
/// Adds the rows in which both of a pair and x are on to counts[pair][x - first], in the same way;
/// of pair k one row in 2^thinnings[k] is looked at. `first_row`: the number of the first of these
/// rows, a multiple of 64.
void count_on_with_pairs(const data::BitPanels& values, std::uint64_t first_row,
                         std::span<const std::array<std::uint32_t, 2>> pairs,
                         std::span<const unsigned> thinnings, std::size_t first, std::size_t last,
                         std::vector<std::vector<std::uint32_t>>& counts);
/// The same for all x of one pair, counts[x], from the lists of `values`: takes what is on in the
/// rows looked at, and a look at each row of the rarer of the two.
void list_on_with_pair(const data::BitPanels& values, std::uint64_t first_row,
                       const data::RowLists& lists, const std::array<std::uint32_t, 2>& pair,
                       unsigned thinning, std::span<std::uint32_t> counts);
/// Whether lists of what is on are the quicker way to pairs: fewer than 1 value in 20 is on. Then
/// `n_rows` rows have as many values on as others; false also if their lists take more than
/// `most_bytes`.
[[nodiscard]] bool are_worth_listing(const MomentSource& moments, std::uint64_t n_rows,
                                     std::size_t most_bytes);
/// Rows in which all of the given variables are off. O(|set| N / 64).
[[nodiscard]] std::uint64_t count_off(const data::BitPanels& values,
                                      std::span<const std::size_t> set);

// Negative moments of samples with missing values, by pairwise deletion: each set of variables from
// the rows in which all of it is observed. Unbiased where values are missing completely at random.
//
// With V the values in which a missing one counts as on, and M the mask of missing ones (1 =
// missing): the rows in which all of S are observed and off are those with all of S off in V, and
// the rows in which all of S are observed are those with all of S off in M. So
//
//   P(S off) = off(V, S) / off(M, S),
//
// and whatever counts rows counts both. Different sets rest on different rows: the moments of a
// quartet need not be those of one table, as they need not be after subtracting causes off.
// A set of which no row has all observed is taken to hold no interaction beyond that of its pairs
// (see from_pairs), a pair of which no row has both to be independent, and a variable that is never
// observed to be always off: then nothing is found in them.
// Cost: twice that of counting, in time and memory.

class PairwiseDeleted final : public MomentSource, public CountsAhead {
 public:
  /// Moments of V and of M, of the same rows.
  PairwiseDeleted(std::unique_ptr<MomentSource> off, std::unique_ptr<MomentSource> observed);

  [[nodiscard]] std::size_t n_observed() const override { return off_->n_observed(); }
  [[nodiscard]] std::uint64_t n_samples() const override { return off_->n_samples(); }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return pairs_[a * n_observed() + b];
  }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override;
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override;
  [[nodiscard]] double observed_pair_share(std::size_t a, std::size_t b) const override {
    return observed_->pair(a, b);
  }
  void prepare(std::span<const std::array<std::uint32_t, 4>> sets) const override;
  void prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const override;
  [[nodiscard]] std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const override;
  /// Counted as triples_of_pairs: all rows are looked at.
  void prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                             const std::vector<std::size_t>& /*begins*/) const override {
    prepare_pairs(pairs);
  }
  [[nodiscard]] std::unique_ptr<MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override;

  /// Null unless both sources count ahead.
  [[nodiscard]] CountsAhead* counts_ahead() const override;
  bool count_triples(std::span<const TripleRequest> requests) override;
  bool count_quartets(std::span<const QuartetRequest> requests) override;
  [[nodiscard]] std::size_t budget_bytes() const override;

 private:
  friend class PairwiseWalker;
  /// P(S off) without interactions of three or more: the product of the pairs over that of the
  /// singles to the power |S| - 2. 0 if one of the set is never off.
  [[nodiscard]] double from_pairs(std::span<const std::size_t> set) const;
  [[nodiscard]] double ratio(double off, double observed, std::span<const std::size_t> set) const {
    return observed > 0 ? off / observed : from_pairs(set);
  }

  std::unique_ptr<MomentSource> off_;
  std::unique_ptr<MomentSource> observed_;
  std::vector<double> pairs_;
};

}  // namespace orrery::moments
