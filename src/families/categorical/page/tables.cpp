// What a categorical network's page says in tables: scores, causes, structures that remain
// possible.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/categorical/page/view.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using Eigen::Index;

constexpr std::size_t max_state_cause_name = 32;
constexpr std::size_t most_listed_states = 12;  // of a cause, in the table

/// "0.670 0.330"
std::string probabilities(std::span<const double> values) {
  std::string out;
  for (const double value : values.first(std::min(values.size(), most_listed_states))) {
    if (!out.empty()) out += ' ';
    out += report::short_number(value);
  }
  return values.size() > most_listed_states ? out + " \u2026" : out;
}

/// How many of the data's rows have each state most probably.
std::string states_in_data(const CategoricalView& view, std::size_t cause) {
  const std::size_t n_causes = view.network().n_causes();
  std::vector<std::size_t> rows(view.network().causes()[cause].cardinality(), 0);
  for (std::size_t at = cause; at < view.input->states.size(); at += n_causes) {
    ++rows[view.input->states[at]];
  }
  std::string out;
  for (const std::size_t n : rows) {
    if (!out.empty()) out += ", ";
    out += format_count(n);
  }
  return out;
}

std::string true_cause_cell(const CategoricalView& view, std::size_t cause) {
  const std::int64_t t = view.true_cause[cause];
  if (t < 0) return "<td>none</td>";
  return fmt::format(
      "<td>{}</td>",
      report::escape(report::shorten(view.input->truth->causes()[static_cast<std::size_t>(t)].name,
                                     max_state_cause_name)));
}

std::string likelihood_text(const CategoricalLikelihood& likelihood) {
  if (!std::isfinite(likelihood.mean)) return "&#8722;&#8734;";
  std::string out = fmt::format("{:.4f}", likelihood.mean);
  if (std::isfinite(likelihood.error)) out += fmt::format(" \u00b1 {:.4f}", likelihood.error);
  return out;
}

/// Empty where the learner could not tell.
std::string evidence_text(double value, bool signed_value) {
  if (!std::isfinite(value)) return "";
  return signed_value ? fmt::format("{:+.2f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string categorical_causes_section(const CategoricalView& view) {
  const model::CategoricalNetwork& network = view.network();
  if (network.n_causes() == 0) return "";
  const bool has_data = !view.input->states.empty();
  std::string rows;
  for (std::size_t k = 0; k < std::min(network.n_causes(), report::most_listed_rows); ++k) {
    std::size_t children = 0;
    for (std::size_t i = 0; i < network.n_observed(); ++i) children += view.is_parent(i, k) ? 1 : 0;
    append_text(rows, "<tr><td>{}</td>{}{}{}{}{}</tr>\n",
                report::escape(report::shorten(network.causes()[k].name, max_state_cause_name)),
                report::number_cell(format_count(children)),
                report::number_cell(
                    fmt::format("{:.1f}", view.membership.col(static_cast<Index>(k)).sum())),
                report::number_cell(probabilities(network.causes()[k].prior)),
                has_data ? report::number_cell(states_in_data(view, k)) : "",
                view.input->truth != nullptr ? true_cause_cell(view, k) : "");
  }
  return report::table_section(
      "Causes",
      "Children: variables whose most probable parents have it, and the expected number under the "
      "posterior. States in their order." +
          report::cut_note(network.n_causes()),
      report::head_cell("cause") + report::head_cell("children", true) +
          report::head_cell("expected", true) + report::head_cell("P(state)", true) +
          (has_data ? report::head_cell("rows with it", true) : "") +
          (view.input->truth != nullptr ? report::head_cell("true cause") : ""),
      rows);
}

std::string modes_section(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  if (learned.modes.empty()) return "";
  std::string rows;
  double best = 0;
  for (std::size_t m = 0; m < std::min(learned.modes.size(), report::most_listed_rows); ++m) {
    const model::StructureMode& mode = learned.modes[m];
    const bool first = m == 0 || learned.modes[m - 1].variable != mode.variable;
    if (first) best = mode.log_evidence;
    append_text(rows, "<tr><td>{}</td><td>{}</td>{}{}</tr>\n",
                first ? report::escape(report::shorten(
                            learned.network.variables()[mode.variable].name, max_state_cause_name))
                      : "",
                report::escape(parents_text(learned.network, mode.parents)),
                report::number_cell(evidence_text(mode.log_evidence, false)),
                report::number_cell(first ? "" : evidence_text(mode.log_evidence - best, true)));
  }
  return report::table_section(
      "Structures that remain possible",
      "Variables whose posterior has several modes; the log evidence of the whole "
      "network with each, and its distance to the best." +
          report::cut_note(learned.modes.size()),
      report::head_cell("variable") + report::head_cell("parents") +
          report::head_cell("log evidence", true) + report::head_cell("to the best", true),
      rows);
}

std::string categorical_scores_section(const CategoricalView& view) {
  const CategoricalReportInput& input = *view.input;
  std::string rows;
  if (input.scores != nullptr) {
    const CategoricalScores& scores = *input.scores;
    rows += report::score_row(
        "difference in structure", format_count(scores.difference),
        fmt::format("edges of one network alone; {} true, {} learned",
                    format_count(scores.n_true_edges), format_count(scores.n_learned_edges)));
    rows += report::score_row("variables with all parents right",
                              fmt::format("{} of {}", format_count(scores.n_exact_variables),
                                          format_count(view.network().n_observed())),
                              "causes matched such that the difference is least");
  }
  if (input.model->log_evidence != 0) {
    rows += report::score_row("log evidence", fmt::format("{:.2f}", input.model->log_evidence),
                              report::escape(input.model->evidence_kind));
  }
  if (input.likelihood != nullptr) {
    const CategoricalLikelihood& likelihood = *input.likelihood;
    rows += report::score_row(
        "log likelihood a row", likelihood_text(likelihood),
        fmt::format("of {}{}", report::count_of(likelihood.n_rows, "row"),
                    likelihood.n_impossible == 0
                        ? ""
                        : fmt::format(", {} impossible", format_count(likelihood.n_impossible))));
  }
  return rows.empty() ? "" : report::scores_section("Scores", rows);
}

}  // namespace orrery::categorical
