// infer --explain of categorical networks: which values of a row speak for the states of its
// causes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/categorical/network/inference.hpp"
#include "family/explained_causes.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::categorical {

/// States in the place of causes, values in the place of findings, for what is said of rows.
family::RowWords words_of(const model::CategoricalNetwork& network);

/// The likely states of a row of codes, or those of the cause that is named; one more posterior for
/// each value that is there. Empty if the row is impossible. Throws UsageError for a cause that
/// there is not.
std::vector<family::ExplainedCause> explain_states(const model::CategoricalNetwork& network,
                                                   const model::CategoricalInference& inference,
                                                   const family::ExplainOptions& options,
                                                   std::span<const std::uint8_t> row);

}  // namespace orrery::categorical
