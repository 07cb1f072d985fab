// MIXTURE and EXTEND: from a quartet to the cause behind it.
//
//   MIXTURE   the parameters of the cause of a singly-coupled quartet   Algorithm 1, line 8
//   EXTEND    from the quartet to all children of the cause             Algorithm 2
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/options.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

struct CauseEstimate {
  double prior = 0;
  std::array<double, 4> failure{};
};

/// Eq. (2) on the four triplets, three views each; the median of all estimates of a parameter.
/// Empty if a parameter has no estimate, the prior is not in (0, 1/2) or a failure not below 1;
/// failures below 0 cannot come out. `negative` has the learned causes subtracted off.
std::optional<CauseEstimate> mixture(const moments::QuartetMoments& negative);

/// The coherence test (Sec. 2.1): how far the triplets' estimates disagree, and how far the moments
/// rebuilt from their means are from the given ones.
struct Coherence {
  double variance = 0;  ///< largest variance of the estimates of one parameter
  double distance = 0;  ///< L1 distance of the 16 rebuilt negative moments
};
/// Empty if a parameter has fewer than two estimates.
std::optional<Coherence> coherence(const moments::QuartetMoments& negative);

/// When x is a further child: PMI(a, b) > CPMI(a, b | x) + tau_e, after subtracting the learned
/// causes off, of the quartet's first two members a, b (Extend::first_pair), or in the median over
/// its six pairs (Extend::median).
struct ChildRule {
  double tau_e = 0;
  Extend pairs = Extend::median;
};

/// f_{L,x} of first <= x < last; 1 where x is no child.
std::vector<double> failures_of(const moments::MomentSource& moments,
                                const moments::Subtraction& learned, const CauseEstimate& cause,
                                const std::array<std::uint32_t, 4>& members, const ChildRule& rule,
                                std::size_t first, std::size_t last);

/// Failures of the cause for all m observed variables, 1 where there is no edge. The quartet's own
/// come from `cause`. Ranks and threads share the
/// variables x. Collective.
std::vector<double> extend(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, const ChildRule& rule);

}  // namespace orrery::quartet
