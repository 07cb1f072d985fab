// With q and the shares fixed, the bound of a variable that is on is a sum over causes of
//   q r log(1 - (1 - nu) f^(1/r)),
// an OR of the leak and of an activation with probability 1 - f^(1/r). Given that it is on, the
// leak was so with probability nu / D, the activation with w = (1 - f^(1/r)) / D (D as in
// e_step_lanes.hpp): the usual EM bound separates leak and failure. What it leaves of the failure,
//   q r (w log(1 - f^c) + (1 - w) c log f),  c = 1 / r >= 1,
// is no Bernoulli yet. But log (1 - f^c) / (1 - f) is convex in log f for c >= 1, so its tangent
// lies below it, and everything becomes A log(1 - f) + B log f with
//   A = sum_on q r w,  B = f / (1 - f) A - sum_on q / D + sum q,
// whose maximum is f = B / (A + B). Each of these bounds touches at the old parameters: the bound
// of the rows cannot fall. Where shares are 1 and nothing leaks, this is the exact M-step.
#include "families/noisy_or/variational_em/m_step.hpp"

#include <algorithm>

#include "families/noisy_or/variational_em/e_step.hpp"

namespace orrery::variational_em {

Parameters maximise(const Parameters& at, const Counts& counts, std::span<const double> sums,
                    std::size_t lane) {
  const SumLayout layout(at.n_causes, at.n_observed);
  const auto sum = [&](std::size_t i) { return sums[i + lane]; };
  Parameters better = at;
  for (std::size_t k = 0; k < at.n_causes; ++k) {
    better.prior[k] = std::clamp(sum(layout.mass(k)) / counts.n_rows, least_prior, 1 - least_prior);
  }
  for (std::size_t a = 0; a < at.n_observed; ++a) {
    double leaked = counts.on[a];
    for (std::size_t k = 0; k < at.n_causes; ++k) {
      const double failure = at.failure[a * at.n_causes + k];
      const double credit = sum(layout.credit(a, k));  // (1 - nu) A
      leaked -= credit;
      const double on = credit / (1 - at.leak[a]);
      const double off = std::max(
          0.0, failure / (1 - failure) * on - sum(layout.excuse(a, k)) + sum(layout.mass(k)));
      if (!(on + off > 0)) continue;  // the cause is never present: nothing is known of its edges
      better.failure[a * at.n_causes + k] =
          std::clamp(off / (on + off), least_failure, most_failure);
    }
    if (counts.observed[a] > 0) {
      better.leak[a] = std::clamp(leaked / counts.observed[a], least_leak, 1 - least_leak);
    }
  }
  return better;
}

}  // namespace orrery::variational_em
