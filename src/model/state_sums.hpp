// Sums over the states of a network's causes for given rows: of one row by a search for the states
// that matter (StateSearch), and of many rows by a table of all states (StateTable, StateSums).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

// Purpose: the posterior of a few hidden causes given the variables they could have switched on.
// Method: branch and bound over the 2^K states. q_a(s) is the probability that variable a stays off
//         in state s; a state weighs prod odds_U prod_a (1 - q_a(s)). Two bounds tell what the
//         states below a node can weigh: each open cause adds at most its ratio here (diminishing
//         returns), and all together explain at most what all of them on would. A branch that
//         cannot reach `tolerance` times the heaviest state found so far is left out, as is a cause
//         whose ratio is below it: with tolerance 0 the sums are exact. A search may note the
//         states that it came to, for their sums under other parameters without a search.
//
//   symbol                                                     code
//   odds_U = p / (1 - p) prod_{a off} f_{U,a}                  odds
//   f_{U,a}, a on                                              failure
//   1 - leak_a                                                 quiet
//   P(U on | row)                                              posterior
//   E[1 / (1 - q_a)], E[u_U / (1 - q_a)]                       inverse, shared
//
// Cost: O(K a) a state that is kept, in vectors of eight variables; some 3 to 50 states per row in
// the benchmark networks, 2^K at worst. A state that an earlier search noted costs O(a) (follow).
// Memory: K^2 (a / 2 + 32) bytes, and 64 KiB where states are noted.

inline constexpr std::size_t search_lanes = 8;

/// A cause that is not decided yet.
struct OpenCause {
  std::size_t cause;
  double ratio;         ///< the most by which it multiplies the weight of a state below
  double odds_after;    ///< product of max(1, odds) of those after it
  double ratios_after;  ///< product of max(1, ratio) of those after it
};

/// A state that a search came to: that of the last step at `depth` - 1 before it, with one more
/// cause. The first step is the state without causes.
struct StateStep {
  double weight;        ///< in units of that search
  std::uint32_t depth;  ///< causes that are on
  std::uint32_t cause;  ///< the one more; 0 in the first step
};

/// What the search works on, as plain pointers: its files are compiled for one instruction set
/// each, and must instantiate nothing that others share.
struct SearchArrays {
  std::size_t n_causes, n_vectors;
  double tolerance;
  std::size_t max_nodes;
  StateStep* steps;
  std::size_t n_followed;      ///< if not 0, the states of so many steps are summed and no others
  std::size_t room_for_steps;  ///< else so many steps of the search are written down
  const double *odds, *failure, *quiet;
  double *posterior, *inverse, *shared;
  double *reach, *scale, *off, *inverse_on;
  std::size_t* included;
  OpenCause* open;
};
struct SearchResult {
  double log_total;
  bool truncated;
  std::size_t n_states;
  std::size_t n_steps;  ///< of the search; there may have been no room for all
};

using SearchStates = SearchResult (*)(const SearchArrays& arrays);

/// Variables are padded to whole vectors, by quiet 0 and failure 1.
struct StateSearch {
  std::size_t n_causes = 0;
  std::size_t n_vectors = 0;
  data::AlignedVector<double> odds;     ///< n_causes; the likeliest first
  data::AlignedVector<double> failure;  ///< n_causes x n_vectors x 8
  data::AlignedVector<double> quiet;    ///< n_vectors x 8
  double tolerance = 0;
  std::size_t max_nodes = 512;  ///< beyond it the tolerance grows, tenfold each quarter more

  // Results; the weights are relative to `log_scale`.
  double log_total = 0;  ///< log of the sum of weights; -infinity if no state is possible
  bool truncated = false;
  std::size_t n_states = 0;               ///< looked below
  data::AlignedVector<double> posterior;  ///< n_causes
  data::AlignedVector<double> inverse;    ///< as quiet
  data::AlignedVector<double> shared;     ///< as failure

  // Scratch.
  data::AlignedVector<double> reach;       // a row for each open cause of each depth, and one more
  data::AlignedVector<double> scale;       // as quiet
  data::AlignedVector<double> off;         // q, a row a depth
  data::AlignedVector<double> inverse_on;  // 1 / (1 - q), a row a depth
  std::vector<std::size_t> included;       // the causes of the state at hand
  std::vector<OpenCause> open;             // n_causes a depth

  /// Room for a problem, which the caller fills; only the padding is set. Arrays never shrink.
  void resize(std::size_t causes, std::size_t variables);
  /// Fills the results.
  void run(SearchStates search);
  /// With the active kernel.
  void run();
  /// The same, and notes what it comes to; false if those are more than `most_steps`.
  bool run_noting();
  /// What run_noting() came to.
  [[nodiscard]] std::span<const StateStep> steps() const {
    return std::span(noted_).first(n_noted_);
  }
  /// Of these, leaves those with `tolerance` times the heaviest's weight or more, and those that
  /// lead to them. The share of all weights that is left.
  double drop_light_steps();
  /// Sums the states of these steps instead, all else being as for run(): depth and cause of each.
  void follow(std::span<const std::uint8_t> path);
  void follow(std::span<const std::uint8_t> path, SearchStates search);

  static constexpr std::size_t most_steps = 4096;

 private:
  SearchResult run(SearchStates search, std::size_t n_followed, std::size_t room_for_steps);

  std::vector<StateStep> noted_;
  std::size_t n_noted_ = 0;
};

SearchResult search_states_baseline(const SearchArrays& arrays);
SearchResult search_states_avx2(const SearchArrays& arrays);
SearchResult search_states_avx512(const SearchArrays& arrays);
/// Null if this processor lacks it. All give the same bytes.
SearchStates find_state_search(kernels::Isa isa);

// Purpose: what rows expect of a network with few causes, summed over the rows: the E-step where
//         all 2^n states (sets of causes that are present) can be tabulated.
// Method: log P(row, state) is a number of the state, plus one for each variable that is on and
//         for each that is missing. The table holds them for eight states side by side (a chunk)
//         and added up for four variables at a time, so that a row adds a vector for every four
//         variables of which one is on. From state to state by one more cause, most promising
//         first, what cannot reach `tolerance` times the heaviest is left out. The weights of the
//         others are added to the row's variables; causes get their sums once a block of rows.
//
//   symbol                                                             code
//   log P(s) prod_a P(a off | s)                                       terms, the first
//   log P(a on | s) / P(a off | s), -log P(a off | s)                  terms
//   1 / P(a on | s)                                                    inverse_on
//   sum over rows with a on of E[1 / P(a on | s)]                      all
//   sum over rows with a on of E[u_U / P(a on | s)]                    with_cause
//
// Cost: up to m / 4 vectors per chunk tried, and one for each variable that is on per chunk kept
//       (5 to 20, and 1 to 3, per row in the benchmark networks); 2^n m logarithms per table.
// Memory: 40 m 2^n bytes, and 8 m 2^n a thread; both twice if values may be missing.

/// Numbers of all states of a network; shared by threads. Causes are ranked: the likeliest to be
/// present where no child is on first. Eight states that differ in the first three alone are a
/// chunk; arrays go by chunk, then by column, then by state.
class StateTable {
 public:
  static constexpr std::size_t lanes = 8;

  /// Whether the table pays for so many rows, and fits into a cache.
  static bool suits(const NoisyOrNetwork& network, std::uint64_t n_rows);
  static bool suits(std::size_t n_causes, std::size_t n_observed, std::uint64_t n_rows);

  StateTable(const NoisyOrNetwork& network, bool may_miss);

  [[nodiscard]] std::size_t n_causes() const noexcept { return n_causes_; }
  [[nodiscard]] std::size_t n_observed() const noexcept { return n_observed_; }
  [[nodiscard]] std::size_t n_chunks() const noexcept { return n_chunks_; }
  [[nodiscard]] std::size_t rank(std::size_t cause) const noexcept { return rank_[cause]; }
  /// 1, or 2 with missing values.
  [[nodiscard]] std::size_t n_parts() const noexcept { return n_parts_; }
  /// Variables that are on, those that are missing (if any may be), and 1 for the states alone.
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_parts_ * n_observed_ + 1; }
  /// Of a part.
  [[nodiscard]] std::size_t n_fours() const noexcept { return (n_observed_ + 3) / 4; }
  /// n_chunks x n_terms x lanes: what silent rows weigh, then for each part, four variables and set
  /// of them what they add. (The odd number spreads the chunks over a cache.)
  [[nodiscard]] const double* terms() const noexcept { return terms_.data(); }
  [[nodiscard]] std::size_t n_terms() const noexcept { return 1 + n_parts_ * n_fours() * 16; }
  /// n_chunks x n_observed x lanes.
  [[nodiscard]] const double* inverse_on() const noexcept { return inverse_on_.data(); }

 private:
  void rank_causes(const NoisyOrNetwork& network);
  void tabulate(const NoisyOrNetwork& network);
  void add_up_fours();
  [[nodiscard]] double* silent(std::size_t chunk) noexcept {
    return terms_.data() + chunk * n_terms() * lanes;
  }
  [[nodiscard]] double* term(std::size_t chunk, std::size_t part, std::size_t a) noexcept {
    const std::size_t four = part * n_fours() + a / 4;
    return silent(chunk) + (1 + 16 * four + (std::size_t{1} << (a % 4))) * lanes;
  }

  std::size_t n_causes_, n_observed_, n_parts_, n_chunks_;
  std::vector<std::size_t> rank_;  // a cause
  data::AlignedVector<double> terms_, inverse_on_;
};

/// A cause that may be added to the state at hand.
struct OpenChunk {
  std::uint32_t cause;  ///< its bit in the number of a chunk
  std::uint32_t place;  ///< of the chunk with it, among those of the row
  double gain;          ///< the most that it adds to the logarithm of a weight
  double most;          ///< log of the most that a state with it and those after it weighs
};

/// What the sums work on, as plain pointers: see SearchArrays.
struct StateSumsArrays {
  /// Chunks that are weighed together; there is room for so many more than there are.
  static constexpr std::size_t batch = 2;
  std::size_t n_causes, n_observed, n_parts, n_chunks, n_terms;
  const double *terms, *inverse_on;
  double log_tolerance;
  double *weights, *mass, *mass_with;
  std::uint32_t *chunks, *row_terms, *row_columns;
  OpenChunk* open;
  std::uint8_t* used;
  double *all, *with_cause;
};
/// Of rows of n_words words each; `missing` is null if nothing is. Both return a log-likelihood.
struct StateSumsKernels {
  double (*add_rows)(const StateSumsArrays& arrays, const std::uint64_t* values,
                     const std::uint64_t* missing, std::size_t n_rows);
  double (*find_row)(const StateSumsArrays& arrays, const std::uint64_t* values,
                     const std::uint64_t* missing);
};

/// One thread's scratch and the sums of the rows seen last.
class StateSums {
 public:
  /// States that weigh less than `tolerance` times a row's heaviest are left out.
  StateSums(const StateTable& table, double tolerance);
  StateSums(const StateTable& table, double tolerance, const StateSumsKernels& kernels);

  /// Replaces the sums by those of rows of (m + 63) / 64 words each. `values` is 0 where missing.
  void set_rows(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                std::size_t n_rows);
  /// Replaces them by those of one row, of its variables that are on alone: what is told of the
  /// others is of no use.
  void set_row(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);

  /// Nats.
  [[nodiscard]] double log_likelihood() const noexcept { return log_likelihood_; }
  /// Sum of P(U on | row).
  [[nodiscard]] double present(std::size_t cause) const noexcept {
    return of_cause(cause)[table_->n_columns() - 1];
  }
  /// Sum of E[1 / P(a on | s)] over the rows with a on, and with the cause: of E[u_U / ...].
  [[nodiscard]] double inverse(std::size_t a) const noexcept { return all_[a]; }
  [[nodiscard]] double shared(std::size_t cause, std::size_t a) const noexcept {
    return of_cause(cause)[a];
  }
  /// Sum of P(U on | row) over the rows without a; only of a table for missing values.
  [[nodiscard]] double unseen(std::size_t cause, std::size_t a) const noexcept {
    return of_cause(cause)[table_->n_observed() + a];
  }

 private:
  [[nodiscard]] const double* of_cause(std::size_t cause) const noexcept {
    return with_cause_.data() + table_->rank(cause) * table_->n_columns();
  }

  [[nodiscard]] StateSumsArrays arrays();

  const StateTable* table_;
  double log_tolerance_;
  StateSumsKernels kernels_;
  double log_likelihood_ = 0;
  data::AlignedVector<double> weights_;    // of the chunks tried for the row at hand
  data::AlignedVector<double> mass_;       // of the block: n_chunks x n_columns x lanes
  data::AlignedVector<double> mass_with_;  // with each cause but the first three, and all
  std::vector<std::uint32_t> chunks_, row_terms_, row_columns_;
  std::vector<OpenChunk> open_;           // n_causes for each that is in a state, and for none
  std::vector<std::uint8_t> used_;        // chunks of the block
  std::vector<double> all_, with_cause_;  // n_columns; n_causes x n_columns
};

StateSumsKernels state_sums_kernels_baseline();
StateSumsKernels state_sums_kernels_avx2();
StateSumsKernels state_sums_kernels_avx512();
/// For an instruction set that the processor has. All give the same bytes.
StateSumsKernels find_state_sums(kernels::Isa isa);

}  // namespace orrery::model
