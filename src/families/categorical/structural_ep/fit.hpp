// One number of causes on one table: starts one after the other, then the posterior of the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "families/categorical/structural_ep/options.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// What is kept of the starts that are over: the best one's structure and causes, from which the
/// posterior is inferred anew. So a run that was stopped goes on with the same numbers.
struct BestStart {
  std::uint64_t n_done = 0;
  std::uint64_t n_agreeing = 0;  ///< of them at the best evidence
  double log_evidence = -std::numeric_limits<double>::infinity();
  Start start;  ///< states of this rank's rows
  Begun begun;  ///< the start that is under way
};

/// True if no more starts are to be made: all are over, or enough of them agree.
[[nodiscard]] bool is_over(const BestStart& best, const Options& options, std::size_t n_causes);

/// Called after each start but the last; may throw to end the run.
using AfterStart = std::function<void(const BestStart& best)>;

/// Runs the starts that are left, or until `go_on` (if set) says that the time is over: then the
/// start that is under way is brought to a hurried end. Collective.
void run_starts(const data::CategoricalTable& table, const learning::RowShare& rows,
                std::size_t n_causes, const Options& options, BestStart& best,
                const AfterStart& after, const std::function<bool()>& go_on = {});

/// The posterior that expectation propagation has from there, its most probable network (section
/// 5), and other likely parents of single variables.
[[nodiscard]] model::LearnedCategorical infer_network(const data::CategoricalTable& table,
                                                      const learning::RowShare& rows,
                                                      std::size_t n_causes, const Options& options,
                                                      const BestStart& best,
                                                      const std::function<bool()>& go_on = {});

}  // namespace orrery::structural_ep
