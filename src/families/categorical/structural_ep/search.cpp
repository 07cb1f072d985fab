#include "families/categorical/structural_ep/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/random.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"
#include "families/categorical/structural_ep/random_start.hpp"

namespace orrery::structural_ep {
namespace {

// ---- clusters
//
// Which variables belong together: average linkage on their mutual information. It is only where
// inference starts from.
//
// Cost: N' D^2 / 2 for the information (N' = 4,096 rows at most, evenly spread), D^3 for the
// linkage.

constexpr std::uint64_t most_rows = 4096;

class PairTable {
 public:
  PairTable(const WeightedRows& observed, std::uint64_t step)
      : observed_(observed), table_(observed.table()), step_(step) {}

  double information(std::size_t a, std::size_t b) {
    const std::size_t n_a = table_.categories[a].size();
    const std::size_t n_b = table_.categories[b].size();
    counts_.assign(n_a * n_b, 0);
    of_a_.assign(n_a, 0);
    of_b_.assign(n_b, 0);
    double total = 0;
    for (std::uint64_t n = 0; n < table_.n_rows; n += step_) {
      const auto row = table_.row(n);
      if (row[a] == data::missing_code || row[b] == data::missing_code) continue;
      const double weight = observed_.weight(n);
      counts_[row[a] * n_b + row[b]] += weight;
      of_a_[row[a]] += weight;
      of_b_[row[b]] += weight;
      total += weight;
    }
    double sum = 0;
    for (std::size_t u = 0; u < n_a; ++u) {
      for (std::size_t v = 0; v < n_b; ++v) {
        const double count = counts_[u * n_b + v];
        if (count > 0) sum += count * std::log(count * total / (of_a_[u] * of_b_[v]));
      }
    }
    return std::max(0.0, sum - static_cast<double>((n_a - 1) * (n_b - 1)) / 2);
  }

 private:
  const WeightedRows& observed_;
  const data::CategoricalTable& table_;
  std::uint64_t step_;
  std::vector<double> counts_, of_a_, of_b_;
};

/// N' times the mutual information of each two columns, less what independent ones are expected to
/// have ((L - 1) (L' - 1) / 2), not below 0: D x D.
std::vector<double> mutual_information(const WeightedRows& observed) {
  const data::CategoricalTable& table = observed.table();
  const std::size_t d = table.n_columns();
  std::vector<double> result(d * d, 0.0);
  PairTable pairs(observed, std::max<std::uint64_t>(1, table.n_rows / most_rows));
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      result[a * d + b] = result[b * d + a] = pairs.information(a, b);
    }
  }
  return result;
}

/// A cluster's number for each of d variables, 0 to n_clusters - 1 (n_clusters <= d).
std::vector<std::uint32_t> clusters(std::vector<double> similarity, std::size_t d,
                                    std::size_t n_clusters) {
  std::vector<std::size_t> alive(d);
  std::iota(alive.begin(), alive.end(), std::size_t{0});
  std::vector<double> sizes(d, 1.0);
  std::vector<std::uint32_t> of(d);
  std::iota(of.begin(), of.end(), 0U);
  while (alive.size() > n_clusters) {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t keep = 0;
    std::size_t drop = 1;
    for (std::size_t p = 0; p < alive.size(); ++p) {
      for (std::size_t q = p + 1; q < alive.size(); ++q) {
        const std::size_t a = alive[p];
        const std::size_t b = alive[q];
        const double mean = similarity[a * d + b] / (sizes[a] * sizes[b]);
        if (mean > best) {
          best = mean;
          keep = p;
          drop = q;
        }
      }
    }
    const std::size_t a = alive[keep];
    const std::size_t b = alive[drop];
    for (const std::size_t c : alive) {  // sums between clusters
      similarity[a * d + c] += similarity[b * d + c];
      similarity[c * d + a] = similarity[a * d + c];
    }
    sizes[a] += sizes[b];
    std::ranges::replace(of, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(a));
    alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(drop));
  }
  for (std::uint32_t& number : of) {
    number =
        static_cast<std::uint32_t>(std::ranges::find(alive, std::size_t{number}) - alive.begin());
  }
  return of;
}

/// Each similarity times an exponential draw: another start.
void disturb(std::vector<double>& similarity, std::size_t d, RowRandom& random) {
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double value = similarity[a * d + b] * -std::log1p(-random.uniform());
      similarity[a * d + b] = similarity[b * d + a] = value;
    }
  }
}

// ---- starts

/// Sweeps between two merges or moves, which need no fixed point to be told.
constexpr std::size_t short_run = 25;
constexpr double short_tolerance = 1e-2;
/// Nats that a variable's values must be worth more elsewhere.
constexpr double least_gain = 1;
constexpr std::size_t bound_passes = 4;
constexpr std::size_t held_run = 6;
constexpr std::size_t most_rounds = 10;  // of step 3
/// Of the evidence: starts that differ by less have come to the same place.
constexpr double same_evidence = 1e-6;

/// A cause begins with a split of the categories of one of its cluster's variables.
std::vector<std::uint8_t> split_rows(const data::CategoricalTable& table,
                                     const learning::RowShare& rows, std::size_t variable,
                                     std::size_t cardinality, RowRandom& random) {
  const std::size_t n_categories = table.categories[variable].size();
  std::vector<std::uint8_t> side(n_categories);
  do {
    for (auto& s : side) s = static_cast<std::uint8_t>(random.below(cardinality));
  } while (n_categories > 1 && std::ranges::count(side, side[0]) == std::ssize(side));
  std::vector<std::uint8_t> states(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t of_all = rows.first() + row;
    const std::size_t x = table.row(of_all)[variable];
    states[row] =
        x == data::missing_code ? static_cast<std::uint8_t>(of_all % cardinality) : side[x];
  }
  return states;
}

Start first_start(const data::CategoricalTable& table, const learning::RowShare& rows,
                  std::vector<double> information, std::size_t n_causes, std::size_t cardinality,
                  RowRandom& random, bool as_it_is) {
  const std::size_t d = table.n_columns();
  if (!as_it_is) disturb(information, d, random);
  Start start;
  start.sets = clusters(std::move(information), d, n_causes);
  for (std::uint32_t k = 0; k < n_causes; ++k) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < d; ++i) {
      if (start.sets[i] == k) members.push_back(i);
    }
    const std::size_t variable = members[random.below(members.size())];
    start.states.push_back(split_rows(table, rows, variable, cardinality, random));
  }
  return start;
}

/// Of two causes' states: their mutual information over what the less certain of them could have.
double dependence(const CauseMoments& moments, std::size_t a, std::size_t b,
                  std::size_t cardinality, std::size_t n_causes, double n_rows) {
  const std::size_t n = n_causes * cardinality;
  double information = 0;
  double entropy_a = 0;
  double entropy_b = 0;
  for (std::size_t i = 0; i < cardinality; ++i) {
    const double p = moments.single[a * cardinality + i] / n_rows;
    const double q = moments.single[b * cardinality + i] / n_rows;
    if (p > 0) entropy_a -= p * std::log(p);
    if (q > 0) entropy_b -= q * std::log(q);
    for (std::size_t j = 0; j < cardinality; ++j) {
      const double both = moments.pair[(a * cardinality + i) * n + b * cardinality + j] / n_rows;
      const double other = moments.single[b * cardinality + j] / n_rows;
      if (both > 0) information += both * std::log(both / (p * other));
    }
  }
  return information / std::max(1e-9, std::min(entropy_a, entropy_b));
}

/// Merges the two causes that depend on each other most; a cause without children goes first.
void merge_causes(Start& start, const CauseMoments& moments, std::size_t cardinality,
                  double n_rows) {
  const std::size_t n = start.states.size();
  std::vector<std::size_t> n_children(n);
  for (const std::uint32_t k : start.sets) ++n_children[k];
  double most = -1;
  std::size_t keep = 0;
  std::size_t drop = 1;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const bool childless = n_children[a] == 0 || n_children[b] == 0;
      const double value = childless ? 2 : dependence(moments, a, b, cardinality, n, n_rows);
      if (value <= most) continue;
      most = value;
      keep = a;
      drop = b;
    }
  }
  if (n_children[keep] < n_children[drop]) start.states[keep] = start.states[drop];
  start.states[drop] = start.states.back();
  start.states.pop_back();
  for (std::uint32_t& k : start.sets) {
    if (k == drop) k = static_cast<std::uint32_t>(keep);
    if (k == n - 1) k = static_cast<std::uint32_t>(drop);
  }
}

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

/// Step 3. Returns the log evidence; counts sweeps. `options`: of each run to a fixed point.
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

// ---- starts that are alike

/// How much of the rows two networks must agree on, and of the variables. A variable of two parents
/// is with one of them or the other in a single-parent network.
constexpr double alike_rows = .98;
constexpr double alike_variables = .9;
constexpr double alike_variables_of_two = .5;

/// The place in each row of a square table that has most; none if two rows want the same.
std::optional<std::vector<std::size_t>> matching(std::span<const double> table, std::size_t n) {
  std::vector<std::size_t> match;
  for (std::size_t row = 0; row < n; ++row) {
    const auto of_row = table.subspan(row * n, n);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(of_row) - of_row.begin());
    if (std::ranges::find(match, best) != match.end()) return std::nullopt;
    match.push_back(best);
  }
  return match;
}

double matched(std::span<const double> table, std::span<const std::size_t> match) {
  double sum = 0;
  for (std::size_t row = 0; row < match.size(); ++row) {
    sum += table[row * match.size() + match[row]];
  }
  return sum;
}

/// Weights of rows by the states of two causes, of each cause of `a` and each of `b`: K x K x J x
/// J. Collective.
std::vector<double> joint_states(const Start& a, const Start& b, const WeightedRows& observed,
                                 const learning::RowShare& rows, std::size_t cardinality) {
  const std::size_t k_all = a.states.size();
  return rows.sum(k_all * k_all * cardinality * cardinality,
                  [&](std::size_t row, int /*thread*/, std::span<double> to) {
                    const double weight = observed.weight(rows.first() + row);
                    for (std::size_t k = 0; k < k_all; ++k) {
                      for (std::size_t l = 0; l < k_all; ++l) {
                        const std::size_t first = (k * k_all + l) * cardinality;
                        const std::size_t of_a = a.states[k][row];
                        to[(first + of_a) * cardinality + b.states[l][row]] += weight;
                      }
                    }
                  });
}

}  // namespace

bool are_alike(const Start& a, const Start& b, const WeightedRows& observed,
               const learning::RowShare& rows, const Options& options) {
  const std::size_t k_all = a.states.size();
  const std::size_t square = options.cardinality * options.cardinality;
  const auto joint = joint_states(a, b, observed, rows, options.cardinality);
  std::vector<double> agreement;  // K x K: of the rows
  for (std::size_t pair = 0; pair < k_all * k_all; ++pair) {
    const auto table = std::span(joint).subspan(pair * square, square);
    const auto states = matching(table, options.cardinality);
    agreement.push_back(states ? matched(table, *states) / observed.total() : 0);
  }
  const auto causes = matching(agreement, k_all);
  if (!causes) return false;
  for (std::size_t k = 0; k < k_all; ++k) {
    if (agreement[k * k_all + (*causes)[k]] < alike_rows) return false;
  }
  std::size_t n_same = 0;
  for (std::size_t i = 0; i < a.sets.size(); ++i) n_same += (*causes)[a.sets[i]] == b.sets[i];
  const double least = options.max_parents == 1 ? alike_variables : alike_variables_of_two;
  return static_cast<double>(n_same) >= least * static_cast<double>(a.sets.size());
}

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
