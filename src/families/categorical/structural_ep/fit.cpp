#include "families/categorical/structural_ep/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/log.hpp"
#include "families/categorical/structural_ep/clusters.hpp"
#include "families/categorical/structural_ep/network.hpp"

namespace orrery::structural_ep {
namespace {

/// Section 5: causes beyond this are held.
constexpr double certainty = .9;
/// Of the evidence: starts that differ by less have come to the same place.
constexpr double same_evidence = 1e-6;
/// Sweeps with the structure held: parameters and causes settle in some ten.
constexpr std::size_t settling_sweeps = 30;

SearchOptions search_options(std::size_t n_causes, const Options& options) {
  SearchOptions search;
  search.n_causes = n_causes;
  search.cardinality = options.cardinality;
  search.max_parents = n_causes == 1 ? 1 : options.max_parents;
  search.prior = options.prior;
  search.damping = options.damping;
  search.extra = options.extra;
  search.seed = options.seed;
  return search;
}

/// The most probable parents taken for certain, and the rest inferred. Returns the evidence.
double settle(Inference& inference, Projection projection, double damping,
              const std::function<bool()>& go_on) {
  inference.hold_structure(inference.best_sets());
  IterateOptions held;
  held.projection = projection;
  held.damping = damping;
  held.max_sweeps = held.held_sweeps = settling_sweeps;
  held.go_on = go_on;
  inference.iterate(held);
  return inference.log_evidence();
}

/// Where q(G) goes round in circles its most probable structure is one of those passed by: the best
/// start's is kept if it has more evidence.
void settle_better(Inference& inference, const Start& start, const Options& options,
                   const std::function<bool()>& go_on) {
  const Start last{inference.best_sets(), inference.cause_states()};
  inference.start(start);
  const double of_start = settle(inference, options.projection, options.damping, go_on);
  inference.start(last);
  if (settle(inference, options.projection, options.damping, go_on) >= of_start) return;
  inference.start(start);
  settle(inference, options.projection, options.damping, go_on);
}

}  // namespace

bool is_over(const BestStart& best, const Options& options, std::size_t n_causes) {
  const std::uint32_t enough = sufficient_agreements(options, n_causes);
  return best.n_done >= options.restarts || (enough > 0 && best.n_agreeing >= enough);
}

void run_starts(const data::CategoricalTable& table, const learning::RowShare& rows,
                std::size_t n_causes, const Options& options, BestStart& best,
                const AfterStart& after, const std::function<bool()>& go_on) {
  if (is_over(best, options, n_causes)) return;
  SearchOptions search = search_options(n_causes, options);
  search.go_on = go_on;
  const std::vector<double> information = mutual_information(table);
  while (!is_over(best, options, n_causes)) {
    const Found found = search_once(table, rows, information, search, best.n_done, best.begun);
    ++best.n_done;
    log::verbose("{} causes, start {}: log evidence {:.3f}, {} sweeps", n_causes, best.n_done,
                 found.log_evidence, found.n_sweeps);
    const double gain = found.log_evidence - best.log_evidence;
    const double least = same_evidence * std::abs(found.log_evidence);
    if (best.n_done == 1 || gain > least) {
      best.n_agreeing = 1;
    } else if (gain >= -least) {
      ++best.n_agreeing;
    }
    if (best.n_done == 1 || gain > 0) {
      best.log_evidence = found.log_evidence;
      best.start = {found.inference->best_sets(), found.inference->cause_states()};
    }
    if (go_on && !go_on()) return;
    if (!is_over(best, options, n_causes)) after(best);
  }
}

model::LearnedCategorical infer_network(const data::CategoricalTable& table,
                                        const learning::RowShare& rows, std::size_t n_causes,
                                        const Options& options, const BestStart& best,
                                        const std::function<bool()>& go_on) {
  const SearchOptions search = search_options(n_causes, options);
  Inference inference(shape_of(table, n_causes, search.cardinality, search.max_parents), table,
                      rows, options.prior);
  inference.start(best.start);
  settle(inference, Projection::mean_variance, options.damping, go_on);
  IterateOptions free;
  free.go_on = go_on;
  free.projection = options.projection;
  free.damping = options.damping;
  free.held_sweeps = 0;
  free.max_sweeps = options.max_sweeps;
  free.tolerance = options.tolerance;
  std::size_t n_sweeps = inference.iterate(free);
  bool rested = n_sweeps < options.max_sweeps;
  for (std::uint32_t i = 0; i < options.conditionings; ++i) {
    const std::size_t n_held = inference.hold_causes(certainty);
    log::verbose("conditioning {}: {} of {} states held", i + 1, n_held, table.n_rows * n_causes);
    const std::size_t n = inference.iterate(free);
    rested = rested && n < options.max_sweeps;
    n_sweeps += n;
  }
  const Posterior posterior = inference.posterior();
  const double log_evidence_of_all = inference.log_evidence();
  inference.release_causes();
  if (rested) {
    settle(inference, options.projection, options.damping, go_on);
  } else {
    settle_better(inference, best.start, options, go_on);
  }
  model::LearnedCategorical learned = make_network(inference, table, posterior, options);
  if (!rested) {
    learned.remarks.push_back(
        fmt::format("the posterior of the structure was still changing after {} sweeps (with two "
                    "parents it may go round in circles where rows are few): the network is the "
                    "best that was met, shades of the posterior are those of the last sweep",
                    options.max_sweeps));
  }
  if (inference.n_passed_over() > 0 || inference.n_improper() > 0) {
    learned.remarks.push_back(fmt::format(
        "{} messages were passed over because a cavity distribution was improper, and {} rows of "
        "parameters begun anew",
        inference.n_passed_over(), inference.n_improper()));
  }
  log::verbose("{} sweeps: log evidence {:.3f} of all structures, {:.3f} of the most probable one",
               n_sweeps, log_evidence_of_all, learned.log_evidence);
  return learned;
}

}  // namespace orrery::structural_ep
