// NOCA, the noisy-OR component analyser: Singliar & Hauskrecht 2006, "Noisy-OR component analysis
// and its application to link analysis" (JMLR 7), learned by variational EM.
//
//   paper                          code                   shape, range
//   sources s, K of them           causes U, n_causes     n
//   observed x, D of them          n_observed             m
//   pi_i = P(s_i = 1)              Parameters::prior      n
//   theta_ij (p_ij = e^-theta)     Parameters::failure    m x n
//   theta_0j, the leak             Parameters::leak       m
//   <s_i>, mean of q(s)            `present`              n a row
//   q_j(i), Jensen's weights       `share`                on x n a row
//   E-step, bound and its optimum  e_step_lanes.hpp
//   M-step                         maximise, in fit.cpp
//   restarts, best bound kept      fit.cpp
//
// Cost of an iteration: O(N * variables on a row * n * sweeps) for a restart, some three
// exponentials and logarithms each; variables that are off are summed once a pass. Rows are shared
// by ranks and threads, pairs of a row and a restart are the lanes of a vector. Memory: nothing per
// row; 2 m n sums of 56 bytes per restart and thread. At 1,000 ranks the sums' all-reduce (96 m n
// bytes a restart and iteration) is what grows first.
//
// Departures from the paper:
// - Shares are updated by an exponentiated gradient step, failures by a closed form: no step of
//   either can lower the bound. The paper's updates are fixed points without that guarantee.
// - Local parameters begin anew in every pass, from the priors. So rows may settle elsewhere than
//   in the pass before, and the bound of a new iterate may be lower: then half the step is tried.
// - Restarts that fall behind are given up (--race 0: never).
// - The number of causes may be chosen by the bound of held-out rows (--causes auto).
// - Values that are missing add no term.
#include "learning/learner.hpp"

#include <algorithm>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/variational_em/fit.hpp"
#include "families/noisy_or/variational_em/options.hpp"
#include "learning/stages.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::variational_em {
namespace {

/// Keeps the state if it is time to. Throws Stopped, or TimeUp. Collective.
void keep(const learning::LearnContext& context, const State& state) {
  context.checkpoints.between_steps(context.team, [&] {
    if (context.team.is_root()) save(state, context.checkpoints.state());
  });
}

void tell(const State& state, const Options& options) {
  const Restart& best = best_of(state.restarts);
  log::verbose("{} causes{}: bound {:.6f} nats per row, best of {} restarts, {} iterations",
               state.n_causes, state.hold_out ? " (every tenth row held out)" : "", best.bound,
               options.restarts, best.passes);
  if (state.hold_out) log::verbose("held out: bound {:.6f} nats per row", best.held_out);
  if (best.passes >= options.fit.max_iterations) {
    log::warning(
        "{} causes: the best restart was still rising after {} iterations; a higher "
        "--max-iterations, or a larger --tolerance ({})",
        state.n_causes, best.passes, options.fit.tolerance);
  }
}

std::optional<Counts> counts_of(const learning::LearnContext& context, const State& state) {
  std::optional<Counts> counts;
  while (!(counts = count_rows(*context.rows, context.names.size(), state.hold_out))) {
    keep(context, state);
  }
  return counts;
}

/// Draws the starts.
void begin(const learning::LearnContext& context, const Options& options, State& state) {
  const Counts counts = *counts_of(context, state);
  std::optional<std::vector<Parameters>> starts;
  while (!(starts = draw_starts(*context.rows, context.seed, options.restarts, state.n_causes,
                                counts))) {
    keep(context, state);
  }
  for (const Parameters& start : *starts) state.restarts.emplace_back().next = start;
}

/// Fits state.n_causes until every restart is done.
void fit(const learning::LearnContext& context, Options options, State& state) {
  learning::StageWatch watch(context.stages, fmt::format("{}_causes{}", state.n_causes,
                                                         state.hold_out ? "_held_out" : ""));
  options.fit.e_step.hold_out = state.hold_out;
  if (state.restarts.empty()) begin(context, options, state);
  const Counts counts = *counts_of(context, state);
  Progress progress(fmt::format("{} causes", state.n_causes), 0, "iterations");
  while (!all_done(state.restarts)) {
    if (iterate(*context.rows, counts, options.fit, state.restarts)) {
      if (options.fit.race > 0) {
        give_up_hopeless(state.restarts, static_cast<double>(options.fit.race));
      }
      watch.add(context.team, {}, 1);
      progress.advance();
    }
    keep(context, state);
  }
  tell(state, options);
}

/// What is fitted next; false at the end.
bool go_on(const Options& options, std::size_t n_observed, State& state) {
  if (state.n_causes > 0) {
    if (!state.hold_out) return false;
    state.tried.push_back({state.n_causes, best_of(state.restarts).held_out});
  }
  std::optional<std::size_t> next;
  if (options.causes == 0) next = next_number(state.tried, n_observed);
  state.hold_out = next.has_value();
  state.n_causes = next ? *next : options.causes == 0 ? best_number(state.tried) : options.causes;
  state.restarts.clear();
  return true;
}

/// When the time is over: the best restart, though it may be of rows of which every tenth was held
/// out; its start where no pass is done; no causes before there are starts.
Parameters best_so_far(const learning::LearnContext& context, const State& state) {
  if (!state.restarts.empty()) {
    const Restart& best = best_of(state.restarts);
    return best.passes > 0 ? best.best : best.next;
  }
  Parameters none;
  none.n_observed = context.names.size();
  for (std::size_t a = 0; a < none.n_observed; ++a) {
    none.leak.push_back(std::clamp(1 - context.moments.single(a), least_leak, 1 - least_leak));
  }
  return none;
}

/// The network without edges above `prune`; what these did on average goes into the leak. Causes
/// that keep no edge are left out, the others come by falling prior times strength.
model::NoisyOrNetwork assemble(const std::vector<std::string>& names, const Parameters& learned,
                               double prune) {
  const std::size_t n = learned.n_causes;
  std::vector<model::Observed> observed;
  std::vector<std::vector<model::Edge>> edges(n);
  for (std::size_t a = 0; a < names.size(); ++a) {
    double off = 1 - learned.leak[a];
    for (std::size_t k = 0; k < n; ++k) {
      const double failure = learned.failure[a * n + k];
      if (failure > prune) {
        off *= 1 - learned.prior[k] * (1 - failure);
      } else {
        edges[k].push_back({0, static_cast<std::uint32_t>(a), failure});
      }
    }
    observed.push_back({names[a], std::clamp(1 - off, 0.0, 1.0)});
  }
  std::vector<model::Cause> causes;
  std::vector<model::Edge> kept;
  for (std::size_t k = 0; k < n; ++k) {
    if (edges[k].empty()) continue;
    for (model::Edge& edge : edges[k]) {
      edge.cause = static_cast<std::uint32_t>(causes.size());
      kept.push_back(edge);
    }
    causes.push_back({fmt::format("cause{}", causes.size()), learned.prior[k]});
  }
  if (causes.size() < n) {
    log::warning(
        "{} of {} causes kept no edge with a failure of at most --prune {} and are left out",
        n - causes.size(), n, prune);
  }
  return {std::move(causes), std::move(observed), std::move(kept)};
}

void require_memory(const learning::LearnContext& context, const Options& options,
                    std::size_t n_causes) {
  const std::size_t needed =
      pass_bytes(n_causes, context.names.size(), lanes, context.threads, options.fit);
  if (context.memory_bytes == 0 || needed <= context.memory_bytes) return;
  throw UsageError(fmt::format(
      "--memory leaves {} to learn with, but {} causes of {} variables take {} with {} thread(s); "
      "allow more, or use fewer threads{}",
      format_bytes(static_cast<double>(context.memory_bytes)), n_causes, context.names.size(),
      format_bytes(static_cast<double>(needed)), context.threads,
      options.causes > 1 ? " or --causes" : ""));
}

model::AnyModel learn(const learning::LearnContext& context,
                      const boost::program_options::variables_map& values) {
  Options options = read_options(values, context.rows == nullptr);
  if (context.memory_bytes > 0) {
    options.fit.sums_bytes =
        std::min(options.fit.sums_bytes,
                 context.memory_bytes / (2 * static_cast<std::size_t>(context.threads)));
  }
  State state = load_everywhere(context.team, context.checkpoints.state(), context.names.size());
  if (state.n_causes == 0) go_on(options, context.names.size(), state);
  Parameters learned;
  try {
    do {
      require_memory(context, options, state.n_causes);
      fit(context, options, state);
    } while (go_on(options, context.names.size(), state));
    learned = best_of(state.restarts).best;
  } catch (const learning::TimeUp&) {
    learned = best_so_far(context, state);
  }
  model::LearnedModel model;
  model.network = assemble(context.names, learned, options.prune);
  model.provenance.resize(model.network.n_causes());
  model.learner = "vem";
  model.n_samples = context.rows->n_rows();
  return model;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  return {{"--causes", options.causes == 0 ? "auto" : fmt::format("{}", options.causes)},
          {"--restarts", fmt::format("{}", options.restarts)},
          {"--tolerance", fmt::format("{}", options.fit.tolerance)},
          {"--max-iterations", fmt::format("{}", options.fit.max_iterations)},
          {"--race", fmt::format("{}", options.fit.race)},
          {"--prune", fmt::format("{}", options.prune)},
          {"--seed", fmt::format("{}", values["seed"].as<std::uint64_t>())}};
}

learning::Plan plan(const learning::PlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, context.moments.n_samples() == 0));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "vem",
    .summary = "a given number of causes by variational EM (Singliar, Hauskrecht 2006)",
    .add_options = add_options,
    .result_options = result_options,
    .learn = learn,
    .plan = plan,
    .moments = learning::TakesMoments::counts,
    .example = "--causes 8"};

}  // namespace orrery::variational_em
