// A known truth: how much of it was found, by either criterion; of many causes also by their priors
// and by the strengths of their edges.
#include <fmt/format.h>

#include <string>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/noisy_or/page/view.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

std::string of_text(std::size_t hits, std::size_t total) {
  return fmt::format("{} of {}", format_count(hits), format_count(total));
}

/// True parameters inside the intervals: "8 of 8".
std::string coverage_rows(const ReportInput& input) {
  if (input.model->errors.empty()) return "";
  const Coverage inside = coverage(*input.model, *input.truth, *input.evaluation);
  const auto share = [](const Share& part) { return of_text(part.hits, part.total); };
  return report::score_row("priors covered", share(inside.priors),
                           "true values inside the 95 % intervals, of the recovered causes") +
         report::score_row("failures covered", share(inside.failures),
                           "of the edges they have in truth") +
         report::score_row("leaks covered", share(inside.leaks), "of the observed variables");
}

std::string likeness_rows(const Likeness& likeness) {
  return report::score_row(
             "causes matched", of_text(likeness.matched, likeness.truth.size()),
             "cosine of 1&nbsp;&#8722;&nbsp;f above .9 with a learned cause of its own, any "
             "prior") +
         report::score_row(
             "strictly", of_text(likeness.strict, likeness.truth.size()),
             "each true edge &gt; .1 within a factor of e, the prior within one of 2") +
         report::score_row("extra causes", of_text(likeness.extra, likeness.learned.size()),
                           "learned, but no true cause's match") +
         report::score_row(
             "imprecise causes", of_text(likeness.imprecise, likeness.learned.size()),
             fmt::format("less than .95 of their edges &gt; .1 are the match's; least {}",
                         report::short_number(likeness.least_precision)));
}

std::string scores_table(const ReportInput& input) {
  const Evaluation& scores = *input.evaluation;
  const auto error = [&](double value) {
    return scores.recovered > 0 ? report::short_number(value) : std::string("none");
  };
  std::string out =
      "<section><h2>Scores</h2><div class=\"scroll\" tabindex=\"0\">"
      "<table class=\"scores\"><tbody>\n";
  out +=
      report::score_row("causes recovered", of_text(scores.recovered, scores.n_true),
                        fmt::format("every failure within a factor of e, learned prior at least {}",
                                    report::short_number(scores.min_prior)));
  out += likeness_rows(scores.likeness);
  out += report::score_row("edge F1", report::short_number(scores.edge_f1),
                           "edges with 1&nbsp;&#8722;&nbsp;f &gt; .1");
  out += report::score_row("edge precision", report::short_number(scores.edge_precision),
                           "of the learned edges");
  out += report::score_row("edge recall", report::short_number(scores.edge_recall),
                           "of the true edges");
  out += report::score_row("prior error", error(scores.mean_prior_error),
                           "mean over the recovered causes");
  out += report::score_row("failure error", error(scores.max_failure_error),
                           "largest over the true edges of the recovered causes");
  out += report::score_row("leak error", report::short_number(scores.max_leak_error),
                           "largest over the observed variables");
  return out + coverage_rows(input) + "</tbody></table></div></section>\n";
}

/// A share as a number over a bar of its length.
std::string bar_cell(const Share& share) {
  if (share.total == 0) return report::number_cell("");
  return fmt::format("<td class=\"n bar\" style=\"--v:{:.1f}%\">{:.3f}</td>", 100 * share.value(0),
                     share.value(0));
}

std::string count_cell(std::size_t n) { return report::number_cell(format_count(n)); }

std::string bands_table_head(const char* title, const std::string& note,
                             std::initializer_list<const char*> headings) {
  std::string out = fmt::format(
      "<section><h2>{}</h2><p class=\"note\">{}</p><div class=\"scroll\" tabindex=\"0\"><table "
      "class=\"bands\"><thead><tr>",
      title, note);
  for (const char* heading : headings) {
    append_text(out, "<th scope=\"col\" class=\"n\">{}</th>", heading);
  }
  return out + "</tr></thead><tbody>\n";
}

std::string by_prior(const Likeness& likeness) {
  std::string out =
      bands_table_head("Causes by prior",
                       "True causes by the true prior, learned ones by the learned prior; "
                       "edges with 1&nbsp;&#8722;&nbsp;f &gt; .1.",
                       {"prior", "true", "matched", "strict", "learned", "not extra",
                        "edge precision", "edge recall"});
  for (const PriorBand& band : likeness.by_prior) {
    if (band.n_true + band.n_learned == 0) continue;
    out += "<tr>" + report::number_cell(fmt::format("{}&#8211;{}", band.low, band.high)) +
           count_cell(band.n_true) + bar_cell({band.matched, band.n_true}) +
           bar_cell({band.strict, band.n_true}) + count_cell(band.n_learned) +
           bar_cell({band.n_learned - band.extra, band.n_learned}) + bar_cell(band.precision) +
           bar_cell(band.recall) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

std::string by_strength(const Likeness& likeness) {
  std::string out = bands_table_head(
      "Edges by strength",
      "Precision: learned edges that the match has at all. Recall: true edges that the match has "
      "at all. Bounds lie between QMR's frequency classes.",
      {"1&nbsp;&#8722;&nbsp;f", "learned", "precision", "true", "recall"});
  for (const StrengthBand& band : likeness.by_strength) {
    if (band.precision.total + band.recall.total == 0) continue;
    out += "<tr>" + report::number_cell(fmt::format("{}&#8211;{}", band.low, band.high)) +
           count_cell(band.precision.total) + bar_cell(band.precision) +
           count_cell(band.recall.total) + bar_cell(band.recall) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace

std::string scores_sections(const ReportInput& input) {
  const Likeness& likeness = input.evaluation->likeness;
  std::string out = scores_table(input);
  if (is_searched(input)) out += by_prior(likeness) + by_strength(likeness);
  return out;
}

}  // namespace orrery::noisy_or
