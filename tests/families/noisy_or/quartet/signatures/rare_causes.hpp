// A network of rare causes, and how many rows tests draw of it.
#pragma once

#include <cstddef>

#include "orrery/model/generators.hpp"

namespace orrery::quartet {

inline constexpr std::size_t n_drawn = 20'000;

inline model::NoisyOrNetwork few_rare_causes() {
  return *model::generate_network(
      "con:6-14,causes=14,observed=80,prior=.01-.05,failure=.1-.7,leak=.001-.01", 5);
}

}  // namespace orrery::quartet
