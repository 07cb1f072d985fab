// What the drawings of a page say: which cell is filled, which mark stands where. Places come from
// the labels and the numbers along the axes, so that no margin or size matters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/read_page.hpp"

namespace orrery::report {

struct Point {
  double x = 0;
  double y = 0;
};
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// Where a circle or a text stands, in the drawing.
Point place_of(const Element& element);
/// Around each stroke of a path (what follows an M), in the drawing.
std::vector<Box> boxes_of(const Element& path);

using Pixel = std::pair<int, int>;  ///< row and column
/// Of every unit square that is filled, this attribute of its path; none is filled twice.
std::map<Pixel, std::string> filled(const ReadPage& picture, const std::string& attribute);
std::map<Pixel, double> shades(const ReadPage& picture);  ///< opacities

/// Rows are labelled beside a map, columns above it, in upright letters.
Point row_place(const ReadPage& map, const std::string& label);
Point column_place(const ReadPage& map, const std::string& label);
Point cell_place(const ReadPage& map, const std::string& row, const std::string& column);
/// The first path of a class (of any if it is empty) that has an attribute and covers a point.
std::optional<Element> path_at(const ReadPage& map, const Point& at, const std::string& one_class,
                               const std::string& attribute = "d");
/// Opacity of the cell that covers a point; 0 if none does.
double shade_at(const ReadPage& map, const Point& at);
/// How many lines between groups lie between two rows, or two columns, all along the map.
std::size_t lines_between(const ReadPage& map, const Point& a, const Point& b);

/// Where a value lies by the numbers along the axes, which are even.
double on_axis_across(const ReadPage& plot, double value);
double on_axis_up(const ReadPage& plot, double value);

}  // namespace orrery::report
