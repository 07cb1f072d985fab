#include "families/noisy_or/quartet/refine/network_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/edge_moves.hpp"

namespace orrery::quartet {
namespace {

/// What was tried: the move, and its causes with their children.
std::string key_of(const model::NoisyOrNetwork& network, const char* move,
                   std::initializer_list<std::size_t> causes) {
  std::string key = move;
  for (const std::size_t u : causes) {
    key += fmt::format(" {}", network.causes()[u].name);
    for (const model::Edge& edge : network.children(u)) key += fmt::format(",{}", edge.observed);
  }
  return key;
}

}  // namespace

bool try_network(Refinement& refinement, const char* move,
                 std::initializer_list<std::size_t> causes, model::NoisyOrNetwork network) {
  // What failed is not tried again while these causes have the same children.
  std::string key = key_of(refinement.fit.network, move, causes);
  if (refinement.failed.contains(key)) return false;
  const auto n_more = static_cast<double>(network.edges().size()) -
                      static_cast<double>(refinement.fit.network.edges().size());
  // An edge of no use costs its penalty, and the density of a failure near 1.
  const double hope =
      std::max(n_more, 0.0) * (refinement.penalty.edge + constants::refinement::least_density);
  auto better = refinement.journal.trial([&]() -> std::optional<Fit> {
    Fit trial = refinement.refit(std::move(network), constants::refinement::move_em);
    if (refinement.score(trial) + hope + constants::refinement::steps_ahead * trial.last_gain >
        refinement.score()) {
      trial = refinement.refit(trial.network, constants::refinement::longer_move_em);
      if (refinement.score(trial) + hope > refinement.score()) {
        tidy_edges(refinement, trial, constants::refinement::trial_tidy_rounds);
      }
    }
    const double gain = refinement.score(trial) - refinement.score();
    log::verbose("  {}: gains {:.1f}", key.substr(0, key.find(',')), gain);
    if (gain < constants::refinement::least_gain) return std::nullopt;
    return trial;
  });
  if (!better) {
    refinement.failed.insert(std::move(key));
    return false;
  }
  refinement.fit = std::move(*better);
  return true;
}

}  // namespace orrery::quartet
