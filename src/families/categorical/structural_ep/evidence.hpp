// The evidence (Eqs. 10-12): what each row adds to it, and the sum over all rows.
#pragma once

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// The approximate log marginal likelihood, of the messages as they are. Collective.
[[nodiscard]] double log_evidence(Approximation& approximation);

}  // namespace orrery::structural_ep
