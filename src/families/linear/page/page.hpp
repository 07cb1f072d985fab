// A learned linear network for people: one self-contained HTML page with its loading matrix and the
// graph of its causes.
#pragma once

#include <string>

#include "families/linear/scores/scores.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear {

struct LinearReportInput {
  const model::LearnedLinear* model = nullptr;
  std::string title;                            ///< of the page; escaped
  std::string source;                           ///< where the model came from; escaped
  const model::LinearNetwork* truth = nullptr;  ///< optional: the model's variables in their order
  const LinearScores* scores = nullptr;         ///< given iff truth is
};

std::string linear_html_report(const LinearReportInput& input);

}  // namespace orrery::linear
