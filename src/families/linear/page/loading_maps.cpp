#include "families/linear/page/loading_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "report/text.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t max_loading_name = 16;

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

}  // namespace

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
    maps.learned.column_labels.push_back(
        report::shorten(network.cause_names()[j], max_loading_name));
    ++maps.learned.n_columns;
    if (view.truth) add_true_column(view, order, j, maps);
  }
  if (view.truth) add_missed_causes(view, order, maps);
  return maps;
}

}  // namespace orrery::linear
