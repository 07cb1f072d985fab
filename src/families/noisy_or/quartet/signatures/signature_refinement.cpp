// The network of the causes that pair signatures found comes from the state that a checkpoint
// keeps, and goes back into it. Causes are named as the rules on what is known beforehand name
// them. First the structure is refined, then parameters settle.
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"
#include "families/noisy_or/quartet/signatures/signature_pass.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "families/noisy_or/quartet/verdict.hpp"
#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {
namespace {

/// Of cause u of `state`: a cause that nobody knew is "*", any.
const std::string& rule_name(const Constraints& rules, const State& state, std::size_t u) {
  static const std::string any = "*";
  const int known = state.causes[u].known;
  return known < 0 ? any : rules.causes()[static_cast<std::size_t>(known)].name;
}

/// Causes and edges of `state`, with failures within the range of causes that were refined before,
/// or of those that were found since.
model::NoisyOrNetwork network_of(const Constraints& rules, const State& state,
                                 std::vector<model::Observed> observed, const FailureRange& refined,
                                 const FailureRange& found) {
  const std::size_t m = observed.size();
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < state.causes.size(); ++u) {
    causes.push_back({rule_name(rules, state, u), state.causes[u].prior});
    const FailureRange& range = u < state.n_refined ? refined : found;
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = state.failures[u * m + a];
      if (failure < 1) edges.push_back({u, a, range.hold(failure)});
    }
  }
  return rules.conform({std::move(causes), std::move(observed), std::move(edges)});
}

/// Causes as they were found or refined before, with the leaks that they leave.
model::NoisyOrNetwork found_network(const learning::LearnContext& context, const Constraints& rules,
                                    const State& state) {
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    const double on = 1 - context.moments.single(a);
    observed.push_back({context.names[a], std::clamp(on, 1e-6, 1 - 1e-6)});
  }
  return explain_leaks(network_of(rules, state, std::move(observed),
                                  refined_range(context.rows->n_rows()), found_range));
}

}  // namespace

model::NoisyOrNetwork refined_network(const learning::LearnContext& context, const State& state) {
  const Constraints rules(context.known, context.names);
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    observed.push_back({context.names[a], state.leaks[a]});
  }
  constexpr FailureRange any{0, 1};
  return network_of(rules, state, std::move(observed), any, any);
}

namespace {

/// Those causes of the network that are `needed`, in the place of the causes of `state`, of which
/// cause u of the network is the refined one; its leaks.
void into(const model::NoisyOrNetwork& network, const std::vector<std::size_t>& needed,
          State& state) {
  const std::size_t m = network.n_observed();
  state.keep_only(needed);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    state.causes[k].prior = network.causes()[needed[k]].prior;
  }
  state.failures.assign(needed.size() * m, 1);
  state.failure_errors.assign(needed.size() * m, 0);  // not known
  for (std::size_t k = 0; k < needed.size(); ++k) {
    for (const model::Edge& edge : network.children(needed[k])) {
      state.failures[k * m + edge.observed] = edge.failure;
    }
  }
  state.leaks.clear();
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

/// About so many of the rows.
learning::RowPass some_of(const learning::RowPass& rows, std::uint64_t n_rows) {
  return rows.thinned(std::max<std::uint64_t>(rows.n_rows() / n_rows, 1));
}

/// Rows on which parameters settle before the structure is judged: those in which a typical cause
/// is present often enough.
std::uint64_t rows_of_first_steps(const model::NoisyOrNetwork& network) {
  if (network.n_causes() == 0) return constants::signatures::first_step_rows;
  std::vector<double> priors;
  priors.reserve(network.n_causes());
  for (const model::Cause& cause : network.causes()) priors.push_back(cause.prior);
  const auto median = priors.begin() + static_cast<std::ptrdiff_t>(priors.size() / 2);
  std::ranges::nth_element(priors, median);
  const auto most = static_cast<double>(constants::signatures::first_step_rows);
  return static_cast<std::uint64_t>(
      std::min(constants::signatures::first_step_presences / *median, most));
}

/// What a step of EM gains at least, or else parameters have settled.
double least_gain_of(const model::NoisyOrNetwork& network) {
  const std::size_t n = network.n_causes() + network.n_observed() + network.edges().size();
  return constants::signatures::settled_gain * std::max(1.0, static_cast<double>(n) / 1000);
}

/// The same where the structure changes yet.
double rough_gain_of(const model::NoisyOrNetwork& network) {
  return constants::signatures::rough_gain * least_gain_of(network);
}

}  // namespace

double worth_of(const model::NoisyOrNetwork& network, const Expectation& found,
                const Penalty& penalty) {
  return found.log_likelihood - penalty.cause * static_cast<double>(network.n_causes()) -
         constants::signatures::edge_cost * static_cast<double>(network.edges().size());
}

namespace {

/// Of few rows the structure is judged after every step of EM.
bool are_few_rows(const learning::RowPass& rows) {
  return rows.n_rows() < constants::signatures::few_rows;
}

/// A pass over `rows` that judges the structure, and a step of EM. What is active in them goes into
/// `active`, as far as it is to be kept, unless all rows are few.
SparseExpectation judge(const learning::LearnContext& context, const learning::RowPass& rows,
                        Missing missing, Keep keep, model::NoisyOrNetwork& network,
                        std::optional<ActiveExpectation>& active) {
  if (are_few_rows(*context.rows)) return step(rows, missing, network);
  const model::NoisyOrNetwork before = network;
  SparseExpectation found = step(rows, missing, network, keep);
  active.emplace(rows, before, found.expected, std::move(found.kept));
  return found;
}

/// Steps on what is active in rows whose structure has just changed to that of `network`, with the
/// causes `kept`.
void ascend_a_little(std::optional<ActiveExpectation>& active, const std::vector<std::size_t>& kept,
                     model::NoisyOrNetwork& network) {
  if (!active) return;
  active->follow(network, kept);
  (void)ascend(*active, rough_gain_of(network), constants::signatures::most_rough_steps, network);
}

/// A pass over `rows`, and at most `most_steps` on a sample of what is active in them, which goes
/// into `active`, until one gains less than `least_gain`: what those gained, nats.
double settle_a_step(const learning::RowPass& rows, double least_gain, int most_steps,
                     model::NoisyOrNetwork& network, std::optional<ActiveExpectation>& active) {
  active.reset();  // before there are others
  const model::NoisyOrNetwork before = network;
  SparseExpectation found = step(rows, Missing::ignore, network, keep_sample(rows, network));
  active.emplace(rows, before, std::move(found.expected), std::move(found.kept));
  return ascend(*active, least_gain, most_steps, network);
}

/// The same on rows that are at hand.
double settle_a_step(ActiveExpectation& active, double least_gain, model::NoisyOrNetwork& network) {
  if (active.has_others()) parameter_step(active, network);
  return ascend(active, least_gain, constants::signatures::most_active_steps, network);
}

/// Puts those causes of `network` that are `needed` into `state`, after some steps on what is
/// active in rows: the network to look at next.
model::NoisyOrNetwork go_on_with(const learning::LearnContext& context,
                                 const model::NoisyOrNetwork& network,
                                 const std::vector<std::size_t>& needed,
                                 std::optional<ActiveExpectation>& active, State& state) {
  into(network, needed, state);
  model::NoisyOrNetwork next = refined_network(context, state);
  ascend_a_little(active, needed, next);
  into(next, all_causes(next), state);
  return next;
}

/// What the last pass of a round of refinement found.
struct LastPass {
  SparseExpectation found;
  double worth;                     // of the network that it looked at
  model::NoisyOrNetwork network;    // tidy, with all causes of that one
  std::vector<std::size_t> needed;  // of these causes
  std::optional<ActiveExpectation> active;
};

/// Whether the passes of a round of refinement drop causes that are no causes of their own.
enum class Spurious : std::uint8_t { stay, go };

/// The passes of a round over `rows`: one. Spurious::go: where it finds that many causes repeat
/// others, or are such as chance makes, they go, in as many passes as that takes, so that hidden
/// causes are looked for behind what is left. The first pass drops none of them: some have just
/// been found.
LastPass look_at(const learning::LearnContext& context, const learning::RowPass& rows,
                 const Penalty& penalty, Spurious spurious, model::NoisyOrNetwork network,
                 const std::function<void()>& pause, State& state) {
  const Constraints rules(context.known, context.names);
  std::optional<ActiveExpectation> active;
  bool many_went = false;
  for (int i = 0;; ++i) {
    pause();
    SparseExpectation found =
        judge(context, rows, Missing::find, keep_sample(rows, network), network, active);
    const double worth = worth_of(network, found.expected, penalty);
    std::vector<std::size_t> needed = all_causes(network);  // some of the rows do not tell
    if (rows.n_rows() == context.rows->n_rows()) {
      needed = needed_causes(network, found, penalty.cause, rules);
    }
    model::NoisyOrNetwork next = tidy(network, found, rules);
    bool goes_on = false;
    if (spurious == Spurious::go) {
      std::vector<std::size_t> left = clear_causes(network, found, penalty, needed, rules);
      model::NoisyOrNetwork without = without_doubles(next, found, rules, left);
      const std::size_t n_gone = network.n_causes() - left.size();
      const bool many_go = n_gone * constants::signatures::many_causes_of > network.n_causes();
      goes_on = many_go || (i > 0 && (many_went || !are_few(n_gone, state)));
      many_went = many_go;
      if (i > 0) {
        next = std::move(without);
        needed = std::move(left);
      }
    }
    if (!goes_on || i + 1 == constants::signatures::most_tidy_passes) {
      return {std::move(found), worth, std::move(next), std::move(needed), std::move(active)};
    }
    network = go_on_with(context, next, needed, active, state);
  }
}

/// The parameters that a round begins with. They settle first: in the first round, since those of
/// signatures are far off, and in a later one of some rows where few causes are new.
void begin(const learning::LearnContext& context, const State& state,
           model::NoisyOrNetwork& network) {
  const bool is_first = state.n_refined == 0;
  if (are_few_rows(*context.rows)) {
    if (is_first) (void)step(*context.rows, Missing::ignore, network);
    return;
  }
  const std::size_t n_new = state.causes.size() - state.n_refined;
  const bool few_are_new = n_new * constants::signatures::few_new_causes_of <= state.causes.size();
  const bool of_some_rows = context.rows->n_rows() < 2 * constants::signatures::first_step_rows;
  if (!is_first && !(few_are_new && of_some_rows)) return;
  std::optional<ActiveExpectation> active;
  (void)settle_a_step(some_of(*context.rows, rows_of_first_steps(network)), rough_gain_of(network),
                      constants::signatures::most_first_steps, network, active);
}

}  // namespace

bool explains_too_little(const learning::LearnContext& context,
                         const model::NoisyOrNetwork& network) {
  if (context.names.size() > constants::search::most_exhaustive) return false;
  const ResidualPairs pairs = residuals_of(context, network);
  return misfit_of(pairs) >= constants::search::much_misfit &&
         dependence_left(context, pairs) >= constants::search::much_left;
}

std::uint64_t rows_of_refinement(std::uint64_t n_rows, bool is_first) {
  if (!is_first) return constants::signatures::later_pass_rows;
  return std::max(constants::signatures::first_pass_rows,
                  n_rows / constants::signatures::first_pass_share);
}

void refine_signatures(const learning::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State& state) {
  const std::uint64_t n_rows = context.rows->n_rows();
  const Penalty penalty(n_rows, context.names.size(), alpha);
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = found_network(context, rules, state);
  const bool is_first = state.n_refined == 0;
  pause();
  begin(context, state, network);
  const learning::RowPass rows = some_of(*context.rows, rows_of_refinement(n_rows, is_first));
  const bool may_go = !is_first && hidden == Hidden::find && rows.n_rows() == n_rows;
  LastPass last = look_at(context, rows, penalty, may_go ? Spurious::go : Spurious::stay,
                          std::move(network), pause, state);
  // Later refinements look at the same rows. Where the causes that the last one found are not worth
  // what they cost, no more are looked for.
  if (!is_first) {
    if (last.worth <= state.refined_worth) hidden = Hidden::ignore;
    state.refined_worth = last.worth;
  }
  if (last.found.expected.n_truncated > 0) {
    log::verbose("{} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(last.found.expected.n_truncated)));
  }
  std::vector<std::size_t> needed = std::move(last.needed);
  const std::size_t n_needed = needed.size();
  network = std::move(last.network);
  ascend_a_little(last.active, all_causes(network), network);
  if (hidden == Hidden::find) {
    const std::size_t n = network.n_causes();
    std::vector<Part> parts = find_parts(context, last.found.attributed, n, penalty.cause);
    const auto n_by_pairs = static_cast<std::size_t>(std::ranges::count_if(parts, &Part::by_pairs));
    const bool takes_pairs = n_by_pairs * constants::signatures::few_by_pairs_of > n &&
                             !explains_too_little(context, network);
    std::erase_if(parts, [&](const Part& part) {
      return part.by_pairs ? !takes_pairs
                           : part.behind < n && rules.is_fixed(network.causes()[part.behind].name);
    });
    network = with_parts(network, std::move(parts), refined_range(n_rows), state);
    for (std::size_t u = n; u < network.n_causes(); ++u) needed.push_back(u);
  }
  into(network, needed, state);
  const bool is_refined = are_few(state.causes.size() - n_needed, state);  // else all is again
  state.n_refined = is_refined ? state.causes.size() : n_needed;
}

bool are_few(std::size_t n_causes, const State& state) {
  return n_causes * constants::signatures::few_causes_of <= state.causes.size();
}

void fit_signatures(const learning::LearnContext& context, const std::function<void()>& pause,
                    State& state) {
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = found_network(context, rules, state);
  const learning::RowPass rows = some_of(*context.rows, constants::signatures::first_pass_rows);
  for (int i = 0; i < constants::signatures::n_fit_steps; ++i) {
    pause();
    (void)step(rows, Missing::ignore, network);
  }
  into(network, all_causes(network), state);
}

namespace {

/// Without causes and edges that are not needed once the others have been refined, with those that
/// are missing: a few passes. Edges that a pass adds the next one may drop again, and so on by
/// turns. Of few rows that ends after some passes with those added. Of many it ends with those
/// dropped, as soon as may be; and of the first pass all causes stay: some have just been found.
/// `active`: what of many rows the last of these passes left at hand.
model::NoisyOrNetwork tidied(const learning::LearnContext& context, double alpha,
                             const std::function<void()>& pause, State& state,
                             std::optional<ActiveExpectation>& active) {
  const Penalty penalty(context.rows->n_rows(), context.names.size(), alpha);
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = refined_network(context, state);
  const bool of_few_rows = are_few_rows(*context.rows);
  bool had_dropped = false;  // more edges than it added
  for (int i = 0; i < constants::signatures::most_tidy_passes; ++i) {
    pause();
    const std::size_t n_edges = network.edges().size();
    if (active && !active->is_whole()) active.reset();
    const SparseExpectation found = active
                                        ? step(*active, network)
                                        : judge(context, *context.rows, Missing::edges,
                                                keep_all(*context.rows, network), network, active);
    std::vector<std::size_t> needed = all_causes(network);
    if (i > 0 || of_few_rows) {
      needed = clear_causes(network, found, penalty,
                            needed_causes(network, found, penalty.cause, rules), rules);
    }
    network = without_doubles(tidy(network, found, rules), found, rules, needed);
    const std::size_t n_now = network.edges().size();
    const bool have_settled = std::max(n_now, n_edges) - std::min(n_now, n_edges) <=
                              n_edges / constants::signatures::few_edges_of;
    const std::size_t n_gone = network.n_causes() - needed.size();
    const bool few_go = are_few(n_gone, state);
    network = go_on_with(context, network, needed, active, state);
    const bool take_turns =
        i >= constants::signatures::least_tidy_passes && had_dropped && n_now > n_edges;
    if (of_few_rows ? n_gone == 0 && (have_settled || take_turns)
                    : i > 0 && few_go && (have_settled || n_now < n_edges)) {
      break;
    }
    had_dropped = n_now < n_edges;
  }
  return network;
}

}  // namespace

bool settle_signatures(const learning::LearnContext& context, double alpha, Settle what,
                       const std::function<void()>& pause, State& state) {
  std::optional<ActiveExpectation> active;
  model::NoisyOrNetwork network = what == Settle::parameters
                                      ? refined_network(context, state)
                                      : tidied(context, alpha, pause, state, active);
  bool has_settled = false;
  for (int i = 0; i < constants::signatures::most_settling_passes && !has_settled; ++i) {
    pause();
    // Of many rows a nat is less than what the rows that are looked at a little leave open.
    const double least_gain =
        are_few_rows(*context.rows) ? least_gain_of(network) : rough_gain_of(network);
    // All of many rows are at hand: another look at each would gain 7 nats of 60,000 rows.
    const bool at_hand = active && active->is_whole() && !are_few_rows(*context.rows);
    const double gain =
        at_hand ? settle_a_step(*active, least_gain, network)
                : settle_a_step(*context.rows, least_gain, constants::signatures::most_active_steps,
                                network, active);
    has_settled = gain < least_gain;
  }
  into(network, all_causes(network), state);
  return has_settled;
}

}  // namespace orrery::quartet
