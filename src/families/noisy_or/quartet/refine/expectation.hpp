// The E-step: what the rows expect of causes, edges and leaks under given parameters.
//
//   symbol                                                             code
//   sum_r P(U on | row r)                                              present
//   sum over rows with a on of E[u_U / P(a on | causes)]               shared, an edge
//   sum over rows with a on of E[1 / P(a on | causes)]                 inverse
//
// Cost: N rows of a RowPosterior (see there); RowPass adds the sums. Memory: two bytes per state
// that matters, at most `most_bytes_of_states` on all ranks together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "learning/row_sums.hpp"
#include "model/row_posterior.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Where sums over rows stand in the array of a RowPass: consecutive parts of it.
class SumLayout {
 public:
  std::size_t part(std::size_t size) {
    const std::size_t first = size_;
    size_ += size;
    return first;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

inline std::vector<double> slice(const std::vector<double>& sums, std::size_t first,
                                 std::size_t n) {
  const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// What a cause that is so surely absent could have switched on counts less than this.
inline constexpr double negligible = 1e-9;

/// What a search of all rows found.
struct FoundStates {
  std::vector<model::RowStates> of_blocks;  ///< by block of 256 rows; of those this rank visits
  double log_left_out = 0;                  ///< log of the share of the likelihood that they have
  double n_truncated = 0;                   ///< as in the Expectation of the search
  double n_states = 0;                      ///< the same
};

struct Expectation {
  double log_likelihood = 0;  ///< of all rows, nats
  double n_rows = 0;
  double n_truncated = 0;       ///< rows whose posterior is an approximation
  double n_states = 0;          ///< of the causes, looked at in all rows: what it took
  std::vector<double> present;  ///< a cause
  std::vector<double> shared;   ///< an edge
  std::vector<double> inverse;  ///< a variable
  std::vector<double> unseen;   ///< an edge: sum of P(U on | row) over rows without the variable
  std::vector<double> rows_observed;  ///< a variable
  /// Null of a table of all states, and of expect_again().
  std::shared_ptr<const FoundStates> found;
};

/// Room for the states of a block of rows, of `n_blocks` that are visited: each has the same, so
/// that it does not matter which one comes first.
inline std::size_t states_bytes_of_block(std::uint64_t n_blocks) {
  return std::min(
      constants::refinement::most_bytes_of_states / std::max<std::uint64_t>(n_blocks, 1),
      constants::refinement::most_bytes_of_block);
}

/// A search of each row for the states of the causes that matter, or, of few causes, a table of all
/// states. Collective, as the other one.
Expectation expect(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                   double tolerance = constants::refinement::state_tolerance);
/// The same of the states that an earlier search of these rows found, whose network had the same
/// edges: a partial E-step (Neal and Hinton 1998, section 5), several times as fast. What those
/// states leave out of the likelihood is taken to be what they left out of it where they were
/// found.
Expectation expect_again(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                         double tolerance, const FoundStates& found);

}  // namespace orrery::quartet
