// Pictures of a model for people: one self-contained HTML page, opens without a network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "evaluate/data_scores.hpp"
#include "evaluate/match.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::report {

/// Observed variables as an image: variable r * columns + c is pixel (r, c).
struct Grid {
  std::size_t rows = 0;
  std::size_t columns = 0;
};
/// "8x8" -> {8, 8}. Throws UsageError.
Grid parse_grid(const std::string& text);

struct ReportInput {
  const model::LearnedModel* model = nullptr;
  std::string title;                                 ///< of the page; escaped
  std::string source;                                ///< where the model came from; escaped
  const model::NoisyOrNetwork* truth = nullptr;      ///< optional
  const evaluate::Evaluation* evaluation = nullptr;  ///< given iff truth is
  const evaluate::DataScores* scores = nullptr;      ///< optional
  std::optional<Grid> grid;
};

/// The page. With a grid: each cause an image (shade = 1 - f), true beside learned, sorted by depth
/// as in the paper's Figure 3. Without: a bipartite heat map (causes x observed). Throws UsageError
/// if the grid does not have as many pixels as the model has observed variables.
std::string html_report(const ReportInput& input);

}  // namespace orrery::report
