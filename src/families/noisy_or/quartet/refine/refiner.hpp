// Refinement: from elected causes to the network that explains the rows best.
//
// The score is the log posterior less a penalty per cause and per edge (em.hpp). Moves:
//   edges    drop one where the exact likelihood ratio is less than it costs; add one where the
//            score test (slope^2 / 2 variance, Rao 1948) promises more than it costs
//            (edge_moves.cpp)
//   causes   drop one that the others can replace, merge two that come together, add an offered
//            one (cause_moves.cpp), split one whose children fall into two parts or that another
//            one hides behind (part_moves.cpp)
// Every move but the obvious ones (an edge or cause whose removal gains with all else as it is) is
// tried: EM with and without it, the better score stays (try_network in moves.hpp).
//
// Cost: a trial some 20 passes over the rows (expectation.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "families/noisy_or/quartet/refine/refinement.hpp"
#include "families/noisy_or/quartet/state.hpp"

namespace orrery::quartet {

/// The sequence of moves of a round.
class Refiner {
 public:
  /// Begins with the causes of `state`, or if there are none with the known parts of the context.
  /// `journal` has what a refinement that was stopped came to. `pause` is called where the work may
  /// be given up (by an exception; the network is whole then). Collective, as all that follows.
  Refiner(const learning::LearnContext& context, const Options& options, const State& state,
          Journal& journal, std::function<void()> pause);

  /// A first EM of what there is.
  void start();

  /// Looks at every `step`-th block of rows only, or (1) at all.
  void look_at(std::uint64_t step);
  /// Takes all at once those that `support` quartets or more agree on; the others are offered.
  void begin(const std::vector<Elected>& elected, int depth, std::uint64_t support);
  /// Begins with the causes of a grown network, which counts as one of independent causes.
  void begin(const model::LearnedModel& grown);
  /// Tries each; true if one was taken.
  bool offer(const std::vector<Elected>& elected, int depth);
  /// Edges and causes, until nothing changes.
  void settle();
  /// Failures' prior from the failures themselves (empirical Bayes), EM to the end (or until the
  /// time is over), standard errors.
  model::LearnedModel finish();
  /// What there is when the time is over in the middle of a move, with EM on all rows for the grace
  /// and the prior as it was; with the causes `found` meanwhile, untested.
  model::LearnedModel finish_early(const std::vector<Elected>& found, int depth);
  /// What the next round is to subtract.
  void into(State& state) const;

  [[nodiscard]] const model::NoisyOrNetwork& network() const { return refinement_.fit.network; }
  /// Those looked at.
  [[nodiscard]] const learning::RowPass& rows() const { return refinement_.rows; }
  [[nodiscard]] double score() const { return refinement_.score(); }
  [[nodiscard]] double log_likelihood() const { return refinement_.fit.log_likelihood; }
  /// There is a score.
  [[nodiscard]] bool has_started() const { return has_started_; }

 private:
  void fit_to_the_end();
  [[nodiscard]] model::LearnedModel learned() const;

  Refinement refinement_;
  bool has_started_ = false;
};

}  // namespace orrery::quartet
