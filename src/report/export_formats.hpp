// The writers behind export_model, one a format.
#pragma once

#include <string>

#include "orrery/model/learned_model.hpp"

namespace orrery::report {

/// An edge a row: cause,prior,observed,leak,failure, then standard errors, support and stability,
/// empty where they are not known (RFC 4180; numbers with round-trip precision).
std::string to_csv(const model::LearnedModel& model);
/// Graphviz: causes as ellipses in the upper rank, observed variables as boxes in the lower one.
std::string to_dot(const model::LearnedModel& model);
/// GraphML with typed data keys.
std::string to_graphml(const model::LearnedModel& model);
/// Bayesian interchange format: full conditional tables of the states off, on.
std::string to_bif(const model::LearnedModel& model);

}  // namespace orrery::report
