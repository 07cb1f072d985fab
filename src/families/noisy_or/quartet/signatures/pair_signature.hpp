// Pair signatures: what a pair of variables says of all others. If one cause U alone couples a and
// b beyond the learned causes, then for every x
//
//   K_abx / L_ab = (L_ab - L_{ab | x off}) / L_ab = 1 - f_{U,x}      to first order in the prior,
//
// whatever other parents x has: EXTEND for all x at once (Jernite, Halpern, Sontag 2013, Algorithm
// 2; in logarithms, so that errors of subtracted causes add and do not compound). Two signatures
// that agree over all x are the coherence test of all their fourth members at once.
//
// Cost: a pair, what is on in some thousands of its rows (MomentSource::on_with_pairs) and a
// logarithm an x that is ever on with them; memory 8 m bytes.
//
// Learned causes are terms of log moments, in which they add up (Eq. 3 of Jernite, Halpern, Sontag
// 2013 in logarithms). For many causes of which few touch a given pair.
//
//   T_S(U) = log(1 - p + p prod_{a in S} f_a)        U's factor of P(S off)
//   L_ab(U) = T_ab - T_a - T_b                       what U adds to log P(ab) / (P(a) P(b))
//   L_{ab | x off}(U)                                the same with the prior P(U | x off)
//
// Cost: a pair takes the causes of both its variables, found in bits, one per cause and variable;
// memory 8 bytes per cause and variable, and 20 per edge.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "moments/moment_source.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// L_ab of a cause of this prior with these failures.
[[nodiscard]] double coupling(double prior, double failure_a, double failure_b);
/// The prior with which it is this; the largest, 1/2, if none is.
[[nodiscard]] double prior_of_coupling(double coupled, double failure_a, double failure_b);
class LogTerms {
 public:
  explicit LogTerms(std::size_t n_observed)
      : causes_of_(n_observed), edges_of_(n_observed), has_cause_(n_observed) {}

  /// `failures`: m values, 1 where there is no edge.
  void add(double prior, std::span<const double> failures);

  [[nodiscard]] std::size_t n_causes() const noexcept { return priors_.size(); }
  [[nodiscard]] double prior(std::size_t u) const noexcept { return priors_[u]; }
  [[nodiscard]] double failure(std::size_t u, std::size_t x) const noexcept {
    return failures_[u][x];
  }
  /// Causes of a variable, in the order in which they were added.
  [[nodiscard]] std::span<const std::uint32_t> causes_of(std::size_t x) const noexcept {
    return causes_of_[x];
  }
  /// Causes of both.
  [[nodiscard]] std::vector<std::uint32_t> causes_of(std::size_t a, std::size_t b) const;
  /// Sum of L_ab over the causes.
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const;
  /// exp of the sum of L_{ab | x off} over the causes, for all x; at x that share none with both it
  /// is exp of the sum of L_ab.
  [[nodiscard]] std::vector<double> factors_given_off(std::size_t a, std::size_t b) const;

 private:
  struct Edge {
    double failure;
    double log_off;  // T_a
  };
  struct Word {
    std::uint64_t bits = 0;      // one per cause
    std::uint32_t n_before = 0;  // set in the words before
  };
  /// Calls visit(i, j): of the causes of a, number i, is of those of b number j, rising.
  template <class Visit>
  void for_each_of_both(std::size_t a, std::size_t b, const Visit& visit) const;

  std::vector<double> priors_;
  std::vector<std::vector<double>> failures_;          // by cause
  std::vector<std::vector<std::uint32_t>> causes_of_;  // by variable
  std::vector<std::vector<Edge>> edges_of_;            // from these
  std::vector<std::vector<Word>> has_cause_;           // by variable
};

using Pair = std::array<std::uint32_t, 2>;  ///< a < b

/// Pairs held against the learned causes.
class PairResiduals {
 public:
  /// Both must outlive the object.
  PairResiduals(const moments::MomentSource& moments, const LogTerms& learned);

  /// Rows; of exact moments as if very many.
  [[nodiscard]] double n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] double off(std::size_t a) const noexcept { return off_[a]; }
  [[nodiscard]] double on(std::size_t a) const noexcept { return 1 - off_[a]; }
  [[nodiscard]] double both_on(std::size_t a, std::size_t b) const noexcept {
    return 1 - off_[a] - off_[b] + moments_.pair(a, b);
  }
  /// Those in which both are seen.
  [[nodiscard]] double n_rows(std::size_t a, std::size_t b) const {
    return complete_ ? n_rows_ : n_rows_ * moments_.observed_pair_share(a, b);
  }
  [[nodiscard]] bool is_complete() const noexcept { return complete_; }
  /// L_ab as counted.
  [[nodiscard]] double coupled(std::size_t a, std::size_t b) const;
  /// z of the rows with both on, where the variables are coupled by `by` (an L_ab): variance
  /// stabilised (Anscombe 1948), so that rare pairs are held to what they are. Where values are
  /// missing the singles rest on other rows than the pair, which adds to the variance.
  [[nodiscard]] double excess_z(std::size_t a, std::size_t b, double by) const;
  /// Of the rows, those in which x and the pair are seen (as if missing values had pairs in common
  /// but no more).
  [[nodiscard]] double triple_share(const Pair& pair, std::size_t x) const;
  /// What missing values add to the variance of L_{ab | x off}; all_off: P(a, b, x off).
  [[nodiscard]] double variance_of_missing(const Pair& pair, std::size_t x, double all_off) const;
  /// More coupled than the learned causes say, significantly and by no mere error of theirs:
  /// `share` of what they explain.
  [[nodiscard]] bool unexplained(std::size_t a, std::size_t b, double share) const;
  /// False: whatever is learned, the pair is not unexplained. Quicker to tell.
  [[nodiscard]] bool may_be_unexplained(std::size_t a, std::size_t b) const;

  [[nodiscard]] const LogTerms& learned() const noexcept { return learned_; }
  [[nodiscard]] const moments::MomentSource& moments() const noexcept { return moments_; }

 private:
  const moments::MomentSource& moments_;
  const LogTerms& learned_;
  double n_rows_;
  bool complete_;
  std::vector<double> off_;  // m: as of moments, but side by side
};

/// Signatures that are kept, if memory allows.
inline constexpr std::size_t most_signatures = 4096;

struct PairSignature {
  double residual = 0;                   ///< L_ab beyond the learned causes
  std::vector<float> strength;           ///< m: K_abx beyond them, over it
  std::vector<float> error;              ///< m: standard errors
  std::vector<std::uint32_t> strongest;  ///< up to 60 variables, those of a PairSignatures
};

[[nodiscard]] PairSignature signature(const PairResiduals& residuals, const Pair& pair,
                                      const moments::OnWithPair& with_pair);

/// Those counted so far.
class PairSignatures {
 public:
  /// `most`: of those that trim() leaves.
  PairSignatures(const parallel::Team& team, int threads, const PairResiduals& residuals,
                 std::size_t most)
      : team_(team), threads_(threads), residuals_(residuals), most_(most) {}

  /// Rows are dealt to the ranks: they count together, and each rank has the signatures that it
  /// needs. Elsewhere each rank has all.
  [[nodiscard]] bool are_of_ranks() const {
    return team_.size() > 1 && residuals_.moments().counts_ahead() != nullptr;
  }
  /// Counts those of the pairs that are not there yet; false if there is none. The same at every
  /// rank, unless are_of_ranks(): each rank then names its own, and it is false if no rank lacks
  /// one. Collective.
  bool need(std::span<const Pair> pairs);
  /// Those that each rank is known to need where are_of_ranks(). Collective.
  void count_for_ranks(const std::vector<std::vector<Pair>>& by_rank);
  [[nodiscard]] bool has(const Pair& pair) const { return signatures_.contains(pair); }
  /// One that is there.
  [[nodiscard]] const PairSignature& of(std::uint32_t a, std::uint32_t b) const {
    return signatures_.at({std::min(a, b), std::max(a, b)});
  }
  [[nodiscard]] const parallel::Team& team() const noexcept { return team_; }
  [[nodiscard]] int threads() const noexcept { return threads_; }
  /// All: a cause more is learned.
  void forget() { signatures_.clear(); }
  /// All if they are too many; to count one anew is cheaper than to look for memory.
  void trim() {
    if (signatures_.size() > most_) forget();
  }
  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  /// Of all ranks.
  [[nodiscard]] std::uint64_t n_counted() const noexcept { return n_counted_; }

 private:
  /// Those of pairs first to last.
  void make_some(std::span<const Pair> pairs, std::size_t first, std::size_t last,
                 std::vector<PairSignature>& made) const;
  /// By rank. Collective.
  [[nodiscard]] std::vector<std::vector<Pair>> needed_by_ranks(std::span<const Pair> own) const;
  /// Some of them: whoever is free counts the next. Collective.
  void make_units(std::span<const Pair> pairs, std::vector<PairSignature>& made) const;
  /// Each of them was made by one rank. Collective.
  void share(std::span<const Pair> pairs, std::vector<PairSignature>& made) const;

  const parallel::Team& team_;
  int threads_;
  const PairResiduals& residuals_;
  std::size_t most_;
  std::map<Pair, PairSignature> signatures_;
  std::uint64_t n_counted_ = 0;
};

}  // namespace orrery::quartet
