#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/cause_parts.hpp"
#include "families/noisy_or/quartet/signatures/signature_network.hpp"
#include "families/noisy_or/quartet/signatures/signature_pass.hpp"

namespace orrery::quartet {
namespace {

/// All but the last pass.
State refine_structure(const learning::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State state) {
  const std::uint64_t n_rows = context.rows->n_rows();
  const Penalty penalty(n_rows, context.names.size(), alpha);
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = found_network(context, rules, state);
  const std::uint64_t n_thinned =
      std::max<std::uint64_t>(n_rows / constants::signatures::first_step_rows, 1);
  const int first_steps = state.n_refined == 0 ? 1 : 0;  // the signatures are further off
  for (int i = 0; i < first_steps; ++i) {
    pause();
    (void)step(context.rows->thinned(n_thinned), Missing::ignore, network);
  }
  pause();
  const SparseExpectation found = step(*context.rows, Missing::find, network);
  if (found.expected.n_truncated > 0) {
    log::verbose("{} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(found.expected.n_truncated)));
  }
  std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause, rules);
  state.n_refined = needed.size();
  network = tidy(network, found, rules);
  if (hidden == Hidden::find) {
    const std::size_t n = network.n_causes();
    std::vector<Part> parts = find_parts(context, found.attributed, n, penalty.cause);
    std::erase_if(parts, [&](const Part& part) {
      return part.behind < n && rules.is_fixed(network.causes()[part.behind].name);
    });
    network = with_parts(network, std::move(parts), state);
    for (std::size_t u = found.expected.present.size(); u < network.n_causes(); ++u) {
      needed.push_back(u);
    }
  }
  into(network, needed, state);
  const std::size_t n_new = state.causes.size() - state.n_refined;
  state.awaits_pass = n_new > 0 && are_few(n_new, state);  // else all is refined again
  return state;
}

}  // namespace

bool are_few(std::size_t n_causes, const State& state) {
  return n_causes * constants::signatures::few_causes_of <= state.causes.size();
}

void fit_signatures(const learning::LearnContext& context, const std::function<void()>& pause,
                    State& state) {
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = found_network(context, rules, state);
  const learning::RowPass rows = context.rows->thinned(
      std::max<std::uint64_t>(context.rows->n_rows() / constants::signatures::first_step_rows, 1));
  for (int i = 0; i < constants::signatures::n_fit_steps; ++i) {
    pause();
    (void)step(rows, Missing::ignore, network);
  }
  into(network, all_causes(network), state);
}

void refine_signatures(const learning::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State& state) {
  if (!state.awaits_pass) state = refine_structure(context, alpha, hidden, pause, state);
  if (!state.awaits_pass) return;
  pause();
  const Constraints rules(context.known, context.names);
  model::NoisyOrNetwork network = refined_network(context, rules, state);
  (void)step(*context.rows, Missing::ignore, network);
  into(network, all_causes(network), state);
  state.n_refined = state.causes.size();
  state.awaits_pass = false;
}

}  // namespace orrery::quartet
