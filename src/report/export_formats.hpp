// The writers behind export_model, one a format.
#pragma once

#include <string>

#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::report {

/// A row per edge: cause,prior,observed,leak,failure, then standard errors, support and stability,
/// empty where they are not known, and, of a network with anchors, anchor (1: the variable is the
/// cause's) (RFC 4180; numbers with round-trip precision).
std::string to_csv(const model::LearnedModel& model);
/// Graphviz: causes as ellipses in the upper rank, observed variables as boxes in the lower one,
/// anchors with two borders; edges among causes are green where the two go together, red and dashed
/// where one keeps the other away, and as wide as they correlate.
std::string to_dot(const model::LearnedModel& model);
/// GraphML with typed data keys.
std::string to_graphml(const model::LearnedModel& model);
/// Bayesian interchange format: full conditional tables of the states off, on.
std::string to_bif(const model::LearnedModel& model);
/// cause,column,off,on: a row per anchor, as `learn anchored --anchors` reads it; the columns of a
/// union are joined by semicolons. Throws UsageError for a column's name that holds one, and for a
/// network without anchors.
std::string to_anchors(const model::LearnedModel& learned);

/// The same of a tree: the hidden signs.
/// An edge a row: a,b,moment,correlation,mean_a,mean_b,moment_error. A variable without an edge has
/// a row with b empty.
std::string tree_to_csv(const model::LearnedTree& learned);
/// Graphviz, undirected: negative edges are red and dashed, strong ones thick.
std::string tree_to_dot(const model::LearnedTree& learned);
std::string tree_to_graphml(const model::LearnedTree& learned);
/// Tables of each hidden sign given its parent, and of each observed sign given the hidden one.
std::string tree_to_bif(const model::LearnedTree& learned);

/// The same of a linear network.
/// An edge a row: cause,observed,loading,loading_error (empty where it is not known).
std::string linear_to_csv(const model::LearnedLinear& learned);
/// Graphviz: hidden variables as ellipses, observed ones as boxes; negative numbers are red and
/// dashed. Covariances of the highest level are lines without heads.
std::string linear_to_dot(const model::LearnedLinear& learned);
std::string linear_to_graphml(const model::LearnedLinear& learned);

/// The same of a categorical network.
/// An entry of the tables a row: observed, "state of CAUSE" of every cause (empty: no parent),
/// category,probability,count (Dirichlet pseudocounts, empty where they are not known).
std::string categorical_to_csv(const model::LearnedCategorical& learned);
/// Graphviz: as to_dot; edges are as thick as they are probable, where that is known.
std::string categorical_to_dot(const model::LearnedCategorical& learned);

}  // namespace orrery::report
