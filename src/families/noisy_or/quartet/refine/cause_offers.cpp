#include "families/noisy_or/quartet/refine/cause_offers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/cause_moves.hpp"
#include "families/noisy_or/quartet/refine/edge_moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// The network with the cause; none if it does not pay.
std::optional<Fit> fit_with(const Refinement& refinement, const Elected& elected,
                            const model::Cause& cause, double cost) {
  Fit trial = refinement.refit(with(refinement.fit.network, cause, elected.failures),
                               constants::refinement::offer_em);
  const double gain = trial.log_posterior - refinement.fit.log_posterior;
  if (gain < constants::refinement::least_share_of_cost * cost) {
    log::verbose("  {} of support {}: gains {:.1f}, costs {:.1f}", cause.name, elected.support,
                 gain, cost);
    return std::nullopt;
  }
  tidy_edges(refinement, trial, constants::refinement::trial_tidy_rounds);
  trial = refinement.refit(trial.network, constants::refinement::tidied_offer_em);
  const double before = refinement.score();
  const double after = refinement.score(trial);
  log::verbose("  {} of support {}: score {:.1f} -> {:.1f}", cause.name, elected.support, before,
               after);
  if (!(after > before)) return std::nullopt;
  return trial;
}

}  // namespace

bool try_cause(Refinement& refinement, const Elected& elected, int depth) {
  const auto n_edges = static_cast<double>(
      std::ranges::count_if(elected.failures, [](double failure) { return failure < 1; }));
  if (n_edges < constants::refinement::least_children) return false;
  const model::NoisyOrNetwork& network = refinement.fit.network;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    if (jaccard(elected.failures, network.dense_failures(u)) >
        constants::refinement::most_offer_overlap) {
      return false;
    }
  }
  const model::Cause cause = refinement.names.name(elected, depth);
  const auto cost = refinement.penalty.cause + n_edges * refinement.penalty.edge;
  auto better =
      refinement.journal.trial([&] { return fit_with(refinement, elected, cause, cost); });
  if (!better) return false;
  refinement.fit = std::move(*better);
  drop_causes(refinement);
  return true;
}

bool try_causes(Refinement& refinement, const std::vector<Elected>& elected, int depth) {
  bool any = false;
  for (const Elected& cause : elected) any = try_cause(refinement, cause, depth) || any;
  return any;
}

}  // namespace orrery::quartet
