// The network that growth works on: noisy-OR below a network of causes, dense in (cause, variable).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "families/noisy_or/quartet/growth/cause_graph.hpp"
#include "model/state_beam.hpp"

namespace orrery::quartet {

struct Grown {
  std::vector<double> leaks;                  ///< m values
  std::vector<std::vector<double>> failures;  ///< of a cause: m values, 1 where there is no edge
  CauseGraph causes;

  [[nodiscard]] std::size_t n_causes() const noexcept { return failures.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return leaks.size(); }
  [[nodiscard]] std::size_t n_children(std::size_t cause) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(failures[cause], [](double failure) { return failure < 1; }));
  }
  void remove(std::size_t cause) {
    failures.erase(failures.begin() + static_cast<std::ptrdiff_t>(cause));
    causes.remove(cause);
  }
};

/// As rows need it.
[[nodiscard]] inline model::BeamNetwork prepare(const Grown& grown) {
  return {grown.leaks, grown.failures, grown.causes.network()};
}

}  // namespace orrery::quartet
