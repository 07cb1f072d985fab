// Rows of an anchored network: causes that depend on one another.
#pragma once

#include <memory>

#include "families/noisy_or/inference_run.hpp"
#include "families/noisy_or/row_family.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// `network` must outlive it.
std::unique_ptr<RowFamily> anchored_rows(const model::NoisyOrNetwork& network,
                                         const model::InferenceOptions& options);

/// The columns of the data by name, unions of several among them. Columns that the model has not
/// are warned of. Throws InputError naming those that the data lack.
family::MatchedRows match_anchored(const model::NoisyOrNetwork& network,
                                   const std::vector<std::string>& columns,
                                   const std::string& data_source, const std::string& model_source);

}  // namespace orrery::noisy_or
