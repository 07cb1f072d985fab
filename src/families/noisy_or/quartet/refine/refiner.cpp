#include "families/noisy_or/quartet/refine/refiner.hpp"

#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/cause_moves.hpp"
#include "families/noisy_or/quartet/refine/cause_offers.hpp"
#include "families/noisy_or/quartet/refine/cause_splits.hpp"
#include "families/noisy_or/quartet/refine/edge_moves.hpp"
#include "families/noisy_or/quartet/refine/empirical_prior.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/refine/hidden_part_moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/refined_state.hpp"

namespace orrery::quartet {

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
  refinement_.fit = refinement_.refit(network(), constants::refinement::settled_em);
}

model::LearnedModel Refiner::finish() {
  refinement_.state_tolerance = constants::refinement::state_tolerance;
  if (!network().edges().empty()) {
    refinement_.prior =
        empirical_prior(network(), expect(refinement_.rows, network(), refinement_.state_tolerance),
                        refinement_.prior);
    fit_to_the_end();
  }
  return learned();
}

void Refiner::fit_to_the_end() {
  try {
    refinement_.fit = refinement_.refit(network(), constants::refinement::last_em);
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
