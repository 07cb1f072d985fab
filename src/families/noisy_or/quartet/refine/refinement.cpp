#include "families/noisy_or/quartet/refine/refinement.hpp"

#include <memory>
#include <utility>

namespace orrery::quartet {

Refinement::Refinement(const learning::LearnContext& learn_context, const Options& options,
                       Journal& moves_made, std::function<void()> pause_work)
    : context(learn_context),
      rules(context.known, context.names),
      rows(*context.rows),
      journal(moves_made),
      pause(std::move(pause_work)),
      alpha(options.alpha),
      penalty(rows.n_rows(), context.names.size(), alpha),
      names(rules) {}

Fit Refinement::refit(model::NoisyOrNetwork network,
                      const constants::refinement::EmLimits& limits) const {
  const FitOptions options{limits.iterations, limits.tolerance, prior, state_tolerance,
                           [this](const Fit& so_far) {
                             journal.set_running(so_far);
                             if (pause) pause();
                           }};
  return journal.fit([&](const Fit* begun) {
    return begun == nullptr
               ? quartet::fit(rows, rules.conform(std::move(network)), options)
               : quartet::fit(rows, begun->network, options, begun->iterations, begun->n_states);
  });
}

const EdgeTests& Refinement::tests_of(Fit& of) const {
  if (!of.tests)
    of.tests = std::make_shared<EdgeTests>(test_edges(rows, of.network, state_tolerance));
  return *of.tests;
}

void Refinement::look_at(std::uint64_t step) {
  rows = context.rows->thinned(step);
  penalty = Penalty(rows.n_rows(), context.names.size(), alpha);
  failed.clear();  // for want of rows, it may be
}

}  // namespace orrery::quartet
