// Rows of two classes, each with independent variables: a cause that was learned with the rows of
// two.
//
// Cost: some 60 passes over the variables attributed to the cause.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/signatures/attribution.hpp"

namespace orrery::quartet {

/// A cause's rows as those of two: shares of the rows, and failures (m, 1 where there is no edge).
struct TwoCauses {
  double gain = 0;                      ///< log-likelihood of its rows beyond one cause's, nats
  double share = 0;                     ///< of the second
  std::array<std::uint32_t, 2> seed{};  ///< come together in the rows of the second
  std::vector<double> first, second;
};
/// The better of a few mixtures of two classes of rows with independent variables, each by EM from
/// the rows with both of a pair that come together more often than chance has it; none if none do.
std::optional<TwoCauses> separate(const Attribution& rows, std::size_t m);

}  // namespace orrery::quartet
