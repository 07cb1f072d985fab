// Categorical networks as JSON, "format": "orrery-categorical-1" (README, Formats).
#pragma once

#include <string>

namespace orrery::model {

struct LearnedCategorical;

/// {"format": "orrery-categorical-1",
///  "causes": [{"name", "prior": [of each state]}],
///  "observed": [{"name", "categories": [texts], "parents": [causes, rising],
///                "table": [[of each category], a row a state of the parents]}]}
/// Row j of a table is as categorical_network.hpp says (the first parent's state changes fastest).
/// Names may be left out. Optional, as a learner writes them: counts of an observed variable (as
/// its table); of the whole parent_sets ([[causes]]) with structure (a row a variable, a number a
/// parent set), modes ([{"variable", "parents", "log_evidence"}]), choices ([{"n_causes",
/// "held_out", "error"}]), log_evidence with evidence_kind, remarks, learner, n_samples,
/// data_digest; scores may be null (no number). Numbers have round-trip precision.
[[nodiscard]] std::string categorical_to_json(const LearnedCategorical& learned);
/// Throws InputError naming `source`, the place, the value and the need.
[[nodiscard]] LearnedCategorical categorical_from_json(const std::string& text,
                                                       const std::string& source);

}  // namespace orrery::model
