// The page of an anchored network: what was learned in a line, the graph of the causes, what each
// brings, and beside a truth what of it was found.
#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>

#include "base/progress.hpp"
#include "families/noisy_or/page/anchored_view.hpp"
#include "report/page.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

std::string summary(const AnchoredView& view) {
  if (view.input->scores == nullptr) {
    return fmt::format("{} of {}", report::count_of(view.network().n_causes(), "cause"),
                       report::count_of(view.network().n_observed(), "variable"));
  }
  const AnchoredScores& scores = *view.input->scores;
  return fmt::format("{} of {} among causes found", format_count(scores.n_common_edges),
                     report::count_of(scores.n_true_edges, "edge"));
}

std::string detail(const AnchoredView& view) {
  const model::LearnedModel& learned = *view.learned;
  std::string out = fmt::format(
      "{}, {}, {}, {}, {} among causes", report::count_of(view.network().n_causes(), "cause"),
      report::count_of(view.network().n_observed(), "variable"),
      report::count_of(learned.network.anchors().size(), "anchor"),
      report::count_of(view.network().edges().size(), "loading"),
      report::count_of(learned.network.cause_network().n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (view.input->scores == nullptr) return out;
  const AnchoredScores& scores = *view.input->scores;
  return out + report::wrong_and_missed(scores.wrong.size(), scores.missing.size());
}

}  // namespace

std::string with_error(double value, double error) {
  if (!(error > 0) || !std::isfinite(error)) return report::short_number(value);
  return fmt::format("{} ± {}", report::short_number(value), report::short_number(error));
}

std::string with_error(double value, const std::vector<double>& errors, std::size_t index) {
  return with_error(value, index < errors.size() ? errors[index] : 0);
}

AnchoredView view_anchored(const AnchoredReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  AnchoredView view;
  view.input = &input;
  view.learned = input.model;
  view.edges = cause_edges(input.model->network.cause_network());
  view.true_cause.assign(input.model->network.n_causes(), -1);
  if (input.scores == nullptr) return view;
  for (std::size_t t = 0; t < input.scores->partner.size(); ++t) {
    const std::int64_t partner = input.scores->partner[t];
    if (partner < 0) continue;
    view.true_cause[static_cast<std::size_t>(partner)] = static_cast<std::int64_t>(t);
  }
  return view;
}

std::string anchored_html_report(const AnchoredReportInput& input) {
  const AnchoredView view = view_anchored(input);
  return report::page_head(input.title, input.source, summary(view), detail(view)) +
         report::remarks_section(view.learned->remarks) + cause_graph_section(view) +
         anchored_causes_section(view) + anchored_scores_section(view) + failures_section(view) +
         cause_edges_section(view) +
         report::page_foot(view.learned->data_digest,
                           "An anchor is a variable that one cause alone switches on.", "");
}

}  // namespace orrery::noisy_or
