// R_Z = P(A_1|Y_1) x ... x P(A_k|Y_k) (Halpern, Horng, Sontag 2015, Eq. (1)): a Kronecker product,
// applied axis by axis to a table of 2^k cells (bit i: member i). Cost k 2^k.
#pragma once

#include <array>
#include <span>

namespace orrery::anchored {

/// P(A = 1 | Y = 0), P(A = 1 | Y = 1).
using Rates = std::array<double, 2>;

/// R mu: what the anchors show where the causes have these moments.
void apply_noise(std::span<double> table, std::span<const Rates> rates);
/// R^T g: a gradient with respect to R mu as one with respect to mu.
void apply_transposed_noise(std::span<double> table, std::span<const Rates> rates);
/// R^-1 observed; its cells may be negative. The two rates of each differ.
void remove_noise(std::span<double> table, std::span<const Rates> rates);

}  // namespace orrery::anchored
