// Dirichlet distributions: moments, and the projection of a mixture of two of them onto one.
//
// A parameter's row is a Dirichlet distribution with counts c before a value x is seen. Seen, it is
//   (1 - p) Dir(c) + p Dir(c + e_x),
// p the probability that the row is the one that x was drawn from (Eqs. 25, 26). The message that x
// sends to the row needs the one Dirichlet distribution with the same moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace orrery::structural_ep {

enum class Projection : std::uint8_t {
  mean_log,      ///< E[log theta_l] of each l (Minka 2000): what EP asks for; by Newton's method
  mean_variance  ///< E[theta_l], and the sum of E[theta_l^2] (Minka and Lafferty 2002); closed form
};

/// Most categories; what a stack array here holds.
inline constexpr std::size_t max_length = 64;

/// E[log theta_l] under Dir(counts).
void mean_logs(std::span<const double> counts, std::span<double> logs) noexcept;

/// The counts whose E[log theta] is `logs` (which some distribution has). Newton's method in the
/// counts, whose Hessian is diagonal plus rank one: O(L) a step; a step that would leave the
/// positive numbers is halved until it does not. `counts` holds where to start. Returns steps
/// taken, at most 100; stops at 1e-13 relative in the counts or at the rounding of the moments.
int fit_mean_logs(std::span<const double> logs, std::span<double> counts) noexcept;

/// Projects the mixture above. `counts`: c, all > 0; 0 <= p <= 1. p = 0 gives c, p = 1 gives
/// c + e_x, exactly. Cost: mean_variance some 10 L operations; mean_log L + 1 pairs of
/// polygamma functions (polygamma.hpp) per step, of which it takes 2 mostly. A sweep does the same
/// for eight rows at once, with the same bytes (projection_lanes.hpp).
void project(Projection projection, std::span<const double> counts, std::size_t x, double p,
             std::span<double> result) noexcept;

/// log of the integral of prod theta_l^(counts_l - 1) over the simplex.
[[nodiscard]] double log_beta(std::span<const double> counts) noexcept;

}  // namespace orrery::structural_ep
