// The posterior of the structure with the truth above it and the sorted data below, column under
// column: Figures 6 and 7 of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/categorical/page/page.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

constexpr std::size_t most_data_rows = 400;
constexpr std::size_t most_groups = 40;  // of rows with a line between them
constexpr double map_height = 720;       // pixels
constexpr std::size_t most_named_categories = 12;
constexpr std::size_t max_category_name = 20;
constexpr std::size_t max_told_name = 32;

std::vector<std::size_t> rows_by_states(const data::CategoricalTable& data,
                                        const std::vector<std::uint8_t>& states,
                                        std::size_t n_causes, std::vector<std::size_t>& groups) {
  const auto of = [&](std::size_t row) {
    return std::span(states).subspan(row * n_causes, n_causes);
  };
  std::vector<std::size_t> rows(data.n_rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(of(a), of(b));
  });
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (!std::ranges::equal(of(rows[r]), of(rows[r - 1]))) groups.push_back(r);
  }
  return rows;
}

std::vector<std::size_t> rows_of(const std::vector<std::size_t>& rows,
                                 const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> shown;
  for (const std::size_t place : kept) shown.push_back(rows[place]);
  return shown;
}

/// "sample 12, fever: yes"; of too many cells the variables alone.
std::vector<std::string> data_tooltips(const CategoricalView& view, const CategoricalLayout& layout,
                                       const std::vector<std::size_t>& rows) {
  std::vector<std::string> tooltips;
  if (rows.size() * layout.variables.size() > report::most_tooltips) {
    for (const std::size_t i : layout.variables) {
      tooltips.push_back(report::shorten(view.network().variables()[i].name, max_told_name));
    }
    return tooltips;
  }
  for (const std::size_t n : rows) {
    for (const std::size_t i : layout.variables) {
      const model::CategoricalVariable& variable = view.network().variables()[i];
      const std::uint8_t code = view.input->data->row(n)[i];
      tooltips.push_back(
          fmt::format("sample {}, {}: {}", n + 1, report::shorten(variable.name, max_told_name),
                      code < variable.n_categories()
                          ? report::shorten(variable.categories[code], max_category_name)
                          : "missing"));
    }
  }
  return tooltips;
}

CategoryMap data_map(const CategoricalView& view, const CategoricalLayout& layout) {
  const data::CategoricalTable& data = *view.input->data;
  const auto& network = view.network();
  std::vector<std::size_t> groups;
  const std::vector<std::size_t> rows =
      rows_by_states(data, view.input->states, network.n_causes(), groups);
  const std::vector<std::size_t> kept = thinned(rows.size(), most_data_rows);
  CategoryMap map;
  map.title = "Data: samples by variables";
  map.n_rows = kept.size();
  map.n_columns = layout.variables.size();
  map.n_causes = network.n_causes();
  map.column_groups = layout.column_groups;
  map.row_groups = groups_among(kept, groups);
  if (map.row_groups.size() > most_groups) map.row_groups.clear();
  for (std::size_t r = 0; r < kept.size(); ++r) {
    const std::size_t n = rows[kept[r]];
    for (const std::size_t i : layout.variables) {
      const std::uint8_t code = data.row(n)[i];
      map.levels.push_back(code == data::missing_code
                               ? missing_level
                               : category_level(code, network.variables()[i].n_categories()));
    }
    for (std::size_t k = 0; k < map.n_causes; ++k) {
      const auto highest = static_cast<double>(network.causes()[k].cardinality() - 1);
      map.states.push_back({r, k, view.input->states[n * map.n_causes + k] / highest, ""});
    }
  }
  map.tooltips = data_tooltips(view, layout, rows_of(rows, kept));
  return map;
}

/// Which colours the map has, and what they mean: by name where all variables share their
/// categories, else as a scale.
std::string data_legend(const CategoricalView& view, const CategoryMap& map) {
  const auto& variables = view.network().variables();
  const bool shared = std::ranges::all_of(
      variables, [&](const auto& v) { return v.categories == variables[0].categories; });
  std::set<std::uint8_t> levels(map.levels.begin(), map.levels.end());
  const bool has_missing = levels.erase(missing_level) > 0;
  std::string out;
  if (shared && variables[0].n_categories() <= most_named_categories) {
    const std::size_t n = variables[0].n_categories();
    for (std::size_t code = 0; code < n; ++code) {
      levels.insert(category_level(code, n));
      append_text(
          out, "<span class=\"legend\">{}{}</span> ", category_box(category_level(code, n)),
          report::escape(report::shorten(variables[0].categories[code], max_category_name)));
    }
  } else {
    out += "<span class=\"legend\">first category ";
    for (std::size_t step = 0; step < 8; ++step) {
      levels.insert(category_level(step, 8));
      out += category_box(category_level(step, 8));
    }
    out += " last category</span> ";
  }
  if (has_missing) {
    levels.insert(missing_level);
    out += fmt::format("<span class=\"legend\">{}missing</span> ", category_box(missing_level));
  }
  return category_style({levels.begin(), levels.end()}) + out;
}

/// The data with a caption, HTML: rows by the most probable states of the causes.
std::string categorical_data(const CategoricalView& view, const CategoricalLayout& layout) {
  const CategoryMap map = data_map(view, layout);
  report::HeatMapScale scale = layout.scale;
  scale.cell_height =
      std::clamp(map_height / static_cast<double>(std::max<std::size_t>(map.n_rows, 1)), 1.8, 6.);
  std::string note = "samples sorted by the most probable states of the causes (blue, left)";
  if (map.n_rows < view.input->data->n_rows) {
    note += fmt::format("; {} of {}, evenly", format_count(map.n_rows),
                        format_count(view.input->data->n_rows));
  }
  return fmt::format("<p class=\"caption\">data: {}. {}</p>{}", note, data_legend(view, map),
                     category_map(map, scale));
}

using Eigen::Index;

constexpr double least_drawn = .02;  // probability
constexpr std::size_t max_map_label = 20;
constexpr std::size_t max_row_label = 40;
constexpr const char* missed_note = " (missed)";

report::SignedCell posterior_cell(const CategoricalView& view, std::size_t i, std::size_t k) {
  const double probability = view.membership(static_cast<Index>(i), static_cast<Index>(k));
  report::SignedCell cell;
  cell.value = probability;
  cell.tooltip = fmt::format("{} \u2190 {}: {}", view.network().variables()[i].name,
                             view.network().causes()[k].name, report::short_number(probability));
  if (view.input->truth == nullptr) return cell;
  const bool is_true = view.is_true_parent(i, view.true_cause[k]);
  if (is_true != view.is_parent(i, k))
    cell.mark = is_true ? report::Mark::missed : report::Mark::wrong;
  cell.tooltip += is_true ? ", true" : ", not true";
  return cell;
}

report::SignedMap posterior_map(const CategoricalView& view, const CategoricalLayout& layout) {
  report::SignedMap map;
  map.title = "Posterior of the structure: causes by variables";
  map.n_rows = view.network().n_causes();
  map.n_columns = layout.variables.size();
  map.column_groups = layout.column_groups;
  for (std::size_t k = 0; k < map.n_rows; ++k) {
    map.row_labels.push_back(report::shorten(view.titles[k], max_row_label));
    for (std::size_t c = 0; c < map.n_columns; ++c) {
      report::SignedCell cell = posterior_cell(view, layout.variables[c], k);
      if (cell.value < least_drawn && cell.mark == report::Mark::none) continue;
      cell.row = k;
      cell.column = c;
      map.cells.push_back(cell);
      if (cell.mark != report::Mark::missed) continue;
      map.cells.back().mark =
          report::Mark::none;  // a missed cell has no shade of its own: one below it
      map.cells.push_back(std::move(cell));
    }
  }
  return map;
}

/// True causes in the order of those that they were learned as, then those that were missed.
std::vector<std::int64_t> true_rows(const CategoricalView& view) {
  std::vector<std::int64_t> rows = view.true_cause;
  for (const std::size_t t : view.missed) rows.push_back(static_cast<std::int64_t>(t));
  return rows;
}

report::SignedMap true_map(const CategoricalView& view, const CategoricalLayout& layout) {
  const model::CategoricalNetwork& truth = *view.input->truth;
  const std::vector<std::int64_t> rows = true_rows(view);
  report::SignedMap map;
  map.title = "True structure: causes by variables";
  map.n_rows = rows.size();
  map.n_columns = layout.variables.size();
  map.column_groups = layout.column_groups;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r] < 0) {
      map.row_labels.emplace_back("(none)");
      continue;
    }
    const std::string& name = truth.causes()[static_cast<std::size_t>(rows[r])].name;
    const bool is_missed = r >= view.true_cause.size();
    map.row_labels.push_back(report::shorten(name, max_map_label) + (is_missed ? missed_note : ""));
    for (std::size_t c = 0; c < map.n_columns; ++c) {
      if (!view.is_true_parent(layout.variables[c], rows[r])) continue;
      const std::string& variable = view.network().variables()[layout.variables[c]].name;
      map.cells.push_back(
          {r, c, 1, fmt::format("{} \u2190 {}: true", variable, name), report::Mark::none});
    }
  }
  return map;
}

std::string note_of(const CategoricalView& view) {
  std::string note = fmt::format(
      "{} Variables with the same most probable parents stand together, those without any last. "
      "Point at a cell for its probability.",
      view.input->model->structure.size() > 0
          ? "The deeper, the more probable that a cause is among the parents of a variable, summed "
            "over all sets of parents."
          : "The parents of each variable.");
  if (view.input->truth != nullptr) {
    note +=
        " <span class=\"box wrong\"></span>learned, not true, <span class=\"box "
        "missed\"></span>true, not learned.";
  }
  if (view.columns.size() > most_map_columns) {
    note += fmt::format(" {} of {} are drawn, evenly.", format_count(most_map_columns),
                        report::count_of(view.columns.size(), "variable"));
  }
  return note;
}

}  // namespace

std::string structure_section(const CategoricalView& view) {
  const model::CategoricalNetwork& network = view.network();
  if (network.n_observed() == 0 || network.n_causes() == 0) {
    return report::empty_section(
        "Structure",
        "There is no cause: no hidden variable explains the table better than variables that do "
        "not depend on one another. More rows show weaker dependence.");
  }
  std::vector<std::string> labels;
  for (const std::string& title : view.titles)
    labels.push_back(report::shorten(title, max_row_label));
  if (view.input->truth != nullptr) {
    for (const auto& cause : view.input->truth->causes()) {
      labels.push_back(report::shorten(cause.name, max_map_label) +
                       (view.missed.empty() ? "" : missed_note));
    }
  }
  const CategoricalLayout layout = categorical_layout(view, labels);
  std::vector<std::string> names;
  for (const std::size_t i : layout.variables) {
    names.push_back(report::shorten(network.variables()[i].name, max_map_label));
  }
  std::string body;
  if (view.input->truth != nullptr) {
    report::SignedMap truth = true_map(view, layout);
    truth.column_labels = names;
    body += "<p class=\"caption\">true</p>" + report::signed_map(truth, layout.scale);
  }
  report::SignedMap posterior = posterior_map(view, layout);
  if (view.input->truth == nullptr) posterior.column_labels = names;
  body += fmt::format("<p class=\"caption\">{}</p>",
                      view.input->model->structure.size() > 0 ? "learned: posterior" : "learned") +
          report::signed_map(posterior, layout.scale);
  if (view.input->data != nullptr && view.input->data->n_rows > 0)
    body += categorical_data(view, layout);
  return report::scroll_section("Structure", note_of(view), body);
}

}  // namespace orrery::categorical
