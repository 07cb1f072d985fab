// What all threads read in the scan of all quartets of one round: the adjusted pairs, the sibling
// graph, and the numbered units of work. They depend on the data alone, never on who does the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {

/// Pairs and singles with the learned causes subtracted off (Jernite et al. 2013, Eq. 3).
struct AdjustedPairs {
  AdjustedPairs(const moments::MomentSource& moments, const moments::Subtraction& learned);

  std::size_t m;
  std::size_t stride;           ///< row_stride(m)
  std::vector<double> pairs;    ///< m x stride, the diagonal holds the singles
  std::vector<double> singles;  ///< stride

  [[nodiscard]] const double* row(std::size_t a) const { return pairs.data() + a * stride; }
};

/// Variables that may share a parent: PMI(a, b) > 1 + tau_e. The pretest asks for PMI(a, b) -
/// CPMI(a, b | x) > tau_e (Lemma 2), and in a noisy-OR network CPMI is 1 at least, so every pair of
/// a triple that passes it is an edge here. O(m^2) time, m^2 / 8 bytes.
class SiblingGraph {
 public:
  SiblingGraph(const AdjustedPairs& pairs, double tau_e);
  /// Pairs that depend on each other significantly beyond the learned causes.
  explicit SiblingGraph(const Calibration& calibration);

  [[nodiscard]] std::size_t n_variables() const noexcept { return m_; }
  [[nodiscard]] std::size_t row_words() const noexcept { return words_; }
  /// The siblings of `a` as bits.
  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t a) const {
    return {bits_.data() + a * words_, words_};
  }
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const {
    return ((bits_[a * words_ + b / 64] >> (b % 64)) & 1U) != 0;
  }
  /// Siblings of `a` after it.
  [[nodiscard]] std::size_t n_later(std::size_t a) const;
  /// Common siblings of a and b, a < b, after b.
  [[nodiscard]] std::size_t n_common(std::size_t a, std::size_t b) const;

 private:
  std::size_t m_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Pairs (a, b), a < b, of a unit: first_a <= a < last_a, first_b <= b < last_b.
struct PairBlock {
  std::size_t first_a, last_a, first_b, last_b;
};

/// Expected work of a pair of siblings, in quartets: C(k, 2) of its k common later siblings, and
/// something for the triples.
[[nodiscard]] double pair_weight(const SiblingGraph& siblings, std::size_t a, std::size_t b);

/// Blocks of pairs, row by row of blocks: 8 x 8 pairs, or 4 x 4 below 1,024 variables, so that
/// there are thousands of units and the large ones come first. At 1,000 ranks the first thing to
/// break is their number for small m: 136 for m = 64 (some milliseconds of work in all).
class WorkPlan {
 public:
  explicit WorkPlan(std::size_t n_variables);
  [[nodiscard]] std::uint64_t n_units() const noexcept { return blocks_ * (blocks_ + 1) / 2; }
  [[nodiscard]] std::size_t side() const noexcept { return side_; }
  [[nodiscard]] PairBlock pairs_of(std::uint64_t unit) const;
  /// Expected work of each unit: pair_weight of its pairs of siblings.
  [[nodiscard]] std::vector<double> weights(const SiblingGraph& siblings) const;

 private:
  std::size_t m_;
  std::size_t side_;
  std::size_t blocks_;
};

/// Slabs that a thread keeps: those of one unit and one more, if they fit; never fewer than two.
std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options);
/// Bytes of the slab of a variable with `n_siblings` later ones.
std::size_t slab_bytes(std::size_t m, std::size_t n_siblings);

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

}  // namespace orrery::quartet
