#include "families/categorical/structural_ep/search.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/random.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/clusters.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/merges.hpp"
#include "families/categorical/structural_ep/moves.hpp"
#include "families/categorical/structural_ep/random_start.hpp"

namespace orrery::structural_ep {
namespace {

/// Of the evidence: starts that differ by less have come to the same place.
constexpr double same_evidence = 1e-6;
/// One number of causes on one table.
struct Task {
  const WeightedRows& observed;
  const learning::RowShare& rows;
  std::size_t n_causes;
  const Options& options;
  const std::function<bool()>& go_on;  // once it is false what is left is hurried
};

struct Found {
  std::unique_ptr<Approximation> approximation;
  double log_evidence = 0;
  std::size_t n_sweeps = 0;
};

/// Step 1: merges the clusters of `begun` down to the causes asked for, and keeps it up to date.
void merge_clusters(const Task& task, const IterateOptions& brief, Begun& begun) {
  const Options& options = task.options;
  while (begun.n_causes > task.n_causes) {
    Approximation single(shape_of(task.observed.table(), begun.n_causes, options.cardinality, 1),
                         task.observed, task.rows, options.prior);
    begin_from(begun.start, single);
    begun.n_sweeps += iterate(single, brief);
    begun.start = {single.best_sets(), cause_states(single)};
    merge_causes(begun.start, cause_moments(single), options.cardinality, task.observed.total());
    --begun.n_causes;
  }
}

/// Where a start begins; `number` 0 takes the clusters as they are, others disturb them.
Begun begin(const Task& task, const std::vector<double>& information, std::uint64_t number) {
  const Options& options = task.options;
  RowRandom random(options.seed, Stream::restart, number);
  const std::size_t first =
      std::min(task.observed.table().n_columns(), task.n_causes + options.extra);
  return {first, 0,
          first_start(task.observed.table(), task.rows, information, first, options.cardinality,
                      random, number == 0)};
}

/// The closed-form projection is used: it is a search.
IterateOptions brief_runs(const Task& task) {
  IterateOptions brief;
  brief.projection = Projection::mean_variance;
  brief.damping = task.options.damping;
  brief.max_sweeps = short_run;
  brief.tolerance = short_tolerance;
  brief.go_on = task.go_on;
  return brief;
}

/// Steps 2 and 3, from merged clusters. Collective.
Found search_from(const Task& task, const Start& merged) {
  const Options& options = task.options;
  Found found;
  found.approximation = std::make_unique<Approximation>(
      shape_of(task.observed.table(), task.n_causes, options.cardinality, options.max_parents),
      task.observed, task.rows, options.prior);
  begin_from(merged, *found.approximation);
  IterateOptions to_rest = brief_runs(task);
  to_rest.max_sweeps = 100;
  to_rest.tolerance = 1e-4;
  found.log_evidence = improve(*found.approximation, to_rest, found.n_sweeps);
  return found;
}

/// A start has come to so much evidence: counts how many agree, and says whether it is the best.
bool is_better(double log_evidence, BestStart& best) {
  const double gain = log_evidence - best.log_evidence;
  const double least = same_evidence * std::abs(log_evidence);
  if (best.n_done == 1 || gain > least) {
    best.n_agreeing = 1;
  } else if (gain >= -least) {
    ++best.n_agreeing;
  }
  if (best.n_done > 1 && gain <= 0) return false;
  best.log_evidence = log_evidence;
  return true;
}

/// A start has come to `found`, from `merged`.
void compare(const Found& found, Start merged, BestStart& best) {
  if (!is_better(found.log_evidence, best)) return;
  best.start = {found.approximation->best_sets(), cause_states(*found.approximation)};
  best.merged = std::move(merged);
}

}  // namespace

bool is_over(const BestStart& best, const Options& options, std::size_t n_causes) {
  const std::uint32_t enough = sufficient_agreements(options, n_causes);
  return best.n_done >= options.restarts || (enough > 0 && best.n_agreeing >= enough);
}

namespace {

/// --start random: starts are compared by the evidence of all structures together. A single one is
/// left to what infers the network.
void run_random_starts(const Task& task, BestStart& best, const AfterStart& after) {
  const Options& options = task.options;
  if (options.restarts == 1) return;
  Approximation approximation(
      shape_of(task.observed.table(), task.n_causes, options.cardinality, options.max_parents),
      task.observed, task.rows, options.prior);
  while (!is_over(best, options, task.n_causes)) {
    const std::size_t n_sweeps = run_from_random(options, best.n_done, task.go_on, approximation);
    const double evidence = log_evidence(approximation);
    ++best.n_done;
    if (is_better(evidence, best)) best.number = best.n_done - 1;
    log::verbose("{} causes, random start {}: log evidence {:.3f}, {} sweeps", task.n_causes,
                 best.n_done, evidence, n_sweeps);
    if (task.go_on && !task.go_on()) return;
    if (!is_over(best, options, task.n_causes)) after(best);
  }
}

}  // namespace

void run_starts(const WeightedRows& observed, const learning::RowShare& rows, std::size_t n_causes,
                const Options& options, BestStart& best, const AfterStart& after,
                const std::function<bool()>& go_on) {
  if (is_over(best, options, n_causes)) return;
  const Task task{observed, rows, n_causes, options, go_on};
  if (options.start == StartKind::random) return run_random_starts(task, best, after);
  const std::vector<double> information = mutual_information(observed);
  while (!is_over(best, options, n_causes)) {
    // What go_on keeps of the start that is under way spares the merges that are done.
    Begun& begun = best.begun;
    if (begun.n_causes == 0) begun = begin(task, information, best.n_done);
    merge_clusters(task, brief_runs(task), begun);
    if (best.n_done > 0 && are_alike(begun.start, best.merged, observed, rows, options)) {
      ++best.n_done;
      ++best.n_agreeing;
      log::verbose("{} causes, start {}: as the best one, after {} sweeps", n_causes, best.n_done,
                   begun.n_sweeps);
    } else {
      const Found found = search_from(task, begun.start);
      ++best.n_done;
      log::verbose("{} causes, start {}: log evidence {:.3f}, {} sweeps", n_causes, best.n_done,
                   found.log_evidence, begun.n_sweeps + found.n_sweeps);
      compare(found, std::move(begun.start), best);
    }
    begun = {};
    if (go_on && !go_on()) return;
    if (!is_over(best, options, n_causes)) after(best);
  }
}

}  // namespace orrery::structural_ep
