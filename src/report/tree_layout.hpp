// Where the variables of a tree go on paper.
#pragma once

#include <cstdint>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::report {

struct Point {
  double x = 0;
  double y = 0;
};

/// A place a variable, its name's direction, and the size of the paper.
struct TreeLayout {
  std::vector<Point> places;
  std::vector<double> name_angles;  ///< radians: away from the edges
  double width = 0;
  double height = 0;
};

/// Edges of `edge_length` pixels that do not cross; components stand side by side. `margin`: room
/// for names.
[[nodiscard]] TreeLayout lay_out(const model::SignTree& tree, double edge_length, double margin);

}  // namespace orrery::report
