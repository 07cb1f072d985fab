// What a categorical network's page says beside its structure: tables of scores, causes,
// structures that remain possible and variables, and a plot of the numbers of causes that were
// tried.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/categorical/page/page.hpp"
#include "families/categorical/scores/scores.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
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
    row.show("cause", view.titles[k])
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
  if (input.likelihood != nullptr) {
    add_data(sheet, {input.held_out, *input.likelihood, *input.independent, {}});
  }
  if (input.model->log_evidence != 0) {
    sheet.section("", "Evidence")
        .show("log evidence", fmt::format("{:.2f}", input.model->log_evidence),
              input.model->evidence_kind);
  }
  std::string out;
  for (const report::Section& section : sheet.sections) out += report::as_html(section);
  return out;
}

// The numbers of causes that were tried: mean held-out log likelihood of a row, and one standard
// error to either side.

namespace {

using Choice = model::LearnedCategorical::Choice;

constexpr double plot_height = 190;
constexpr double choice_width = 62;  // pixels between numbers of causes
constexpr double plot_left = 78;
constexpr double plot_top = 14;
constexpr double plot_bottom = 44;

struct Range {
  double low = 0;
  double high = 0;
};

Range range_of(const std::vector<Choice>& choices) {
  Range range{choices.front().held_out, choices.front().held_out};
  for (const Choice& choice : choices) {
    range.low = std::min(range.low, choice.held_out - choice.error);
    range.high = std::max(range.high, choice.held_out + choice.error);
  }
  const double margin = std::max((range.high - range.low) * .08, 1e-9);
  return {range.low - margin, range.high + margin};
}

class Plot {
 public:
  explicit Plot(const std::vector<Choice>& choices)
      : choices_(choices), range_(range_of(choices)) {}

  std::string draw() const {
    const double width = choice_width * static_cast<double>(choices_.size());
    std::string out =
        report::open_svg(plot_left + width + 12, plot_top + plot_height + plot_bottom, "scatter",
                         "Held-out log likelihood against the number of causes");
    append_text(out, "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                plot_left, plot_top, width, plot_height);
    draw_axes(width, out);
    std::string line;
    for (std::size_t c = 0; c < choices_.size(); ++c) {
      append_text(line, "{}{:.1f} {:.1f}", c == 0 ? "M" : "L", x_of(c), y_of(choices_[c].held_out));
    }
    append_text(out, "<path class=\"trend\" d=\"{}\"/>", line);
    for (std::size_t c = 0; c < choices_.size(); ++c) draw_choice(c, out);
    return out + "</svg>";
  }

 private:
  double x_of(std::size_t c) const {
    return plot_left + (static_cast<double>(c) + .5) * choice_width;
  }
  double y_of(double value) const {
    return plot_top + (range_.high - value) / (range_.high - range_.low) * plot_height;
  }

  void draw_axes(double width, std::string& out) const {
    for (int tick = 1; tick <= 3; ++tick) {
      const double value = range_.low + (range_.high - range_.low) * tick / 4;
      append_text(out,
                  "<path class=\"even\" d=\"M{} {:.1f}h{}\"/><text x=\"{}\" y=\"{:.1f}\" "
                  "dy=\".35em\" text-anchor=\"end\">{:.4g}</text>",
                  plot_left, y_of(value), width, plot_left - 6, y_of(value), value);
    }
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">causes</text>",
                plot_left + width / 2, plot_top + plot_height + 36);
  }

  void draw_choice(std::size_t c, std::string& out) const {
    const Choice& choice = choices_[c];
    const bool best = std::ranges::max_element(choices_, {}, &Choice::held_out) ==
                      choices_.begin() + static_cast<std::ptrdiff_t>(c);
    append_text(out,
                "<g><title>{}: {}{}</title><path class=\"trend\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>"
                "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/></g><text x=\"{:.1f}\" "
                "y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                report::count_of(choice.n_causes, "cause"), report::short_number(choice.held_out),
                choice.error > 0 ? " \u00b1 " + report::short_number(choice.error) : "", x_of(c),
                y_of(choice.held_out - choice.error), y_of(choice.held_out + choice.error),
                best ? "anchor" : "found", x_of(c), y_of(choice.held_out), best ? 5.5 : 4, x_of(c),
                plot_top + plot_height + 17, choice.n_causes);
  }

  const std::vector<Choice>& choices_;
  Range range_;
};

}  // namespace

std::string choices_section(const CategoricalView& view) {
  std::vector<Choice> choices = view.input->model->choices;
  std::erase_if(choices, [](const Choice& choice) { return !std::isfinite(choice.held_out); });
  for (Choice& choice : choices) {
    if (!std::isfinite(choice.error)) choice.error = 0;  // not known: no line
  }
  if (choices.empty()) return "";
  std::ranges::stable_sort(choices, {}, &Choice::n_causes);
  return report::scroll_section(
      "How many causes",
      "Mean log likelihood of a row that was not learned from, and one standard "
      "error; higher is better, the best is marked.",
      Plot(choices).draw());
}

// ---- variables: parents, what else they could be, conditional tables

namespace {

using Eigen::Index;

constexpr std::size_t max_variable_name = 32;
constexpr std::size_t most_table_rows = 16;       // rows of a conditional table
constexpr std::size_t most_others = 3;            // other parent sets of a variable
constexpr double least_other = .05;               // probability of one that is worth a word
constexpr std::size_t most_table_cells = 40'000;  // of all conditional tables
constexpr std::size_t most_categories = 12;       // columns of one

/// "0.9500" as a number over a bar of its length.
std::string bar_cell(double share, const std::string& tooltip = "") {
  return fmt::format("<td class=\"n bar\" style=\"--v:{:.1f}%\"{}>{:.3f}</td>", 100 * share,
                     tooltip.empty() ? "" : fmt::format(" title=\"{}\"", tooltip), share);
}

/// The parents' states of row j: "cause 1 = 0, cause 3 = 1".
std::string states_of_row(const model::CategoricalNetwork& network,
                          const model::CategoricalVariable& variable, std::size_t j) {
  std::string out;
  for (const std::uint32_t cause : variable.parents) {
    const std::size_t cardinality = network.causes()[cause].cardinality();
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ",
                       report::shorten(network.causes()[cause].name, max_variable_name),
                       j % cardinality);
    j /= cardinality;
  }
  return out.empty() ? "always" : out;
}

std::string conditional_table(const model::CategoricalNetwork& network, std::size_t i) {
  const model::CategoricalVariable& variable = network.variables()[i];
  const std::size_t n_rows = network.n_configurations(i);
  const std::size_t width = variable.n_categories();
  const std::size_t columns = std::min(width, most_categories);
  std::string out = "<table class=\"cpt\"><thead><tr><td></td>";
  for (std::size_t code = 0; code < columns; ++code) {
    append_text(out, "<th scope=\"col\" class=\"n\">{}</th>",
                report::escape(report::shorten(variable.categories[code], max_variable_name)));
  }
  out += "</tr></thead><tbody>";
  for (std::size_t j = 0; j < std::min(n_rows, most_table_rows); ++j) {
    append_text(out, "<tr><th scope=\"row\">{}</th>",
                report::escape(states_of_row(network, variable, j)));
    for (std::size_t code = 0; code < columns; ++code) {
      const std::size_t at = j * width + code;
      out += bar_cell(variable.table[at],
                      variable.counts.empty()
                          ? ""
                          : report::short_number(variable.counts[at]) + " pseudocounts");
    }
    out += "</tr>";
  }
  out += "</tbody></table>";
  if (width > columns) out += fmt::format("<i>and {} more categories</i> ", width - columns);
  if (n_rows > most_table_rows)
    out += fmt::format("<i>and {} more states</i>", n_rows - most_table_rows);
  return out;
}

/// Other sets of parents that are possible, the most probable first.
std::string other_parents(const CategoricalView& view, std::size_t i) {
  const model::LearnedCategorical& learned = *view.input->model;
  std::vector<std::size_t> sets;
  const auto probability = [&](std::size_t set) {
    return learned.structure(static_cast<Index>(i), static_cast<Index>(set));
  };
  for (std::size_t s = 0; s < learned.parent_sets.size(); ++s) {
    if (learned.parent_sets[s] == learned.network.variables()[i].parents) continue;
    if (probability(s) >= least_other) sets.push_back(s);
  }
  std::ranges::stable_sort(sets, std::ranges::greater{}, probability);
  std::string out;
  for (std::size_t s = 0; s < std::min(sets.size(), most_others); ++s) {
    append_text(out, "<span>{} <i>{}</i></span> ",
                report::escape(parents_text(learned.network, learned.parent_sets[sets[s]])),
                report::short_number(probability(sets[s])));
  }
  return out;
}

std::string true_parents(const CategoricalView& view, std::size_t i) {
  const model::CategoricalNetwork& truth = *view.input->truth;
  return parents_text(truth, truth.variables()[view.true_variables[i]].parents);
}

}  // namespace

std::string categorical_variables_section(const CategoricalView& view) {
  const model::CategoricalNetwork& network = view.network();
  const bool posterior = !view.certainty.empty();
  std::string rows;
  std::size_t cells = 0;
  std::size_t listed = 0;
  for (; listed < std::min(view.columns.size(), report::most_listed_rows); ++listed) {
    const std::size_t i = view.columns[listed];
    const model::CategoricalVariable& variable = network.variables()[i];
    cells += std::min(network.n_configurations(i), most_table_rows) *
             std::min(variable.n_categories(), most_categories);
    if (cells > most_table_cells) break;
    append_text(rows, "<tr><td>{}</td><td>{}</td>{}{}<td>{}</td></tr>\n",
                report::escape(report::shorten(variable.name, max_variable_name)),
                report::escape(parents_text(network, variable.parents)),
                posterior ? bar_cell(view.certainty[i]) +
                                fmt::format("<td class=\"list\">{}</td>", other_parents(view, i))
                          : "",
                view.input->truth != nullptr
                    ? fmt::format("<td>{}</td>", report::escape(true_parents(view, i)))
                    : "",
                conditional_table(network, i));
  }
  std::string note =
      "In the order of the picture. Each row of a conditional table: the states of "
      "the parents, and the probability of each category.";
  if (listed < view.columns.size()) {
    note += fmt::format(" The first {} of {}.", format_count(listed),
                        format_count(view.columns.size()));
  }
  if (view.columns.empty()) return "";
  return report::table_section(
      "Variables", note,
      report::head_cell("variable") + report::head_cell("parents") +
          (posterior ? report::head_cell("probability", true) +
                           "<th scope=\"col\" class=\"list\">other parents</th>"
                     : "") +
          (view.input->truth != nullptr ? report::head_cell("true parents") : "") +
          report::head_cell("P(category | parents)"),
      rows, {listed, false});
}

}  // namespace orrery::categorical
