// One table of hidden causes from the table of their anchors, each within the simplex alone
// (Halpern, Horng, Sontag 2015, Sec. 3.1, Eq. (2); App. F.1): declared in recovery.hpp as
// recover_table, with the bound that certifies it here.
//
// 1. Where lambda is 0 and R_Z^-1 observed has no negative cell, it fits exactly: KL is 0.
// 2. Otherwise exponentiated gradient (the paper's, Kivinen, Warmuth 1997) comes near; its rate is
//    linear, and worse the nearer the minimum is to the boundary, where sampled tables lie as soon
//    as a cause is rare: quadratic programs finish (mixture_weights.hpp) until the duality gap is
//    1e-13 nats, or rounding leaves nothing to be gained.
//
// Cost: |Z| <= 6, a few hundred steps of 4^|Z| operations and about five of 8^|Z|.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::anchored {

struct TableFit {
  std::vector<double> moments;
  double gap = 0;  ///< nats; what the objective is above its least value, at most
  std::uint32_t iterations = 0;
};

/// As recover_table.
TableFit fit_table(std::span<const double> observed, std::span<const std::array<double, 2>> rates,
                   double regularise, std::span<const double> independent);

}  // namespace orrery::anchored
