// A learned tree of signs for people: one self-contained HTML page with the tree drawn.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "families/sign_tree/scores/scores.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/page.hpp"

namespace orrery::sign_tree {

struct TreeReportInput {
  const model::LearnedTree* model = nullptr;
  std::string title;                       ///< of the page; escaped
  report::Colophon colophon;               ///< where the model came from
  const model::SignTree* truth = nullptr;  ///< optional: the model's variables in their order
  const TreeScores* scores = nullptr;      ///< given iff truth is
};

/// The page: edges coloured by sign, as wide as they are strong; beside a truth, edges that it does
/// not have and those that it has besides. Trees of more than 2,000 variables are a table only.
std::string tree_html_report(const TreeReportInput& input);

// ---- where the variables of a tree go on paper: layout.cpp

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
