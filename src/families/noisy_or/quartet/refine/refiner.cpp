// The sequence of moves, between the network that a State says to begin with and what the next
// round is to subtract.
#include "families/noisy_or/quartet/refine/refiner.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// P(a off) without parents, as leaks; kept away from 0 and 1.
model::NoisyOrNetwork independent(const learning::LearnContext& context) {
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < context.names.size(); ++a) {
    observed.push_back(
        {context.names[a], std::clamp(1 - context.moments.single(a), 1e-6, 1 - 1e-6)});
  }
  return {{}, std::move(observed), {}};
}

/// With the causes of `state` or the known ones; leaks are those of `state`, if it has any.
model::NoisyOrNetwork begun_network(Refinement& refinement, const State& state) {
  const Constraints& rules = refinement.rules;
  model::NoisyOrNetwork network = independent(refinement.context);
  const std::size_t m = network.n_observed();
  const auto add = [&](const model::Cause& cause, const std::vector<double>& failures,
                       std::size_t u) {
    const auto first = failures.begin() + static_cast<std::ptrdiff_t>(u * m);
    network = with(network, cause, {first, first + static_cast<std::ptrdiff_t>(m)});
  };
  if (state.causes.empty()) {
    for (std::size_t u = 0; u < rules.causes().size(); ++u) {
      add(rules.causes()[u], rules.failures(), u);
    }
  }
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const LearnedCause& learned = state.causes[u];
    const std::string name = learned.known >= 0
                                 ? rules.causes()[static_cast<std::size_t>(learned.known)].name
                                 : refinement.names.fresh("old");
    refinement.names.set_origin(name, learned.provenance);
    add({name, learned.prior}, state.failures, u);
  }
  if (state.leaks.empty()) return explain_leaks(network);
  std::vector<model::Observed> observed = network.observed();
  for (std::size_t a = 0; a < m; ++a) observed[a].leak = state.leaks[a];
  return {network.causes(), std::move(observed), network.edges()};
}

/// Number of the known cause of this name; -1 if it is none.
int known_number(const Constraints& rules, const std::string& name) {
  int known = -1;
  for (std::size_t k = 0; k < rules.causes().size(); ++k) {
    if (rules.causes()[k].name == name) known = static_cast<int>(k);
  }
  return known;
}

/// The causes of `state`, or if there are none the known parts of the context, as the rules have
/// them. Names the causes.
model::NoisyOrNetwork first_network(Refinement& refinement, const State& state) {
  return refinement.rules.conform(begun_network(refinement, state));
}

/// Some pair of variables depends on each other beyond the network, if its parameters are exact.
bool leaves_siblings(const Refinement& refinement) {
  const moments::Subtraction exact = subtraction_of(refinement.fit.network, {});
  const Calibration calibration(refinement.context.moments, exact, refinement.alpha);
  const std::size_t m = calibration.n_variables();
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      if (calibration.pair_z(a, b) >= calibration.pair_bar()) return true;
    }
  }
  return false;
}

/// The network with its standard errors, if a scan needs them: they only make its z smaller, so
/// that where no pair is left without them none is left with them. Collective.
void write_into(State& state, const Refinement& refinement) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const std::vector<model::Provenance> origins = refinement.names.provenance(network.causes());
  model::StandardErrors errors{std::vector<double>(network.n_causes(), 0),
                               {},
                               std::vector<double>(network.edges().size(), 0)};
  if (leaves_siblings(refinement))
    errors = standard_errors(refinement.rows, network, refinement.prior);
  const auto known = [](double error) { return std::isnan(error) ? 0 : error; };
  const std::size_t m = network.n_observed();
  state.causes.clear();
  state.failures.assign(network.n_causes() * m, 1);
  state.failure_errors.assign(network.n_causes() * m, 0);
  state.leaks.clear();
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const model::Cause& cause = network.causes()[u];
    state.causes.push_back({cause.prior, origins[u], known(errors.prior[u]),
                            known_number(refinement.rules, cause.name)});
  }
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    state.failures[edge.cause * m + edge.observed] = edge.failure;
    state.failure_errors[edge.cause * m + edge.observed] = known(errors.failure[e]);
  }
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

}  // namespace

Refiner::Refiner(const learning::LearnContext& context, const Options& options, const State& state,
                 Journal& journal, std::function<void()> pause)
    : refinement_(context, options, journal, std::move(pause)) {
  refinement_.fit.network = first_network(refinement_, state);
}

void Refiner::start() {
  const bool begun = network().n_causes() > 0;
  refinement_.fit = refinement_.refit(
      network(), begun ? constants::refinement::start_em : constants::refinement::leaks_em);
  has_started_ = true;
}

void Refiner::look_at(std::uint64_t step) {
  refinement_.look_at(step);
  refinement_.fit = refinement_.refit(network(), constants::refinement::more_rows_em);
}

void Refiner::begin(const std::vector<Elected>& elected, int depth, std::uint64_t support) {
  model::NoisyOrNetwork begun = network();
  std::vector<Elected> others;
  for (const Elected& cause : elected) {
    if (cause.support < support) {
      others.push_back(cause);
      continue;
    }
    begun = with(begun, refinement_.names.name(cause, depth), cause.failures);
  }
  refinement_.fit = refinement_.refit(explain_leaks(begun), constants::refinement::sure_causes_em);
  log::verbose("{} causes of {} quartets or more: score {:.1f}", network().n_causes(), support,
               score());
  tidy_edges(refinement_, refinement_.fit, constants::refinement::tidy_rounds);
  drop_causes(refinement_);
  offer(others, depth);
}

void Refiner::begin(const model::LearnedModel& grown) {
  std::vector<model::Cause> causes;
  for (std::size_t u = 0; u < grown.network.n_causes(); ++u) {
    causes.push_back({refinement_.names.fresh("grown"), grown.network.causes()[u].prior});
    refinement_.names.set_origin(causes.back().name, grown.provenance[u]);
  }
  refinement_.fit =
      refinement_.refit({std::move(causes), grown.network.observed(), grown.network.edges()},
                        constants::refinement::sure_causes_em);
  log::verbose("{} causes of the grown network: score {:.1f}", network().n_causes(), score());
}

bool Refiner::offer(const std::vector<Elected>& elected, int depth) {
  return try_causes(refinement_, elected, depth);
}

void Refiner::settle() {
  for (bool again = true; again;) {
    const double before = score();
    tidy_edges(refinement_, refinement_.fit, constants::refinement::tidy_rounds);
    drop_causes(refinement_);
    merge_causes(refinement_);
    split_causes(refinement_);
    share_children(refinement_);
    // Edges may come and go for ever: it goes on as long as the score rises.
    again = score() > before + constants::refinement::least_gain;
    if (!again) again = uncover_parts(refinement_, 0);
  }
  refinement_.fit = refinement_.refit_further(refinement_.fit, constants::refinement::settled_em);
}

model::LearnedModel Refiner::finish() {
  refinement_.state_tolerance = constants::refinement::state_tolerance;
  if (!network().edges().empty()) {
    auto expectation = std::make_shared<const Expectation>(
        expect(refinement_.rows, network(), refinement_.state_tolerance));
    refinement_.prior = empirical_prior(network(), *expectation, refinement_.prior);
    refinement_.fit.expectation = std::move(expectation);
    fit_to_the_end();
  }
  return learned();
}

void Refiner::fit_to_the_end() {
  try {
    refinement_.fit = refinement_.refit_further(refinement_.fit, constants::refinement::last_em);
  } catch (const learning::TimeUp&) {
    refinement_.fit = refinement_.journal.running().value();
  }
}

model::LearnedModel Refiner::learned() const {
  const Fit& fit = refinement_.fit;
  const learning::RowPass& rows = refinement_.rows;
  model::LearnedModel model;
  model.network = {refinement_.names.numbered(fit.network.causes()), fit.network.observed(),
                   fit.network.edges()};
  model.provenance = refinement_.names.provenance(fit.network.causes());
  model.errors = standard_errors(rows, model.network, refinement_.prior);
  model.learner = "quartet";
  model.n_samples = rows.n_rows();
  if (fit.n_truncated > 0) {
    log::warning("{} of {} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(fit.n_truncated)),
                 format_count(rows.n_rows()));
  }
  return model;
}

model::LearnedModel Refiner::finish_early(const std::vector<Elected>& found, int depth) {
  refinement_.journal.clear();  // it may be in the middle of a trial
  refinement_.rows = *refinement_.context.rows;
  refinement_.fit.expectation.reset();  // it may be of fewer rows
  model::NoisyOrNetwork with_found = network();
  for (const Elected& cause : found) {
    with_found = with(with_found, refinement_.names.name(cause, depth), cause.failures);
  }
  if (!found.empty()) {
    refinement_.fit.network = refinement_.rules.conform(explain_leaks(with_found));
  }
  if (!network().edges().empty()) fit_to_the_end();
  return learned();
}

void Refiner::into(State& state) const { write_into(state, refinement_); }

}  // namespace orrery::quartet
