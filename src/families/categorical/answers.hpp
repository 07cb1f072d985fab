// What is found of rows of categories. It has the form of other networks' answers
// (store/posterior.hpp), each state of a cause in the place of a cause; an explanation is a joint
// state, one state of each cause.
#pragma once

#include <cstdint>

#include "families/categorical/network/inference.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/data/categorical_table.hpp"
#include "store/posterior.hpp"

namespace orrery::categorical {

/// Of rows [first, last), in order, shared by threads. Memory: beside the answers some tens of
/// bytes a joint state and thread.
[[nodiscard]] store::PosteriorRows answer_rows(const model::CategoricalInference& inference,
                                               const data::CategoricalTable& table,
                                               std::uint64_t first, std::uint64_t last,
                                               const family::PosteriorOptions& settings,
                                               int threads);

}  // namespace orrery::categorical
