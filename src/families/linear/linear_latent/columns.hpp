// ALGORITHM 1, steps 3 to 11: k independent sparse vectors of Col(L), the columns of A.
//
// The columns of A are the sparsest vectors of Col(L) (Theorem 3.1). The paper solves a program for
// each variable and takes any k independent solutions, which is right under the conditions of
// Theorem 3.2 and with exact moments. Here, since these conditions need not hold and L has sampling
// errors:
//  1. of solutions that are alike the sparsest is kept, by its score, and made sparser
//     (sparse_vectors.hpp): compared is what Theorem 3.1 speaks of, not |s|_1;
//  2. by rising score, each that is not in the span of those chosen already is chosen;
//  3. with these, new programs are started: for each column, c dual to it (what the other columns
//     do not have), also with random weights, and sums of two variables' c; a solution with a lower
//     score takes its place. Rounds end when three to ten in a row change nothing.
// `polish` off: the paper's n programs alone, sparse solutions first. `in_order` too: ALGORITHM 1
// to the letter, whose steps 6 to 10 take any k independent solutions: in the order of the
// variables.
//
// Cost: n programs, some thirty for each cluster of their solutions, and 3k with as many in each
// round.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "families/linear/linear_latent/sparse_vectors.hpp"

namespace orrery::linear_latent {

/// k x k: column j of A is B w_j up to its scale.
/// Throws InputError naming the program's variable if one of the n has no solution, and if the
/// solutions do not span Col(B). Collective.
[[nodiscard]] Eigen::MatrixXd find_columns(const ColumnSearch& search, const Workers& workers,
                                           const std::vector<std::string>& names);

}  // namespace orrery::linear_latent
