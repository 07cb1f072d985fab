// Where the variables of a tree go on paper.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::sign_tree {

struct Point {
  double x = 0;
  double y = 0;
};

/// Of the name of a variable: it begins (or ends) beside its place.
struct NamePlace {
  double angle = 0;      ///< radians: outwards
  bool outwards = true;  ///< else towards the centre, above the edge that is there
};

struct TreeLayout {
  std::vector<Point> places;                 ///< a variable
  std::vector<NamePlace> names;              ///< a variable
  std::vector<std::array<Point, 4>> curves;  ///< an edge: ends and control points (cubic Bezier)
  double width = 0;                          ///< of the paper, pixels
  double height = 0;
};

/// Rings around the middle of each component, `ring` pixels apart, on which neighbours are `gap`
/// pixels apart at least; components stand side by side. `margin`: room for names.
[[nodiscard]] TreeLayout lay_out(const model::SignTree& tree, double ring, double gap,
                                 double margin);

}  // namespace orrery::sign_tree
