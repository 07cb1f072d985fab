// What is found of rows of categories. It has the form of other networks' answers
// (store/posterior.hpp), each state of a cause in the place of a cause; an explanation is a joint
// state, one state of each cause.
#pragma once

#include <cstdint>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_inference.hpp"
#include "orrery/store/posterior.hpp"

namespace orrery::cli {

struct AnswerSettings {
  double min_posterior = 0;  ///< of a state that is listed
  std::uint32_t top = 1;     ///< joint states a row
};

/// Of rows [first, last), in order, shared by threads. Memory: beside the answers some tens of
/// bytes a joint state and thread.
[[nodiscard]] store::PosteriorRows answer_rows(const model::CategoricalInference& inference,
                                               const data::CategoricalTable& table,
                                               std::uint64_t first, std::uint64_t last,
                                               const AnswerSettings& settings, int threads);

}  // namespace orrery::cli
