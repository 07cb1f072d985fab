// Where tests get negative moments from: counted samples (CountedMoments; PairwiseDeleted where
// values are missing) or a known network (model::NetworkMoments). All values are probabilities
// P(every variable of the set is off).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "moments/pair_counts.hpp"

namespace orrery::moments {

/// Length of a row of m values in tables that are read sixteen values on from any of them.
[[nodiscard]] constexpr std::size_t row_stride(std::size_t m) { return (m + 30) / 16 * 16; }

/// The triples of one variable `a` with wanted later ones. Only wanted variables have a row: O(k m)
/// bytes for k of them.
class TripleSlab {
 public:
  /// Makes room for the rows of variables x > a whose bit is set in `wanted` (ceil(m / 64) words);
  /// the contents are unspecified. With counts only where the source counts.
  void reset(std::size_t a, std::size_t m, std::span<const std::uint64_t> wanted, bool with_counts);

  /// The bits of `wanted` above a.
  [[nodiscard]] const std::vector<std::uint64_t>& wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool wants(std::size_t x) const noexcept {
    return ((wanted_[x / 64] >> (x % 64)) & 1U) != 0;
  }
  [[nodiscard]] std::size_t n_rows() const noexcept { return n_rows_; }
  /// Number of the row of a wanted x.
  [[nodiscard]] std::size_t row(std::size_t x) const noexcept { return rows_[x]; }
  /// [y] P(a, x, y off), for wanted x < y.
  [[nodiscard]] double* moments(std::size_t x) noexcept {
    return moment_.data() + row(x) * stride_;
  }
  [[nodiscard]] const double* moments(std::size_t x) const noexcept {
    return moment_.data() + row(x) * stride_;
  }
  /// The same as numbers of rows of the samples.
  [[nodiscard]] std::uint32_t* counts(std::size_t x) noexcept {
    return count_.data() + row(x) * stride_;
  }
  [[nodiscard]] const std::uint32_t* counts(std::size_t x) const noexcept {
    return count_.data() + row(x) * stride_;
  }
  /// Of a source that divides the moments of two (PairwiseDeleted): the triples of the second.
  [[nodiscard]] TripleSlab& beside() {
    if (!beside_) beside_ = std::make_unique<TripleSlab>();
    return *beside_;
  }
  [[nodiscard]] const TripleSlab& beside() const noexcept { return *beside_; }

 private:
  std::size_t stride_ = 0;
  std::size_t n_rows_ = 0;
  std::vector<std::uint64_t> wanted_;
  std::vector<std::uint32_t> rows_;  // by variable
  std::vector<double> moment_;       // n_rows x stride
  std::vector<std::uint32_t> count_;
  std::unique_ptr<TripleSlab> beside_;
};

/// One thread's way through the quartets. Buffers: O(m^2) and the bits of one variable's rows.
class MomentWalker {
 public:
  MomentWalker() = default;
  MomentWalker(const MomentWalker&) = delete;
  MomentWalker& operator=(const MomentWalker&) = delete;
  virtual ~MomentWalker() = default;

  /// Fills the slab of `a` with `wanted` (see TripleSlab::reset).
  virtual void triples(std::size_t a, std::span<const std::uint64_t> wanted, TripleSlab& slab) = 0;
  /// Makes (a, b), a < b, the current pair; `slab_a` (which wants b) and `slab_b` are those
  /// variables' slabs, and must live until the next call. Only variables whose bit is set in
  /// `wanted` (ceil(m / 64) words), and that both slabs want, will be asked for.
  virtual void select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a,
                           const TripleSlab& slab_b, std::span<const std::uint64_t> wanted) = 0;
  /// P(a, b, c, d off) at [d], for wanted d > c; c wanted, b < c. Ask with rising c. row_stride(m)
  /// values, the others unspecified.
  virtual const double* quartets(std::size_t c) = 0;
};

/// What is on in the rows in which both of a pair are.
struct OnWithPair {
  std::vector<double> share;  ///< m: of the rows looked at, those in which x is on too
  double thinning = 1;        ///< of so many rows with both on, one was looked at
};

/// Lists of what is on may take any room.
inline constexpr std::size_t any_bytes = ~std::size_t{0};

/// Pairs whose companions are counted in one pass over the bits.
inline constexpr std::size_t pairs_at_once = 8;

/// No fourth variable in a set of three.
inline constexpr std::uint32_t no_variable = ~std::uint32_t{0};

/// Triples (a, x, y) of wanted x, y; as bits, ceil(m / 64) words.
struct TripleRequest {
  std::size_t a;
  std::span<const std::uint64_t> wanted;
};
/// Quartets (a, b, x, y) of wanted x, y; `triples` is what was wanted of `a`.
struct QuartetRequest {
  std::size_t a, b;
  std::span<const std::uint64_t> triples;
  std::vector<std::uint64_t> wanted;
};

/// For samples that no rank holds whole: counts that all ranks make together before they are used.
/// Walkers of the source find what was counted last. Everything is collective, with the same
/// requests at every rank; false: given up because a rank was asked to stop.
class CountsAhead {
 public:
  CountsAhead() = default;
  CountsAhead(const CountsAhead&) = delete;
  CountsAhead& operator=(const CountsAhead&) = delete;
  virtual ~CountsAhead() = default;

  [[nodiscard]] virtual bool count_triples(std::span<const TripleRequest> requests) = 0;
  /// Sorted by (a, b).
  [[nodiscard]] virtual bool count_quartets(std::span<const QuartetRequest> requests) = 0;
  /// Bytes that the counts of triples, and those of quartets, should each not exceed.
  [[nodiscard]] virtual std::size_t budget_bytes() const = 0;
  /// Bytes of the counts for a request.
  [[nodiscard]] static std::size_t bytes_for(std::span<const std::uint64_t> wanted);
};

class MomentSource {
 public:
  MomentSource() = default;
  MomentSource(const MomentSource&) = delete;
  MomentSource& operator=(const MomentSource&) = delete;
  virtual ~MomentSource() = default;

  [[nodiscard]] virtual std::size_t n_observed() const = 0;
  /// Rows behind the moments; 0: exact.
  [[nodiscard]] virtual std::uint64_t n_samples() const = 0;
  /// P(a, b off); symmetric.
  [[nodiscard]] virtual double pair(std::size_t a, std::size_t b) const = 0;
  /// Share of the rows in which neither `a` nor `b` is missing: those that pair() rests on.
  [[nodiscard]] virtual double observed_pair_share(std::size_t /*a*/, std::size_t /*b*/) const {
    return 1;
  }
  [[nodiscard]] double observed_share(std::size_t a) const { return observed_pair_share(a, a); }
  [[nodiscard]] virtual double triple(std::size_t a, std::size_t b, std::size_t c) const = 0;
  [[nodiscard]] virtual double quartet(std::size_t a, std::size_t b, std::size_t c,
                                       std::size_t d) const = 0;
  /// Says for which sets of three or four variables (the fourth is then no_variable) triple() and
  /// quartet() will be asked next, the same at every rank. A source whose samples no rank holds
  /// whole counts them here, all ranks together; for others this does nothing. Collective.
  virtual void prepare(std::span<const std::array<std::uint32_t, 4>> /*sets*/) const {}
  /// The same for triples_of_pairs, of these pairs and all variables. Collective.
  virtual void prepare_pairs(std::span<const std::array<std::uint32_t, 2>> /*pairs*/) const {}
  /// P(a, b, x off) for up to pairs_at_once pairs (a, b) and first <= x < last, at [pair][x -
  /// first]; x of a pair itself: unspecified.
  [[nodiscard]] virtual std::vector<std::vector<double>> triples_of_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
      std::size_t last) const;
  /// Says that on_with_pairs will be asked for thousands of pairs: a source of sparse samples lists
  /// what is on, by so many threads, so that a pair costs what its rows hold; unless the lists of
  /// this rank took more than `most_bytes`. Not while other threads count.
  virtual void prepare_many_pairs(int /*threads*/, std::size_t /*most_bytes*/) const {}
  /// Says that on_with_pairs will be asked for few pairs again, if any: the lists go. Not while
  /// other threads count.
  virtual void end_many_pairs() const {}
  /// As prepare, for on_with_pairs of these pairs, the same at every rank: rank r may then ask for
  /// those from begins[r] on, before begins[r + 1], and for no others. Collective.
  virtual void prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> /*pairs*/,
                                     const std::vector<std::size_t>& /*begins*/) const {}
  /// What comes with each of up to pairs_at_once pairs, a < b. Of samples some rows are looked at
  /// if there are many: see is_looked_at. x of the pair itself: unspecified. Where bits are
  /// counted, as many pairs as that cost little more than one.
  [[nodiscard]] virtual std::vector<OnWithPair> on_with_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs) const;
  /// Null if walkers may ask for anything; else triples and quartets must be counted here first.
  [[nodiscard]] virtual CountsAhead* counts_ahead() const { return nullptr; }
  [[nodiscard]] virtual std::unique_ptr<MomentWalker> walker() const = 0;
  /// Bytes of one walker, for plans.
  [[nodiscard]] virtual std::size_t walker_bytes() const = 0;

  [[nodiscard]] double single(std::size_t a) const { return pair(a, a); }
  /// A table of pair(), m x m; its diagonal holds the singles.
  [[nodiscard]] std::vector<double> pairs() const;
};

/// No value behind the moments is missing.
[[nodiscard]] inline bool is_complete(const MomentSource& moments) {
  for (std::size_t a = 0; a < moments.n_observed(); ++a) {
    if (moments.observed_share(a) < 1) return false;
  }
  return true;
}

// Some rows of a pair that is often on together say enough of what comes with it: which rows are
// looked at depends on their numbers alone, so that every split of the rows chooses the same.

/// A share of these has a standard error below 0.01.
inline constexpr std::uint64_t enough_rows = 4096;
/// Counts of the rows looked at have 16 bits. Chance never makes them so many; of rows that were
/// put in an order in which most are looked at, nothing is taken to come with the pair.
inline constexpr std::uint64_t most_looked_at = 0xFFFF;

/// k: of a pair on together in so many rows, one in 2^k is looked at; at least half of enough_rows.
[[nodiscard]] constexpr unsigned thinning_of(std::uint64_t n_rows) noexcept {
  return n_rows <= enough_rows ? 0
                               : static_cast<unsigned>(std::bit_width((n_rows - 1) / enough_rows));
}

/// Whether this row is one of them: a hash (the finalizer of SplitMix64, Steele, Lea, Flood 2014),
/// as rows may come in an order.
[[nodiscard]] constexpr bool is_looked_at(std::uint64_t row, unsigned thinning) noexcept {
  if (thinning == 0) return true;
  row = (row ^ (row >> 30U)) * 0xBF58476D1CE4E5B9U;
  row = (row ^ (row >> 27U)) * 0x94D049BB133111EBU;
  row ^= row >> 31U;
  return (row & ((std::uint64_t{1} << thinning) - 1)) == 0;
}

}  // namespace orrery::moments
