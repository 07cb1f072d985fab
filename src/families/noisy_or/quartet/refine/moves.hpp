// The moves of a refinement (refiner.hpp says when each is worth a try).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "families/noisy_or/quartet/refine/refinement.hpp"

namespace orrery::quartet {

// Edges: a likelihood ratio each, or a score test; one pass for all (edge_moves.cpp).

/// Drops and adds edges of `fit` in at most so many rounds, with EM after each; and causes that
/// have lost their children. `fit` is whole at every moment. Collective.
void tidy_edges(const Refinement& refinement, Fit& fit, int rounds);

// A trial of another network: EM with and without a move, and the better score stays
// (edge_moves.cpp).

/// `network` instead of the fit at hand, if it is better once EM and its edges have settled; true
/// if it was taken. `move` and `causes` (of the present network) say what was done. Collective.
bool try_network(Refinement& refinement, const char* move,
                 std::initializer_list<std::size_t> causes, model::NoisyOrNetwork network);

// Whole causes that the network has, each a trial (cause_moves.cpp).

/// Drops each cause that the others can replace. Collective, as all that follows.
void drop_causes(Refinement& refinement);
/// Merges two causes that come together more often than chance has it.
void merge_causes(Refinement& refinement);
/// Gives one cause the children of another one that comes with it.
void share_children(Refinement& refinement);

// Causes that a search offers to the network, each a trial (cause_moves.cpp).

/// Takes the cause if the network is better with it; true if it was taken. Collective.
bool try_cause(Refinement& refinement, const Elected& elected, int depth);
/// Tries each; true if one was taken. Collective.
bool try_causes(Refinement& refinement, const std::vector<Elected>& elected, int depth);

// Causes that stand for several, each a trial (part_moves.cpp).

/// Tries the clearest splits, until one is taken. Collective.
void split_causes(Refinement& refinement);
/// Tries what hides behind each cause and behind the leaks in the rows attributed to them; true if
/// one was taken. Collective.
bool uncover_parts(Refinement& refinement, int depth);

}  // namespace orrery::quartet
