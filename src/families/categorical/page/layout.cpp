#include "families/categorical/page/layout.hpp"

#include <algorithm>

#include "families/categorical/page/category_map.hpp"

namespace orrery::categorical {
namespace {

constexpr double layout_width = 1100;  // pixels, of cells

}  // namespace

std::vector<std::size_t> thinned(std::size_t n, std::size_t shown) {
  std::vector<std::size_t> places(std::min(n, shown));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * n / places.size();
  return places;
}

std::vector<std::size_t> groups_among(const std::vector<std::size_t>& kept,
                                      const std::vector<std::size_t>& groups) {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const auto first = std::ranges::upper_bound(groups, kept[i - 1]);
    if (first != groups.end() && *first <= kept[i]) out.push_back(i);
  }
  return out;
}

CategoricalLayout categorical_layout(const CategoricalView& view,
                                     const std::vector<std::string>& row_labels) {
  CategoricalLayout layout;
  const std::vector<std::size_t> kept = thinned(view.columns.size(), most_map_columns);
  for (const std::size_t c : kept) layout.variables.push_back(view.columns[c]);
  layout.column_groups = groups_among(kept, view.column_groups);
  const auto columns = static_cast<double>(std::max<std::size_t>(kept.size(), 1));
  // At most 24 pixels: no numbers are written into narrower cells (signed_map), colour says it all.
  layout.scale.cell_width = std::clamp(layout_width / columns, 3., 24.);
  layout.scale.cell_height = 18;
  layout.scale.label_width = report::label_width(row_labels);
  if (view.input->data != nullptr) {
    layout.scale.label_width =
        std::max(layout.scale.label_width, states_width(view.network().n_causes()));
  }
  return layout;
}

}  // namespace orrery::categorical
