// Refinement: from elected causes to the network that explains the rows best.
//
// The score is the log posterior less a penalty per cause and per edge (em.hpp). Moves:
//   edges    drop one where the exact likelihood ratio is less than it costs; add one where the
//            score test (slope^2 / 2 variance, Rao 1948) promises more than it costs
//   causes   drop one that the others can replace, merge two that come together, split one whose
//            children fall into two parts, add an offered one
// Every move but the obvious ones (an edge or cause whose removal gains with all else as it is) is
// tried: EM with and without it, the better score stays.
//
// Cost: a trial some 20 passes over the rows (expectation.hpp).
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/constraints.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/refine/refine_journal.hpp"
#include "families/noisy_or/quartet/signatures/cause_parts.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

/// A move that gains less, nats, leads to the same network a little further on its way.
inline constexpr double least_gain = .5;

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

  [[nodiscard]] const model::NoisyOrNetwork& network() const { return fit_.network; }
  /// Those looked at.
  [[nodiscard]] const learning::RowPass& rows() const { return rows_; }
  [[nodiscard]] double score() const { return quartet::score(fit_, penalty_); }
  [[nodiscard]] double log_likelihood() const { return fit_.log_likelihood; }
  /// There is a score.
  [[nodiscard]] bool has_started() const { return has_started_; }

 private:
  using NamedEdges = std::set<std::pair<std::string, std::uint32_t>>;  // of a cause and a variable
  struct Split;

  void fit_to_the_end();
  [[nodiscard]] model::LearnedModel learned() const;
  Fit refit(model::NoisyOrNetwork network, int iterations, double tolerance) const;
  const EdgeTests& tests_of(Fit& fit) const;
  /// Drops and adds edges of `fit`, a few rounds.
  void tidy_edges(Fit& fit, int rounds);
  [[nodiscard]] std::vector<std::size_t> idle_edges(const Fit& fit, const EdgeTests& tests) const;
  [[nodiscard]] std::vector<model::Edge> missing_edges(const Fit& fit, const EdgeTests& tests,
                                                       const NamedEdges& dropped) const;
  void drop_childless(Fit& fit) const;
  void drop_causes();
  [[nodiscard]] model::NoisyOrNetwork dissolve(std::size_t cause, const EdgeTests& tests) const;
  [[nodiscard]] double lift(const EdgeTests& tests, std::size_t u, std::size_t v) const;
  void merge_causes();
  void split_causes();
  [[nodiscard]] std::vector<Split> promising_splits() const;
  bool try_split(const Split& split);
  /// Tries what hides behind each cause and behind the leaks in the rows attributed to them; true
  /// if one was taken.
  bool uncover_parts(int depth);
  bool try_part(const model::Cause& whole, const Part& part, int depth);
  void share_children();
  /// `network` instead, if it is better once EM and its edges have settled. `move` and `causes` (of
  /// the present network) say what was done.
  bool try_network(const char* move, std::initializer_list<std::size_t> causes,
                   model::NoisyOrNetwork network);
  bool try_cause(const Elected& elected, int depth);
  /// No known cause has it: rules are by name.
  std::string fresh_name(const char* origin);
  model::Cause name_cause(const Elected& elected, int depth);
  [[nodiscard]] model::NoisyOrNetwork first_network(const State& state);
  [[nodiscard]] std::vector<model::Provenance> provenance() const;
  [[nodiscard]] bool is_fixed(std::size_t cause) const {
    return rules_.is_fixed(fit_.network.causes()[cause].name);
  }

  const learning::LearnContext& context_;
  Constraints rules_;
  learning::RowPass rows_;
  Journal& journal_;
  std::function<void()> pause_;
  double alpha_;
  Penalty penalty_;
  FailurePrior prior_;
  double state_tolerance_ = trial_tolerance;
  bool has_started_ = false;
  Fit fit_;
  std::map<std::string, model::Provenance> origin_;  // by name
  std::set<std::string> failed_;                     // moves that were tried in vain
  int n_named_ = 0;
};

/// Three variables that depend on each other beyond `learned`, though no fourth does: the seeds of
/// causes with three children, which no quartet can find (z of the triple's log cumulant above 4).
/// The most significant first, each with the variables that agree with it. Collective.
std::vector<Elected> residual_triples(const learning::LearnContext& context,
                                      const moments::Subtraction& learned, double alpha);

/// Variables whose leaks come together: seeds of causes that the others hide from the moments.
/// `moments` say which are observed together. Collective.
std::vector<Elected> leaking_together(const learning::RowPass& rows,
                                      const moments::MomentSource& moments,
                                      const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
