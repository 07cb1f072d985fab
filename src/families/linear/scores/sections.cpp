#include "families/linear/scores/sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

using nlohmann::json;
using report::short_number;

std::string of_text(std::size_t part, std::size_t whole) {
  return fmt::format("{} of {}", format_count(part), format_count(whole));
}

void add_matches(report::Section& section, const LinearScores& scores,
                 const model::LinearNetwork& truth, const model::LinearNetwork& learned) {
  report::Table& matches = section.table("matches", "");
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    report::Record& row = matches.row();
    row.data("true", truth.cause_names()[t]).data("learned", nullptr);
    if (scores.partner[t] < 0) continue;
    row.data("learned", learned.cause_names()[static_cast<std::size_t>(scores.partner[t])])
        .data("sign", scores.sign[t])
        .data("cosine", scores.cosine[t]);
  }
}

void add_structure(report::Section& section, const LinearScores& scores) {
  section.data("true_causes", scores.n_true_causes)
      .data("learned_causes", scores.n_learned_causes)
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("same_support", scores.same_support())
      .data("precision", scores.precision)
      .data("recall", scores.recall)
      .data("f1", scores.f1);
  const std::size_t n_wrong = scores.n_learned_edges - scores.n_common_edges;
  section.tell("common_edges", scores.n_common_edges, "edges found",
               of_text(scores.n_common_edges, scores.n_true_edges),
               fmt::format("{} wrong; precision {:.3f}, recall {:.3f}, F1 {:.3f}",
                           format_count(n_wrong), scores.precision, scores.recall, scores.f1));
}

void add_errors(report::Section& section, const LinearScores& scores) {
  const auto tell = [&](const std::string& key, double value, const char* label,
                        const std::string& note) {
    section.tell(key, report::finite_or_null(value), label, short_number(value), note);
  };
  tell("loading_error", scores.loading_error, "error of the loadings",
       "relative, Frobenius; largest " + short_number(scores.largest_error));
  section.data("largest_loading_error", report::finite_or_null(scores.largest_error));
  tell("covariance_error", scores.covariance_error, "error of a covariance", "largest, of causes");
  tell("noise_error", scores.noise_error, "error of a noise variance", "largest");
  if (scores.n_with_error > 0) {
    section.tell("coverage", {scores.n_covered, scores.n_with_error}, "inside their intervals",
                 of_text(scores.n_covered, scores.n_with_error), "true loadings, 95 % intervals");
  }
  if (scores.has_coupling) {
    section.data("coupling/true_edges", scores.n_true_couplings)
        .data("coupling/learned_edges", scores.n_learned_couplings)
        .data("coupling/largest_error", report::finite_or_null(scores.coupling_error));
    section.tell("coupling/common_edges", scores.n_common_couplings, "couplings found",
                 of_text(scores.n_common_couplings, scores.n_true_couplings),
                 fmt::format("{} wrong; largest error {}",
                             format_count(scores.n_learned_couplings - scores.n_common_couplings),
                             short_number(scores.coupling_error)));
  }
  if (scores.level_errors.empty()) return;
  json errors = json::array();
  for (const double error : scores.level_errors) {
    errors.push_back(report::finite_or_null(error));
    section.show(fmt::format("level {} above the causes", errors.size()), short_number(error),
                 "largest error of a loading");
  }
  section.data("level_errors", std::move(errors));
}

}  // namespace

void add_truth(report::Sheet& sheet, const LinearScores& scores, const model::LinearNetwork& truth,
               const model::LinearNetwork& learned) {
  report::Section& section = sheet.section("", "Beside the true network");
  const auto n_matched = static_cast<std::size_t>(
      std::ranges::count_if(scores.partner, [](std::int64_t partner) { return partner >= 0; }));
  section.sentences.push_back(fmt::format(
      "{} of {} causes matched{}; {} of {} edges found, {} wrong{}", n_matched,
      scores.n_true_causes,
      scores.n_learned_causes > n_matched
          ? fmt::format(", {} learned besides", scores.n_learned_causes - n_matched)
          : "",
      scores.n_common_edges, scores.n_true_edges, scores.n_learned_edges - scores.n_common_edges,
      scores.same_support() ? ": the structure is exact" : ""));
  add_structure(section, scores);
  add_errors(section, scores);
  add_matches(section, scores, truth, learned);
}

void add_data(report::Sheet& sheet, const LinearDataScores& scores) {
  report::Section& section = sheet.section("", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, all variables taken as normal, over {}{}{}",
                  report::count_of(scores.n_rows, "row"),
                  scores.n_missing > 0
                      ? fmt::format(" ({} missing)", report::count_of(scores.n_missing, "value"))
                      : "",
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.n_rows)
      .data("missing_values", scores.n_missing)
      .data("held_out", scores.held_out);
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    section.tell(key, report::finite_or_null(value), label, fmt::format("{:.4f}", value), note);
  };
  tell("log_likelihood", scores.model, "this model", "");
  if (scores.truth) tell("true_log_likelihood", *scores.truth, "true network", "");
  tell("independent_log_likelihood", scores.independent, "independent variables",
       "the model without its causes");
}

}  // namespace orrery::linear
