// Purpose: the posterior of a few hidden causes given the variables they could have switched on.
// Method: branch and bound over the 2^K states. q_a(s) is the probability that variable a stays off
//         in state s; a state weighs prod odds_U prod_a (1 - q_a(s)). Two bounds tell what the
//         states below a node can weigh: each open cause adds at most its ratio here (diminishing
//         returns), and all together explain at most what all of them on would. A branch that
//         cannot reach `tolerance` times the heaviest state found so far is left out, as is a cause
//         whose ratio is below it: with tolerance 0 the sums are exact.
//
//   symbol                                                     code
//   odds_U = p / (1 - p) prod_{a off} f_{U,a}                  odds
//   f_{U,a}, a on                                              failure
//   1 - leak_a                                                 quiet
//   P(U on | row)                                              posterior
//   E[1 / (1 - q_a)], E[u_U / (1 - q_a)]                       inverse, shared
//
// Cost: O(K a) a state that is kept, in vectors of eight variables; some 3 to 50 states per row in
// the benchmark networks, 2^K at worst. Memory: K^2 (a / 2 + 32) bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::model {

inline constexpr std::size_t search_lanes = 8;

/// A cause that is not decided yet.
struct OpenCause {
  std::size_t cause;
  double ratio;         ///< the most by which it multiplies the weight of a state below
  double odds_after;    ///< product of max(1, odds) of those after it
  double ratios_after;  ///< product of max(1, ratio) of those after it
};

/// What the search works on, as plain pointers: its files are compiled for one instruction set
/// each, and must instantiate nothing that others share.
struct SearchArrays {
  std::size_t n_causes, n_vectors;
  double tolerance;
  std::size_t max_nodes;
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
};

SearchResult search_states_baseline(const SearchArrays& arrays);
SearchResult search_states_avx2(const SearchArrays& arrays);
SearchResult search_states_avx512(const SearchArrays& arrays);
/// Null if this processor lacks it. All give the same bytes.
SearchStates find_state_search(kernels::Isa isa);

}  // namespace orrery::model
