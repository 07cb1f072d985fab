// The variables of a categorical network: parents, what else they could be, conditional tables.
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/categorical/page/page.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
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
  std::string out = "<table class=\"cpt\"><thead><tr><th></th>";
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
  return report::table_section(
      "Variables", note,
      report::head_cell("variable") + report::head_cell("parents") +
          (posterior ? report::head_cell("probability", true) +
                           "<th scope=\"col\" class=\"list\">other parents</th>"
                     : "") +
          (view.input->truth != nullptr ? report::head_cell("true parents") : "") +
          report::head_cell("P(category | parents)"),
      rows);
}

}  // namespace orrery::categorical
