// What a categorical network's page says in tables: scores, causes, structures that remain
// possible.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/progress.hpp"
#include "families/categorical/page/view.hpp"
#include "families/categorical/scores/sections.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using Eigen::Index;

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

/// Empty where the learner could not tell.
std::string evidence_text(double value, bool signed_value) {
  if (!std::isfinite(value)) return "";
  return signed_value ? fmt::format("{:+.2f}", value) : fmt::format("{:.2f}", value);
}

}  // namespace

std::string categorical_causes_section(const CategoricalView& view) {
  const model::CategoricalNetwork& network = view.network();
  report::Section section;
  report::Table& table = section.table(
      "", "Causes",
      "Children: variables whose most probable parents have it, and the expected number under the "
      "posterior. States in their order.");
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    std::size_t children = 0;
    for (std::size_t i = 0; i < network.n_observed(); ++i) children += view.is_parent(i, k) ? 1 : 0;
    const double expected = view.membership.col(static_cast<Index>(k)).sum();
    report::Record& row = table.row();
    row.show("cause", network.causes()[k].name)
        .show("children", format_count(children))
        .show("expected", fmt::format("{:.1f}", expected))
        .show("P(state)", probabilities(network.causes()[k].prior));
    if (!view.input->states.empty()) row.show("rows with it", states_in_data(view, k));
    if (view.input->truth == nullptr) continue;
    const std::int64_t t = view.true_cause[k];
    row.show("true cause",
             t < 0 ? "none" : view.input->truth->causes()[static_cast<std::size_t>(t)].name);
  }
  return report::as_html(section);
}

std::string modes_section(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  report::Section section;
  report::Table& table = section.table(
      "", "Structures that remain possible",
      "Variables whose posterior has several modes; the log evidence of the whole network with "
      "each, and its distance to the best.");
  double best = 0;
  for (std::size_t m = 0; m < learned.modes.size(); ++m) {
    const model::StructureMode& mode = learned.modes[m];
    const bool first = m == 0 || learned.modes[m - 1].variable != mode.variable;
    if (first) best = mode.log_evidence;
    table.row()
        .show("variable", first ? learned.network.variables()[mode.variable].name : "")
        .show("parents", parents_text(learned.network, mode.parents))
        .show("log evidence", evidence_text(mode.log_evidence, false))
        .show("to the best", first ? "" : evidence_text(mode.log_evidence - best, true));
  }
  return report::as_html(section);
}

std::string categorical_scores_section(const CategoricalView& view) {
  const CategoricalReportInput& input = *view.input;
  report::Sheet sheet;
  if (input.scores != nullptr) add_truth(sheet, *input.scores, view.network(), *input.truth);
  if (input.likelihood != nullptr) add_data(sheet, {input.held_out, *input.likelihood, {}, {}});
  if (input.model->log_evidence != 0) {
    sheet.section("", "Evidence")
        .show("log evidence", fmt::format("{:.2f}", input.model->log_evidence),
              input.model->evidence_kind);
  }
  std::string out;
  for (const report::Section& section : sheet.sections) out += report::as_html(section);
  return out;
}

}  // namespace orrery::categorical
