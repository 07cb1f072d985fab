// What is told of a categorical network beside the true one, and of data; sections of a sheet, for
// `evaluate` and the page.
#pragma once

#include <optional>

#include "families/categorical/scores/scores.hpp"
#include "orrery/model/categorical_network.hpp"
#include "report/sheet.hpp"

namespace orrery::categorical {

void add_truth(report::Sheet& sheet, const CategoricalScores& scores,
               const model::CategoricalNetwork& learned, const model::CategoricalNetwork& truth);

/// Log-likelihoods per row, nats, of the values that are there.
struct CategoricalDataScores {
  bool held_out = true;  ///< false: the very samples that the model was learned from
  CategoricalLikelihood model;
  std::optional<CategoricalLikelihood> independent;  ///< the model's frequencies alone
  std::optional<CategoricalLikelihood> truth;
};
void add_data(report::Sheet& sheet, const CategoricalDataScores& scores);

}  // namespace orrery::categorical
