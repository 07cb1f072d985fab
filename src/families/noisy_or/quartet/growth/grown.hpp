// The network that growth works on: noisy-OR below a network of causes, dense in (cause, variable);
// and the way between it and the one that a learner returns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/growth/cause_graph.hpp"
#include "model/state_beam.hpp"
#include "orrery/model/network.hpp"

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

/// Its causes as a forest: each depends on one other at most.
[[nodiscard]] Grown to_grown(const model::NoisyOrNetwork& network);
/// Priors are marginals; the cause network is empty if the causes are independent.
[[nodiscard]] model::NoisyOrNetwork to_network(const Grown& grown,
                                               const std::vector<std::string>& cause_names,
                                               const std::vector<std::string>& names);

}  // namespace orrery::quartet
