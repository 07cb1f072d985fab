// What the probability table of a few binary variables says of their dependence. A table has 2^s
// cells that sum to 1; bit i of a cell's number is the value of member i. All in nats.
#pragma once

#include <cstddef>
#include <span>

namespace orrery::anchored {

/// H of a binary variable.
double entropy(double on);
/// I(member; all others).
double information(std::span<const double> table, std::size_t member);
/// I(a; b | all others). Two members alone: I(a; b).
double conditional_information(std::span<const double> table, std::size_t a, std::size_t b);

/// Visits the cells with bits a and b off: the states of the others.
template <class Use>  // void(std::size_t cell)
void for_each_state_without(std::size_t n_cells, std::size_t bits, const Use& use) {
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    if ((cell & bits) == 0) use(cell);
  }
}

}  // namespace orrery::anchored
