// From data to a fixed point with many starts: the search around expectation propagation.
//
// The fixed point that a random start leads to is mostly a poor one: two causes share the children
// of one, another cause stands for two; and a variable whose theta_i was learned under the wrong
// parents cannot leave them. So a start
//   1. clusters the variables into more clusters than causes (clusters.hpp), learns a single-parent
//      network with a cause for each, and merges the two causes that depend on each other most,
//      until there are K;
//   2. learns the network that was asked for from there;
//   3. takes its most probable structure for certain, reconsiders each variable's parents alone
//      (restructure.cpp), moves those that are better off elsewhere, and goes on until none is.
// The best evidence of all starts wins; it is of a structure, and so can be compared. From there
// the posterior is inferred (fit.hpp). None of this changes what a fixed point is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "families/categorical/structural_ep/inference.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

struct SearchOptions {
  std::size_t n_causes = 3;
  std::size_t cardinality = 2;
  std::size_t max_parents = 1;
  double prior = 1;  ///< Dirichlet count
  double damping = .5;
  std::size_t extra = 3;        ///< causes to begin with beyond K
  std::size_t max_rounds = 10;  ///< of step 3
  std::uint64_t seed = 1;
  std::function<bool()> go_on;  ///< IterateOptions::go_on; once it is false what is left is hurried
};

/// How far a start is that is under way: its clusters are merged down to so many causes.
struct Begun {
  std::uint64_t n_causes = 0;  ///< 0: it is not begun
  std::uint64_t n_sweeps = 0;  ///< so far
  Start start;                 ///< states of this rank's rows
};

struct Found {
  std::unique_ptr<Inference> inference;
  double log_evidence = 0;
  std::size_t n_sweeps = 0;
};

/// One start; `number` 0 takes the clusters as they are, others disturb them. The closed-form
/// projection is used: it is a search. Goes on from `begun`, and keeps it up to date, so that what
/// options.go_on keeps of it spares the merges that are done. Collective.
[[nodiscard]] Found search_once(const data::CategoricalTable& table, const learning::RowShare& rows,
                                const std::vector<double>& information,
                                const SearchOptions& options, std::uint64_t number, Begun& begun);

/// Of a network of that many causes for a table.
[[nodiscard]] Shape shape_of(const data::CategoricalTable& table, std::size_t n_causes,
                             std::size_t cardinality, std::size_t max_parents);

/// Step 3. Returns the log evidence; counts sweeps. `options`: of each run to a fixed point.
double improve(Inference& inference, const IterateOptions& options, std::size_t max_rounds,
               std::size_t& n_sweeps);

}  // namespace orrery::structural_ep
