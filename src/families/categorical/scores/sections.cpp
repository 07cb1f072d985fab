#include "families/categorical/scores/sections.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/progress.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using nlohmann::json;

/// "-66.14 +- 0.09".
std::string likelihood_text(const CategoricalLikelihood& likelihood) {
  if (likelihood.n_impossible > 0) return "-infinity";
  if (std::isnan(likelihood.error)) return fmt::format("{:.4f}", likelihood.mean);
  return fmt::format("{:.4f} +- {:.2g}", likelihood.mean, likelihood.error);
}

void add_likelihood(report::Section& section, const std::string& key, const char* label,
                    const CategoricalLikelihood& likelihood, const std::string& note) {
  section.data(key + "/mean", report::finite_or_null(likelihood.mean))
      .data(key + "/error", report::finite_or_null(likelihood.error))
      .data(key + "/impossible_rows", likelihood.n_impossible);
  section.show(label, likelihood_text(likelihood),
               likelihood.n_impossible == 0
                   ? note
                   : report::count_of(likelihood.n_impossible, "impossible row"));
}

}  // namespace

void add_truth(report::Sheet& sheet, const CategoricalScores& scores,
               const CategoricalNetwork& learned, const CategoricalNetwork& truth) {
  report::Section& section = sheet.section("", "Scores");
  section.sentences.push_back(fmt::format(
      "{} of {} variables have all their parents right; the structures differ in {}",
      scores.n_exact_variables, truth.n_observed(), report::count_of(scores.difference, "edge")));
  section.data("true_causes", truth.n_causes())
      .data("learned_causes", learned.n_causes())
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("variables", truth.n_observed());
  section.tell(
      "difference", scores.difference, "difference in structure", format_count(scores.difference),
      fmt::format("edges of one network alone; {} true, {} learned",
                  format_count(scores.n_true_edges), format_count(scores.n_learned_edges)));
  section.tell("exact_variables", scores.n_exact_variables, "variables with all parents right",
               fmt::format("{} of {}", format_count(scores.n_exact_variables),
                           format_count(truth.n_observed())),
               "causes matched such that the difference is least");
  report::Table& matches = section.table("matches", "True causes");
  matches.most_on_page = 0;  // its table of causes has them
  for (std::size_t t = 0; t < scores.match.size(); ++t) {
    const std::string& name = truth.causes()[t].name;
    const bool found = scores.match[t] >= 0;
    const std::string partner =
        found ? learned.causes()[static_cast<std::size_t>(scores.match[t])].name : "";
    matches.row()
        .tell("true", name, "true cause", name)
        .tell("learned", found ? json(partner) : json(nullptr), "learned as",
              found ? partner : "not found");
  }
}

void add_data(report::Sheet& sheet, const CategoricalDataScores& scores) {
  report::Section& section = sheet.section("", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, over {}{}",
                  report::count_of(scores.model.n_rows, "row"),
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.model.n_rows).data("held_out", scores.held_out);
  add_likelihood(section, "log_likelihood", "this model", scores.model, "");
  if (scores.truth) {
    add_likelihood(section, "true_log_likelihood", "true network", *scores.truth, "");
  }
  if (!scores.independent) return;
  add_likelihood(section, "independent_log_likelihood", "independent variables",
                 *scores.independent, "the model without its causes");
}

}  // namespace orrery::categorical
