// The loading matrix, as a map or, where that would be too large, as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/network/strongest.hpp"
#include "families/linear/page/loading_maps.hpp"
#include "families/linear/page/view.hpp"
#include "report/signed_map.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t most_map_rows = 500;           // of a map
constexpr std::size_t most_map_cells = 30'000;       // of a map, for each has a tooltip
constexpr std::size_t most_listed_loadings = 1'000;  // entries of the table instead
constexpr double loadings_width = 1000;              // pixels, of cells

std::string draw(const LoadingMaps& maps, const std::string& note) {
  report::SignedMap learned = maps.learned;
  report::SignedMap truth = maps.truth;
  const bool two = truth.n_columns > 0;
  double full = 0;
  for (const report::SignedMap* map : {&learned, &truth}) {
    for (const report::SignedCell& cell : map->cells) full = std::max(full, std::abs(cell.value));
  }
  learned.full = truth.full = full;
  report::HeatMapScale scale;
  const auto columns = static_cast<double>(std::max<std::size_t>(learned.n_columns, 1));
  const auto rows = static_cast<double>(std::max<std::size_t>(learned.n_rows, 1));
  scale.cell_width = std::clamp((two ? loadings_width / 2 : loadings_width) / columns, 4., 34.);
  scale.cell_height = std::clamp(1200 / rows, 4., 17.);
  scale.label_width = report::label_width(learned.row_labels);
  scale.label_height = std::max(report::label_width(learned.column_labels),
                                report::label_width(truth.column_labels));
  std::string out = fmt::format(
      "<section><h2>Loadings</h2><p class=\"note\">{} {}</p><div class=\"scroll\" tabindex=\"0\">",
      note, report::signed_legend(full));
  if (!two) return out + report::signed_map(learned, scale) + "</div></section>\n";
  append_text(out,
              "<div class=\"pair\"><div><p class=\"caption\">learned</p>{}</div><div><p "
              "class=\"caption\">true, in the same order and with the same signs</p>{}</div>"
              "</div></div></section>\n",
              report::signed_map(learned, scale), report::signed_map(truth, scale));
  return out;
}

/// Too many variables for a map.
std::string table(const LinearView& view) {
  const model::LearnedLinear& learned = view.learned;
  MatrixXd scaled = learned.network.loadings();
  for (Index i = 0; i < scaled.rows(); ++i) {
    for (Index j = 0; j < scaled.cols(); ++j) {
      scaled(i, j) = in_deviations(view, static_cast<std::size_t>(i), scaled(i, j));
    }
  }
  std::vector<model::Entry> entries = model::strongest(scaled);
  const std::size_t n = entries.size();
  entries.resize(std::min(n, most_listed_loadings));
  std::string out = fmt::format(
      "<section><h2>Loadings</h2><p class=\"note\">{} by {} are too many to draw; the strongest "
      "first, {} of {}. `orrery export --format csv` writes all.</p><div class=\"scroll pane\" "
      "tabindex=\"0\"><table class=\"patterns\"><thead><tr><th scope=\"col\">variable</th><th "
      "scope=\"col\">cause</th><th scope=\"col\" class=\"n\">loading</th><th scope=\"col\" "
      "class=\"n\">standard deviations</th>{}</tr></thead><tbody>\n",
      report::count_of(learned.network.n_observed(), "variable"),
      report::count_of(learned.network.n_causes(), "cause"), format_count(entries.size()),
      format_count(n), view.truth ? "<th scope=\"col\" class=\"n\">true</th>" : "");
  for (const model::Entry& entry : entries) {
    const auto i = static_cast<std::size_t>(entry.row);
    const auto j = static_cast<std::size_t>(entry.column);
    std::string truth;
    if (view.truth) {
      const double value = view.truth->loading(i, j).value_or(0);
      truth = fmt::format("<td class=\"n\">{}</td>",
                          value == 0 ? "no edge" : report::short_number(value));
    }
    append_text(out,
                "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}"
                "</tr>\n",
                report::escape(learned.network.names()[i]),
                report::escape(learned.network.cause_names()[j]),
                value_text(learned.network.loadings()(entry.row, entry.column),
                           learned.loading_errors, entry.row, entry.column),
                report::short_number(entry.value), truth);
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace

std::string loadings_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const std::size_t columns =
      network.n_causes() + (view.truth ? view.truth->missed.size() : std::size_t{0});
  if (columns == 0 || network.n_observed() == 0) {
    return "<section><h2>Loadings</h2><p class=\"note\">There is no cause.</p></section>\n";
  }
  if (network.n_observed() > most_map_rows || network.n_observed() * columns > most_map_cells) {
    return table(view);
  }
  std::string note =
      "How far one standard deviation of a cause moves a variable, in standard deviations of the "
      "variable; variables with the same strongest cause stand together. Point at a cell for its "
      "loading and standard error.";
  if (view.truth) {
    note +=
        " <span class=\"box wrong\"></span>not in the true network, <span class=\"box "
        "missed\"></span>true, not learned.";
  }
  return draw(loading_maps(view), note);
}

}  // namespace orrery::linear
