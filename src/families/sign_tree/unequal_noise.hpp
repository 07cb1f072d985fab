// Noise that differs between variables: each sign is flipped with a probability of its variable's
// own.
//
// What can be told of such a tree. Let k_v = 1 - 2 q_v. Observed moments are E[Y_i Y_j] = k_i k_j
// E[X_i X_j], and if i - k - j is a path of the tree, E[Y_i Y_k] E[Y_k Y_j] / E[Y_i Y_j] = k_k^2:
// the crossover of every variable with two neighbours or more is told by the data. That of a leaf
// i is not: k_i enters all moments as a product with the moment of its one edge. More than that, a
// leaf i and its neighbour j may change places. Y_j is X_j seen with k_j, and Y_i is X_j seen with
// k_i mu_ij; so the tree in which i stands where j stood, with the crossover (1 - k_i mu_ij) / 2
// (of Y_i or, where mu_ij < 0, of its opposite), and j hangs from i by an edge of moment k_j,
// without noise, gives the same distribution of all that is observed. The trees that noise of
// unknown and unequal size leaves are these: alike up to exchanges of a leaf and its neighbour
// (Katiyar, Shah, Caramanis 2020, "Robust estimation of tree structured Ising models"). Chow-Liu-CC
// does not find even this class: where a variable between others is the noisiest, correlations of
// its neighbours with one another exceed those with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/bit_columns.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::sign_tree {

/// A crossover for each of p variables, uniform on [low, high]; a variable's depends on the seed
/// and its number alone.
std::vector<double> draw_crossovers(std::size_t p, double low, double high, std::uint64_t seed);
/// Flips the signs of rows [first_row, ...): with equal crossovers the same as sample_tree_rows.
void flip_each(data::BitColumns& block, std::span<const double> crossovers, std::uint64_t seed,
               std::uint64_t first_row);
/// The crossover of the tree is their mean, and a remark says so; a remark of earlier noise goes.
void describe_noise(std::span<const double> crossovers, model::LearnedTree& learned);

}  // namespace orrery::sign_tree
