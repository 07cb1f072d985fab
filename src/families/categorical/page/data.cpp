// The data below the structure: rows sorted by what their causes probably were, colour by category.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/categorical/page/category_map.hpp"
#include "families/categorical/page/layout.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

constexpr std::size_t most_data_rows = 400;
constexpr std::size_t most_groups = 40;  // of rows with a line between them
constexpr double map_height = 720;       // pixels
constexpr std::size_t most_named_categories = 12;
constexpr std::size_t max_category_name = 20;

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
      map.states.push_back({r, k, view.input->states[n * map.n_causes + k] / highest});
    }
  }
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

}  // namespace

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

}  // namespace orrery::categorical
