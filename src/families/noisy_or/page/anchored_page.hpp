// A learned anchored network for people: one self-contained HTML page with the graph of its causes
// (Halpern, Horng, Sontag 2015, Fig. 3) and what each cause brings (Table 2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/anchored_scores.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/page.hpp"

namespace orrery::noisy_or {

struct AnchoredReportInput {
  const model::LearnedModel* model = nullptr;
  std::string title;                             ///< of the page; escaped
  report::Colophon colophon;                     ///< where the model came from
  const model::NoisyOrNetwork* truth = nullptr;  ///< optional
  const AnchoredScores* scores = nullptr;        ///< given iff truth is
};

std::string anchored_html_report(const AnchoredReportInput& input);

// What the sections of an anchored network's page share, and the sections.

struct AnchoredView {
  const AnchoredReportInput* input = nullptr;
  const model::LearnedModel* learned = nullptr;
  CauseEdges edges;
  std::vector<std::int64_t> true_cause;  ///< of each learned cause; -1, or no truth: none
  std::vector<std::string> titles;       ///< of the learned causes

  [[nodiscard]] const model::NoisyOrNetwork& network() const { return learned->network; }
  [[nodiscard]] const std::string& cause_name(std::size_t cause) const { return titles[cause]; }
  [[nodiscard]] const model::NoisyOrNetwork& truth() const { return *input->truth; }
};
report::Verdict verdict_of(const AnchoredView& view);
AnchoredView view_anchored(const AnchoredReportInput& input);

/// "0.82 ± 0.01"; without its error where that is 0, not known, or `errors` is empty.
std::string with_error(double value, double error);
std::string with_error(double value, const std::vector<double>& errors, std::size_t index);

// Sections are HTML.
/// The causes as a graph; of many causes a table alone.
std::string cause_graph_section(const AnchoredView& view);
/// The edges among causes, the strongest first.
std::string cause_edges_section(const AnchoredView& view);
/// A line per cause: its anchors and what it brings most.
std::string anchored_causes_section(const AnchoredView& view);
/// With a truth: in a table, and its failures against those that were learned.
std::string anchored_scores_section(const AnchoredView& view);
std::string failures_section(const AnchoredView& view);

}  // namespace orrery::noisy_or
