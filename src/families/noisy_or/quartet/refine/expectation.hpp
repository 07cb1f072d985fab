// The E-step: what the rows expect of causes, edges and leaks under given parameters.
//
//   symbol                                                             code
//   sum_r P(U on | row r)                                              present
//   sum over rows with a on of E[u_U / P(a on | causes)]               shared, an edge
//   sum over rows with a on of E[1 / P(a on | causes)]                 inverse
//
// Cost: N rows of a RowPosterior (see there); RowPass adds the sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/constants.hpp"
#include "learning/row_sums.hpp"
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
};

/// Collective.
Expectation expect(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                   double tolerance = constants::refinement::state_tolerance);

}  // namespace orrery::quartet
