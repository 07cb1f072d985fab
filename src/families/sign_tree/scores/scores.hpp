// How a learned tree compares with the true one, and what data say of it; and what is told of it:
// sections of a sheet, for `evaluate` and the page.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/sign_tree/scores/triple_distance.hpp"
#include "model/tree_moments.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/sheet.hpp"

namespace orrery::sign_tree {

/// The place among `names` of each of the tree's variables: by name if both have the same set, else
/// by position. Throws InputError naming `source` if the numbers differ.
std::vector<std::size_t> align_variables(const model::SignTree& tree,
                                         const std::vector<std::string>& names,
                                         const std::string& source);
/// The tree with variable i at places[i] and of that name; errors of edges follow their edges.
model::LearnedTree moved_variables(const model::LearnedTree& learned,
                                   const std::vector<std::size_t>& places,
                                   const std::vector<std::string>& names);

struct TreeScores {
  using Ends = std::array<std::uint32_t, 2>;
  std::size_t n_true_edges = 0;
  std::size_t n_learned_edges = 0;
  std::vector<Ends> missing;        ///< true edges that were not learned
  std::vector<Ends> wrong;          ///< learned edges that are not true
  double largest_moment_error = 0;  ///< over edges that both have
  model::PairDistance small_set;    ///< L^(2) of Eq. (14)
  double kl_from_truth = 0;         ///< KL(truth || learned), nats
  double kl_to_truth = 0;           ///< KL(learned || truth), nats
  /// Their sum by Eq. (33), from interaction parameters; none: means are not 0.
  std::optional<double> symmetric_kl_by_interactions;
  std::optional<TripleDistance> triples;  ///< L^(3) of Eq. (14), if it was asked for
  /// True moments within 95 % intervals of the edges that both have; of none, if no errors are
  /// known.
  std::size_t n_covered = 0;
  std::size_t n_with_error = 0;

  /// The edges are right up to exchanges of a leaf and its neighbour: no more can be told where the
  /// noise of the variables differs (unequal_noise.hpp).
  bool exact_up_to_leaves = false;

  [[nodiscard]] bool exact() const noexcept { return missing.empty() && wrong.empty(); }
};
/// Of the hidden signs; variables are taken in their order (moved_variables).
TreeScores score_tree(const model::LearnedTree& learned, const model::SignTree& truth);
/// Of the edges alone: exchanges of a leaf and its neighbour turn one tree into the other. O(p log
/// p).
bool same_up_to_leaves(const model::SignTree& one, const model::SignTree& other);
/// Eq. (33), of trees with means of 0: the sum over the edges of both of (theta - theta') (mu -
/// mu'), theta = atanh mu of an edge and 0 of a pair that is none. O(p log p).
double symmetric_kl_by_interactions(const model::SignTree& one, const model::SignTree& other);

void add_truth(report::Sheet& sheet, const TreeScores& scores, const model::SignTree& learned);

struct TreeDataScores {
  std::uint64_t n_rows = 0;
  bool held_out = true;  ///< false: the very samples that the tree was learned from
  double model = 0;      ///< mean log-likelihood per row, nats
  std::optional<double> truth, chow_liu, independent;
};
void add_data(report::Sheet& sheet, const TreeDataScores& scores);

/// A moment of the learned tree, and of the true one.
struct Moment {
  std::vector<std::uint32_t> set;
  double hidden = 0, noisy = 0;
  std::optional<double> true_hidden;
  std::optional<double> bound;  ///< of |hidden - true|: by L^(2) with a truth, else by edge errors
};
void add_moment(report::Sheet& sheet, const Moment& moment, const model::SignTree& learned);

}  // namespace orrery::sign_tree
