// The loading matrix, as a map or, where that would be too large, as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/page/page.hpp"
#include "families/linear/scores/scores.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

/// Rows are variables, grouped by their strongest learned cause, strong ones first; columns are the
/// causes, in causal order, then true ones that were not learned. Values are in standard deviations
/// of the variable (in_deviations).
struct LoadingMaps {
  report::SignedMap learned;
  report::SignedMap truth;  ///< no columns without a truth
};

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t max_loading_name = 16;
constexpr std::size_t max_column_name = 28;

struct Order {
  std::vector<std::size_t> rows;     // variables from the top
  std::vector<std::size_t> groups;   // rows that begin a group
  std::vector<std::size_t> columns;  // learned causes from the left
};

Order order_of(const LinearView& view) {
  const MatrixXd& loadings = view.learned.network.loadings();
  Order order;
  order.columns = view.learned.network.causal_order();
  std::vector<std::size_t> column_of(order.columns.size());
  for (std::size_t c = 0; c < order.columns.size(); ++c) column_of[order.columns[c]] = c;
  const auto n = static_cast<std::size_t>(loadings.rows());
  std::vector<std::size_t> group(n, order.columns.size());  // without a cause: last
  std::vector<double> strength(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (loadings.cols() == 0) continue;
    Index cause = 0;
    const double size = loadings.row(static_cast<Index>(i)).cwiseAbs().maxCoeff(&cause);
    if (size == 0) continue;
    group[i] = column_of[static_cast<std::size_t>(cause)];
    strength[i] = size / view.deviations(static_cast<Index>(i));
  }
  order.rows.resize(n);
  std::iota(order.rows.begin(), order.rows.end(), std::size_t{0});
  std::ranges::stable_sort(order.rows, [&](std::size_t a, std::size_t b) {
    return group[a] != group[b] ? group[a] < group[b] : strength[a] > strength[b];
  });
  for (std::size_t r = 1; r < n; ++r) {
    if (group[order.rows[r]] != group[order.rows[r - 1]]) order.groups.push_back(r);
  }
  return order;
}

std::string edge_text(const LinearView& view, std::size_t i, const std::string& cause) {
  return fmt::format("{} \u2190 {}", view.learned.network.names()[i], cause);
}

/// The learned entry (i, cause); nothing to draw for 0 unless the truth has an edge there.
std::optional<report::SignedCell> learned_cell(const LinearView& view, std::size_t i,
                                               std::size_t cause) {
  const auto row = static_cast<Index>(i);
  const auto column = static_cast<Index>(cause);
  const double loading = view.learned.network.loadings()(row, column);
  const std::string edge = edge_text(view, i, view.learned.network.cause_names()[cause]);
  std::optional<double> truth;
  if (view.truth) truth = view.truth->loading(i, cause).value_or(0);
  report::SignedCell cell;
  if (loading == 0) {
    if (truth.value_or(0) == 0) return std::nullopt;
    cell.mark = report::Mark::missed;
    cell.tooltip = fmt::format("{}: missed, true {}", edge, report::short_number(*truth));
    return cell;
  }
  cell.value = in_deviations(view, i, loading);
  cell.tooltip = fmt::format("{}: {} ({} standard deviations)", edge,
                             value_text(loading, view.learned.loading_errors, row, column),
                             report::brief_number(cell.value));
  if (!truth) return cell;
  if (*truth == 0) cell.mark = report::Mark::wrong;
  cell.tooltip += *truth == 0 ? ", not true" : ", true " + report::short_number(*truth);
  return cell;
}

std::optional<report::SignedCell> true_cell(const LinearView& view, std::size_t i, double loading,
                                            const std::string& cause) {
  if (loading == 0) return std::nullopt;
  report::SignedCell cell;
  cell.value = in_deviations(view, i, loading);
  cell.tooltip =
      fmt::format("{}: true {}", edge_text(view, i, cause), report::short_number(loading));
  return cell;
}

void place(std::optional<report::SignedCell> cell, std::size_t row, std::size_t column,
           report::SignedMap& map) {
  if (!cell) return;
  cell->row = row;
  cell->column = column;
  map.cells.push_back(std::move(*cell));
}

/// The true column that was learned as cause j, with the sign it was learned with.
void add_true_column(const LinearView& view, const Order& order, std::size_t j, LoadingMaps& maps) {
  const std::size_t column = maps.truth.n_columns++;
  const std::int64_t t = view.truth->of[j];
  if (t < 0) {
    maps.truth.column_labels.emplace_back("(none)");
    return;
  }
  std::string name = view.truth->network.cause_names()[static_cast<std::size_t>(t)];
  if (view.truth->sign[j] < 0) name = "\u2212" + name;
  for (std::size_t r = 0; r < order.rows.size(); ++r) {
    const std::size_t i = order.rows[r];
    place(true_cell(view, i, *view.truth->loading(i, j), name), r, column, maps.truth);
  }
  maps.truth.column_labels.push_back(report::shorten(name, max_loading_name));
}

/// Columns of true causes that were not learned come last, empty on the learned side.
void add_missed_causes(const LinearView& view, const Order& order, LoadingMaps& maps) {
  for (const std::size_t t : view.truth->missed) {
    const std::string& name = view.truth->network.cause_names()[t];
    for (std::size_t r = 0; r < order.rows.size(); ++r) {
      const std::size_t i = order.rows[r];
      const double loading =
          view.truth->network.loadings()(static_cast<Index>(i), static_cast<Index>(t));
      std::optional<report::SignedCell> cell = true_cell(view, i, loading, name);
      place(cell, r, maps.truth.n_columns, maps.truth);
      if (cell) cell->mark = report::Mark::missed;
      place(cell, r, maps.learned.n_columns, maps.learned);
    }
    maps.learned.column_labels.emplace_back("(missed)");
    maps.truth.column_labels.push_back(report::shorten(name, max_loading_name));
    ++maps.learned.n_columns;
    ++maps.truth.n_columns;
  }
}

LoadingMaps loading_maps(const LinearView& view) {
  const Order order = order_of(view);
  const model::LinearNetwork& network = view.learned.network;
  LoadingMaps maps;
  maps.learned.title = "Loadings: variables by causes";
  maps.truth.title = "True loadings: variables by causes";
  maps.learned.groups = maps.truth.groups = order.groups;
  maps.learned.n_rows = maps.truth.n_rows = order.rows.size();
  for (const std::size_t i : order.rows) {
    maps.learned.row_labels.push_back(report::shorten(network.names()[i], max_loading_name));
  }
  maps.truth.row_labels = maps.learned.row_labels;
  for (const std::size_t j : order.columns) {
    for (std::size_t r = 0; r < order.rows.size(); ++r) {
      place(learned_cell(view, order.rows[r], j), r, maps.learned.n_columns, maps.learned);
    }
    maps.learned.column_labels.push_back(report::shorten(view.titles[j], max_column_name));
    ++maps.learned.n_columns;
    if (view.truth) add_true_column(view, order, j, maps);
  }
  if (view.truth) add_missed_causes(view, order, maps);
  return maps;
}

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
      "<section><h2>Loadings</h2><p class=\"note\">{} {}</p><div class=\"scroll\" "
      "role=\"region\" aria-label=\"Loadings\" tabindex=\"0\">",
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
  std::vector<Entry> entries = strongest(scaled);
  const std::size_t n = entries.size();
  entries.resize(std::min(n, most_listed_loadings));
  std::string out = fmt::format(
      "<section><h2>Loadings</h2><p class=\"note\">{} by {} are too many to draw; the strongest "
      "first, {} of {}. `orrery export --format csv` writes all.</p><div class=\"scroll pane\" "
      "role=\"region\" aria-label=\"Loadings\" tabindex=\"0\"><table "
      "class=\"patterns\"><thead><tr><th scope=\"col\">variable</th><th "
      "scope=\"col\">cause</th><th scope=\"col\" class=\"n\">loading</th><th scope=\"col\" "
      "class=\"n\">standard deviations</th>{}</tr></thead><tbody>\n",
      report::count_of(learned.network.n_observed(), "variable"),
      report::count_of(learned.network.n_causes(), "cause"), format_count(entries.size()),
      format_count(n), view.truth ? "<th scope=\"col\" class=\"n\">true</th>" : "");
  for (const Entry& entry : entries) {
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
                report::escape(learned.network.names()[i]), report::escape(view.titles[j]),
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
    return report::empty_section(
        "Loadings",
        "There is no cause: nothing that several variables share was found to move them. More rows "
        "show weaker causes.");
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
