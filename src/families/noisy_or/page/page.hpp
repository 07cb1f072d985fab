// Pictures of a model for people: one self-contained HTML page, opens without a network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"

namespace orrery::noisy_or {

/// "8x8" -> {8, 8}. Throws UsageError.
report::Grid parse_grid(const std::string& text);

struct ReportInput {
  const model::LearnedModel* model = nullptr;
  std::string title;                             ///< of the page; escaped
  report::Colophon colophon;                     ///< where the model came from
  const model::NoisyOrNetwork* truth = nullptr;  ///< optional
  const Evaluation* evaluation = nullptr;        ///< given iff truth is
  const DataScores* scores = nullptr;            ///< optional
  std::optional<report::Grid> grid;
};

/// The page. With a grid: each cause an image (shade = 1 - f), true beside learned, sorted by depth
/// as in the paper's Figure 3. Without: a bipartite heat map (causes x observed). Throws UsageError
/// if the grid does not have as many pixels as the model has observed variables.
std::string html_report(const ReportInput& input);

}  // namespace orrery::noisy_or
