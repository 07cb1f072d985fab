// A learned categorical network for people: one self-contained HTML page with the posterior of its
// structure above the sorted data (Lazic, Bishop, Winn 2013, Figures 6 and 7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "families/categorical/scores/scores.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::categorical {

struct CategoricalReportInput {
  const model::LearnedCategorical* model = nullptr;
  std::string title;                                 ///< of the page; escaped
  std::string source;                                ///< where the model came from; escaped
  const model::CategoricalNetwork* truth = nullptr;  ///< optional; with the model's variables
  const CategoricalScores* scores = nullptr;         ///< given iff truth is
  /// Optional: columns and codes are those of the model's variables.
  const data::CategoricalTable* data = nullptr;
  std::vector<std::uint8_t> states;  ///< with data: n_rows x K, the most probable of each cause
  const CategoricalLikelihood* likelihood = nullptr;  ///< optional: of the data
  bool held_out = true;  ///< false: the very samples that the model was learned from
};

std::string categorical_html_report(const CategoricalReportInput& input);

}  // namespace orrery::categorical
