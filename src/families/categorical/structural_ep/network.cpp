// From the best start to a network: the posterior of all structures from there, with sure causes
// held (section 5), and the most probable structure settled.
#include <fmt/format.h>

#include "base/log.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/named_network.hpp"
#include "families/categorical/structural_ep/random_start.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "families/categorical/structural_ep/structures.hpp"

namespace orrery::structural_ep {
namespace {

/// Section 5: causes beyond this are held.
constexpr double certainty = .9;
/// Sweeps with the structure held: parameters and causes settle in some ten.
constexpr std::size_t settling_sweeps = 30;
/// The most probable parents taken for certain, and the rest inferred. Returns the evidence.
double settle(Approximation& approximation, Projection projection, double damping,
              const std::function<bool()>& go_on) {
  approximation.hold_structure(approximation.best_sets());
  IterateOptions held;
  held.projection = projection;
  held.damping = damping;
  held.max_sweeps = held.held_sweeps = settling_sweeps;
  held.go_on = go_on;
  iterate(approximation, held);
  return log_evidence(approximation);
}

/// Where q(G) goes round in circles its most probable structure is one of those passed by: the best
/// start's is kept if it has more evidence.
void settle_better(Approximation& approximation, const Start& start, const Options& options,
                   const std::function<bool()>& go_on) {
  const Start last{approximation.best_sets(), cause_states(approximation)};
  begin_from(start, approximation);
  const double of_start = settle(approximation, options.projection, options.damping, go_on);
  begin_from(last, approximation);
  if (settle(approximation, options.projection, options.damping, go_on) >= of_start) return;
  begin_from(start, approximation);
  settle(approximation, options.projection, options.damping, go_on);
}

}  // namespace

model::LearnedCategorical infer_network(const WeightedRows& observed,
                                        const learning::RowShare& rows, std::size_t n_causes,
                                        const Options& options, const BestStart& best,
                                        const std::function<bool()>& go_on) {
  Approximation approximation(
      shape_of(observed.table(), n_causes, options.cardinality, options.max_parents), observed,
      rows, options.prior);
  const IterateOptions free = free_sweeps(options, go_on);
  std::size_t n_sweeps = 0;
  if (options.start == StartKind::random) {
    n_sweeps = run_from_random(options, best.number, go_on, approximation);
  } else {
    begin_from(best.start, approximation);
    settle(approximation, Projection::mean_variance, options.damping, go_on);
    n_sweeps = iterate(approximation, free);
  }
  bool rested = n_sweeps < options.max_sweeps;
  for (std::uint32_t i = 0; i < options.conditionings; ++i) {
    const std::size_t n_held = hold_causes(approximation, certainty);
    log::verbose("conditioning {}: {} of {} states held", i + 1, n_held,
                 static_cast<std::size_t>(observed.total()) * n_causes);
    const std::size_t n = iterate(approximation, free);
    rested = rested && n < options.max_sweeps;
    n_sweeps += n;
  }
  const Posterior posterior = approximation.posterior();
  const double log_evidence_of_all = log_evidence(approximation);
  approximation.release_causes();
  if (rested || options.start == StartKind::random) {
    settle(approximation, options.projection, options.damping, go_on);
  } else {
    settle_better(approximation, best.start, options, go_on);
  }
  model::LearnedCategorical learned = with_structures(approximation, observed, posterior, options);
  if (!rested) {
    learned.remarks.push_back(
        fmt::format("the posterior of the structure was still changing after {} sweeps (with two "
                    "parents it may go round in circles where rows are few): the network is the "
                    "best that was met, shades of the posterior are those of the last sweep",
                    options.max_sweeps));
  }
  if (approximation.n_passed_over() > 0 || approximation.n_improper() > 0) {
    learned.remarks.push_back(fmt::format(
        "{} messages were passed over because a cavity distribution was improper, and {} rows of "
        "parameters begun anew",
        approximation.n_passed_over(), approximation.n_improper()));
  }
  log::verbose("{} sweeps: log evidence {:.3f} of all structures, {:.3f} of the most probable one",
               n_sweeps, log_evidence_of_all, learned.log_evidence);
  return learned;
}

model::CategoricalNetwork network_of_start(const WeightedRows& observed,
                                           const learning::RowShare& rows, std::size_t n_causes,
                                           const Options& options, const BestStart& best,
                                           const std::function<bool()>& go_on) {
  Approximation approximation(
      shape_of(observed.table(), n_causes, options.cardinality, options.max_parents), observed,
      rows, options.prior);
  if (options.start == StartKind::random) {
    run_from_random(options, best.number, go_on, approximation);
    settle(approximation, options.projection, options.damping, go_on);
  } else {
    begin_from(best.start, approximation);
    settle(approximation, Projection::mean_variance, options.damping, go_on);
  }
  return make_network(approximation, observed,
                      unlikely_parents(approximation.shape(), approximation.posterior(), options))
      .network;
}

}  // namespace orrery::structural_ep
