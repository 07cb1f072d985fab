// How many causes: the number whose networks predict rows that they were not learned from best.
#pragma once

#include <cstdint>
#include <vector>

#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// The rows of a part, a function of the seed and the row's number alone, or all others.
[[nodiscard]] data::CategoricalTable rows_in_fold(const data::CategoricalTable& table,
                                                  std::uint64_t seed, std::uint32_t n_folds,
                                                  std::uint32_t fold);
[[nodiscard]] data::CategoricalTable rows_outside_fold(const data::CategoricalTable& table,
                                                       std::uint64_t seed, std::uint32_t n_folds,
                                                       std::uint32_t fold);

/// Sums over rows of what they are predicted with, exactly
/// (families/categorical/network/inference.hpp).
struct HeldOut {
  double n = 0;
  double sum = 0;
  double squares = 0;
};
/// Adds the rows of `table`. Collective.
void predict_rows(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
                  const parallel::Team& team, int threads, HeldOut& sums);

/// Of n_causes = first, first + 1, ...
[[nodiscard]] std::vector<model::LearnedCategorical::Choice> choices(
    std::uint32_t first, const std::vector<HeldOut>& sums);

}  // namespace orrery::structural_ep
