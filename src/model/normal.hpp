#pragma once

namespace orrery::model {

/// 95 % of a normal distribution are within so many standard deviations.
inline constexpr double normal95 = 1.959963984540054;

}  // namespace orrery::model
