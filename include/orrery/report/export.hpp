// A model in the formats of other tools.
#pragma once

#include <string>

#include "orrery/model/learned_model.hpp"

namespace orrery::report {

/// "json" (orrery-network-1), "csv" (cause,prior,observed,leak,failure, standard errors, support,
/// stability: an edge a row), "dot" (Graphviz), "graphml", "bif" (Bayesian interchange format; full
/// conditional tables, at most 16 parents a variable: beyond that UsageError names the variable).
/// UsageError for others.
std::string export_model(const model::LearnedModel& model, const std::string& format);

}  // namespace orrery::report
