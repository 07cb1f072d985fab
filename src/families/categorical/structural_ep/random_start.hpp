// --start random: plain expectation propagation, the paper's own way. Every message is drawn at
// random, q(G) is uniform as its prior is, and sweeps go on until q(G) rests. Nothing is clustered,
// merged, moved or held: what is found is the fixed point that these messages lead to.
//
// The paper gives no start. Some messages must differ, since with all of them equal the causes and
// their states are interchangeable, and stay so.
#pragma once

#include <cstdint>
#include <functional>

#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/options.hpp"

namespace orrery::structural_ep {

/// Forgets all, and draws every message of start `number`: a function of seed, number and row
/// alone. Missing values send none. Collective.
void begin_at_random(std::uint64_t seed, std::uint64_t number, Approximation& approximation);

/// Sweeps over a network whose structure is free, as a run to a fixed point makes them.
[[nodiscard]] IterateOptions free_sweeps(const Options& options,
                                         const std::function<bool()>& go_on);

/// Start `number` brought to its fixed point; returns the number of sweeps. Collective.
std::size_t run_from_random(const Options& options, std::uint64_t number,
                            const std::function<bool()>& go_on, Approximation& approximation);

}  // namespace orrery::structural_ep
