// Drawings as inline SVG: fixed numbers in, fixed bytes out. Names are escaped here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::report {

/// Observed variables as an image: variable r * columns + c is pixel (r, c).
struct Grid {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

inline constexpr double character_width = 6.4;  ///< of the 11 px label font, on average

/// Of a drawing; with more cells than these it is too large a page.
inline constexpr std::size_t most_tooltips = 20'000;
/// In pixels: nobody can point at a narrower cell.
inline constexpr double least_pointed_at = 3;

/// A shaded unit square.
struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;
  double shade = 0;       ///< [0, 1]
  std::string tooltip{};  ///< escaped here
};

/// SVG paths of the cells by level of shade (steps of 0.02), as opacity: black paper and white ink,
/// or page and heat colour. A cell with a tooltip is a path of its own; of the others those of a
/// level are one path, and neighbours in a row share a stroke. Cells below half a level are not
/// drawn.
std::string shade_paths(std::vector<Cell> cells);

/// A cause as an image: black where there is no edge, white where 1 - f = 1. `marked` pixels (the
/// quartet) carry a dot.
std::string cause_image(const Grid& grid, const std::vector<Cell>& pixels,
                        const std::vector<std::size_t>& marked, const std::string& title);

/// Causes x observed variables.
struct HeatMap {
  std::string title;
  std::vector<std::string> row_labels;     ///< one per row
  std::vector<std::string> column_labels;  ///< one per column, or empty; written upwards
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<Cell> cells;
};
/// In pixels, so that two maps can stand column under column, or row beside row.
struct HeatMapScale {
  double cell_width = 14;
  double cell_height = 16;
  double label_width = 0;
  double label_height = 0;  ///< of the columns' labels at least (signed_map)
};
std::string heat_map(const HeatMap& map, const HeatMapScale& scale);
/// A drawing's opening tag. Pixel sizes are attributes, so that it also stands without style sheet;
/// with it, small drawings grow to the page, and all shrink a little before they are scrolled.
std::string open_svg(double width, double height, std::string_view classes, std::string_view title);
/// Names beside the rows and above the columns of a map whose cells begin at `top`, as many as find
/// room.
std::string map_labels(const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns, const HeatMapScale& scale,
                       double top);
/// Width in pixels of the widest of some labels.
double label_width(const std::vector<std::string>& labels);

/// One value per column, shaded relative to `full`.
std::string heat_strip(const std::vector<double>& values, double full, const std::string& title);

// A matrix of numbers of either sign.

/// An entry's standing beside a true matrix: wrong ones have an outline, missed ones (which are 0)
/// a dashed one.
enum class Mark { none, wrong, missed };

struct SignedCell {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0;     ///< as deep as |value| / SignedMap::full; blue for +, orange for -
  std::string tooltip;  ///< escaped here
  Mark mark = Mark::none;
};

struct SignedMap {
  std::string title;
  std::vector<std::string> row_labels;
  std::vector<std::string> column_labels;  ///< written upwards
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<SignedCell> cells;
  std::vector<std::size_t> groups;         ///< rows above which a line is drawn
  std::vector<std::size_t> column_groups;  ///< columns left of which a line is drawn
  double full = 1;
};
/// Values are written into cells that have room for them.
std::string signed_map(const SignedMap& map, const HeatMapScale& scale);

/// The colours from -full to +full, with these numbers at the ends.
std::string signed_legend(double full);

/// "0.82", "-0.07", "1.2": two digits.
std::string brief_number(double value);

}  // namespace orrery::report
