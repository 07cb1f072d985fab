#include "families/categorical/structural_ep/moves.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "families/categorical/structural_ep/evidence.hpp"

namespace orrery::structural_ep {
namespace {

/// Nats that a variable's values must be worth more elsewhere.
constexpr double least_gain = 1;
constexpr std::size_t bound_passes = 4;
constexpr std::size_t held_run = 6;
constexpr std::size_t most_rounds = 10;  // of step 3

/// Moves that are worth it by the bounds, each at most twice: back and forth would go on for ever.
std::vector<std::pair<std::uint32_t, std::uint32_t>> worthy_moves(
    const Approximation& approximation, const std::vector<double>& bounds,
    const std::vector<std::uint32_t>& current,
    std::map<std::pair<std::uint32_t, std::uint32_t>, int>& tried) {
  const std::size_t n_sets = approximation.shape().n_sets();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moves;
  for (std::uint32_t i = 0; i < current.size(); ++i) {
    const auto of_variable = std::span(bounds).subspan(i * n_sets, n_sets);
    const auto to =
        static_cast<std::uint32_t>(std::ranges::max_element(of_variable) - of_variable.begin());
    if (to == current[i] || of_variable[to] < of_variable[current[i]] + least_gain) continue;
    if (++tried[{i, to}] <= 2) moves.emplace_back(i, to);
  }
  return moves;
}

}  // namespace

double improve(Approximation& approximation, const IterateOptions& options, std::size_t& n_sweeps) {
  IterateOptions brief = options;
  brief.max_sweeps = short_run;
  brief.tolerance = short_tolerance;
  n_sweeps += iterate(approximation, brief);
  IterateOptions held = options;
  held.max_sweeps = held.held_sweeps = held_run;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> tried;
  auto sets = approximation.best_sets();
  approximation.hold_structure(sets);
  n_sweeps += iterate(approximation, held);
  StructureBounds bounds(approximation);
  for (std::size_t round = 0; round < most_rounds && approximation.shape().n_sets() > 1; ++round) {
    const auto moves = worthy_moves(approximation, bounds.of_sets(bound_passes), sets, tried);
    if (moves.empty()) break;
    for (const auto& [i, to] : moves) sets[i] = to;
    bounds.move(moves);
    n_sweeps += iterate(approximation, held);
    if (options.go_on && !options.go_on()) break;
  }
  held.max_sweeps = held.held_sweeps = 20;
  n_sweeps += iterate(approximation, held);
  return log_evidence(approximation);
}

}  // namespace orrery::structural_ep
