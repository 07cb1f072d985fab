// A matrix of categories as inline SVG: rows by columns, a colour a category. Fixed codes in, fixed
// bytes out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/svg.hpp"

namespace orrery::categorical {

/// Places on the scale of colours, from a variable's first category to its last.
inline constexpr std::size_t n_category_levels = 64;
/// The level of a value that is not there: a colour off the scale.
inline constexpr std::uint8_t missing_level = 255;
/// A variable of `n_categories`: its first category is level 0, its last the highest.
std::uint8_t category_level(std::size_t code, std::size_t n_categories);

struct CategoryMap {
  std::string title;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<std::uint8_t> levels;  ///< n_rows x n_columns by rows
  /// Beside each row, left of the map, a narrow square of each cause's state, shaded.
  std::size_t n_causes = 0;
  std::vector<report::Cell> states;
  std::vector<std::size_t> row_groups;     ///< rows above which a line is drawn
  std::vector<std::size_t> column_groups;  ///< columns left of which a line is drawn
};
/// Pixels that the states of a row take, left of the map: `scale.label_width` is at least this.
double states_width(std::size_t n_causes);
std::string category_map(const CategoryMap& map, const report::HeatMapScale& scale);

/// A style element with the colours of these levels, in light and dark.
std::string category_style(const std::vector<std::uint8_t>& levels);
/// A small square of a level's colour.
std::string category_box(std::uint8_t level);

}  // namespace orrery::categorical
