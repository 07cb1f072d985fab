// A learned anchored network for people: one self-contained HTML page with the graph of its causes
// (Halpern, Horng, Sontag 2015, Fig. 3) and what each cause brings (Table 2).
#pragma once

#include <string>

#include "families/noisy_or/scores/anchored_scores.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

struct AnchoredReportInput {
  const model::LearnedModel* model = nullptr;
  std::string title;                             ///< of the page; escaped
  std::string source;                            ///< where the model came from; escaped
  const model::NoisyOrNetwork* truth = nullptr;  ///< optional
  const AnchoredScores* scores = nullptr;        ///< given iff truth is
};

std::string anchored_html_report(const AnchoredReportInput& input);

}  // namespace orrery::noisy_or
