#pragma once

namespace orrery::model {

/// Probabilities, moments and covariances that were read from a text are rounded.
inline constexpr double text_rounding = 1e-9;

}  // namespace orrery::model
