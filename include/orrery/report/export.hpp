// A model in the formats of other tools.
#pragma once

#include <string>

#include "orrery/model/any_model_fwd.hpp"

namespace orrery::report {

/// "json" (orrery-network-1), "csv" (cause,prior,observed,leak,failure, standard errors, support,
/// stability, anchor: a row per edge), "dot" (Graphviz), "graphml" (both with the edges among
/// causes), "bif" (Bayesian interchange format; full conditional tables, at most 16 parents per
/// variable: beyond that UsageError names the variable), "anchors" (the CSV that `learn anchored
/// --anchors` reads; UsageError without anchors).
/// UsageError for others.
std::string export_model(const model::LearnedModel& model, const std::string& format);
/// A tree in the same formats: "json" (orrery-tree-1), "csv" (a,b,moment,correlation,mean_a,mean_b,
/// moment_error: an edge a row), "dot", "graphml", "bif" (hidden and observed signs).
std::string export_tree(const model::LearnedTree& learned, const std::string& format);
/// A linear network: "json" (orrery-linear-1), "csv" (cause,observed,loading,loading_error: an edge
/// a row), "dot", "graphml" (causes, couplings and levels too); UsageError for "bif".
std::string export_linear(const model::LearnedLinear& learned, const std::string& format);
/// A categorical network: "json" (orrery-categorical-1), "csv" (an entry of its tables a row),
/// "dot".
std::string export_categorical(const model::LearnedCategorical& learned, const std::string& format);
/// Of any family.
std::string export_any(const model::AnyModel& model, const std::string& format);

}  // namespace orrery::report
