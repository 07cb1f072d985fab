// From data to a fixed point with many starts: the search around expectation propagation.
//
// The fixed point that a random start leads to is mostly a poor one: two causes share the children
// of one, another cause stands for two; and a variable whose theta_i was learned under the wrong
// parents cannot leave them. So a start
//   1. clusters the variables into more clusters than causes, learns a single-parent network with a
//      cause for each, and merges the two causes that depend on each other most, until there are
//      K; where that is where the best start came from, it would come to the same end: it is
//      counted as one that agrees, and goes no further;
//   2. learns the network that was asked for from there;
//   3. takes its most probable structure for certain, reconsiders each variable's parents alone
//      (evidence.hpp), moves those that are better off elsewhere, and goes on until none
//      is.
// The best evidence of all starts wins; it is of a structure, and so can be compared. From there
// the posterior is inferred (network.cpp). None of this changes what a fixed point is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/options.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// How far a start is that is under way: its clusters are merged down to so many causes.
struct Begun {
  std::uint64_t n_causes = 0;  ///< 0: it is not begun
  std::uint64_t n_sweeps = 0;  ///< so far
  Start start;                 ///< states of this rank's rows
};

/// What is kept of the starts that are over: the best one's structure and causes, from which the
/// posterior is inferred anew. So a run that was stopped goes on with the same numbers.
struct BestStart {
  std::uint64_t n_done = 0;
  std::uint64_t n_agreeing = 0;  ///< of them at the best evidence
  std::uint64_t number = 0;      ///< of the best one, from 0 on: --start random repeats it
  double log_evidence = -std::numeric_limits<double>::infinity();
  Start start;   ///< states of this rank's rows
  Start merged;  ///< what its merges led to, a single-parent network
  Begun begun;   ///< the start that is under way
};

/// True if no more starts are to be made: all are over, or enough of them agree.
[[nodiscard]] bool is_over(const BestStart& best, const Options& options, std::size_t n_causes);

/// True if two single-parent networks of as many causes are much the same but for the numbers of
/// causes and states: each cause has the same state in 98 % of the rows, and nine of ten variables
/// have the same cause (half of them where the network asked for has two parents a variable: either
/// may be the single one). Cost: N K^2. Collective.
[[nodiscard]] bool are_alike(const Start& a, const Start& b, const WeightedRows& observed,
                             const learning::RowShare& rows, const Options& options);

/// Called after each start but the last; may throw to end the run.
using AfterStart = std::function<void(const BestStart& best)>;

/// Runs the starts that are left, or until `go_on` (if set) says that the time is over: then the
/// start that is under way is brought to a hurried end. Collective.
void run_starts(const WeightedRows& observed, const learning::RowShare& rows, std::size_t n_causes,
                const Options& options, BestStart& best, const AfterStart& after,
                const std::function<bool()>& go_on = {});

/// From the best start to a network that others can use (network.cpp): the posterior of all
/// structures that expectation propagation has from there, its most probable network (section 5),
/// and other likely parents of single variables.
[[nodiscard]] model::LearnedCategorical infer_network(const WeightedRows& observed,
                                                      const learning::RowShare& rows,
                                                      std::size_t n_causes, const Options& options,
                                                      const BestStart& best,
                                                      const std::function<bool()>& go_on = {});

/// The best start's network alone, to predict rows with: its parents taken for certain. No
/// posterior is inferred, which takes most sweeps where the number of causes is not that of the
/// data. Collective.
[[nodiscard]] model::CategoricalNetwork network_of_start(
    const WeightedRows& observed, const learning::RowShare& rows, std::size_t n_causes,
    const Options& options, const BestStart& best, const std::function<bool()>& go_on = {});

}  // namespace orrery::structural_ep
