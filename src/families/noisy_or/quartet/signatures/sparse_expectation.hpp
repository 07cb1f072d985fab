// The E-step for hundreds of causes of thousands of variables, and in the same pass what its rows
// say of edges and causes: which are not needed, and which edges are missing.
//
// Cost: N rows of a SparsePosterior (see there); for each variable that is on and each cause that
// may be present three additions to a table of 24 n m bytes per thread, which is what an all-reduce
// moves when missing edges are asked for: the first to break at 1,000 ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/refine/edge_significance.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/active_rows.hpp"
#include "families/noisy_or/quartet/signatures/attribution.hpp"
#include "families/noisy_or/quartet/signatures/structure_sums.hpp"
#include "learning/row_sums.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::quartet {

struct SparseExpectation {
  Expectation expected;
  std::vector<double> together;  ///< sum_r P(U | row) P(V | row), n x n; empty if not asked for
  std::vector<double> on_with;   ///< an edge: sum of P(U | row) over rows with the variable on
  std::vector<double> without_cause;  ///< log-likelihood ratio without the cause, the rest as it is
  std::vector<MissingEdge> missing;   ///< by variable, the most promising first
  std::vector<Attribution> attributed;  ///< attribute(); empty if not asked for
  std::vector<KeptRows> kept;           ///< by thread, of this rank; empty if not asked for
};

/// What is looked for besides what EM needs: edges that are missing; also what is attributed.
enum class Missing : std::uint8_t { ignore, edges, find };

/// Of many rows unlikely causes are left out, whichever of them are visited.
[[nodiscard]] model::Candidates candidates_of(const learning::RowPass& rows);

/// `least_gain`: of a missing edge; `keep`: rows for steps that look at little of them. Collective.
SparseExpectation expect_sparse(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                                Missing missing, double least_gain = 0, Keep keep = {});

/// What the rows of this rank attribute to each of the causes (rows in which the cause is present),
/// and to the leaks (all rows): n + 1. A pass without the sums of expect_sparse. Collective.
std::vector<Attribution> attribute(const learning::RowPass& rows,
                                   const model::NoisyOrNetwork& network);

/// What `sums` say of the structure of `network`, of which found.expected is known already.
/// Collective.
void add_structure(const parallel::Team& team, const model::NoisyOrNetwork& network,
                   const StructureSums& sums, double least_gain, SparseExpectation& found);

/// Standard errors of the parameters of hundreds of causes (sparse_errors.cpp).
/// Empty where that would take more than most_error_sums. Collective.
model::StandardErrors sparse_standard_errors(const learning::RowPass& rows,
                                             const model::NoisyOrNetwork& network,
                                             const FailurePrior& prior);

}  // namespace orrery::quartet
