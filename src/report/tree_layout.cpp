// Purpose: a planar drawing of a forest. Of each component the equal-angle layout of unrooted trees
// (Meacham; Felsenstein 2004, "Inferring phylogenies", ch. 34): from the centre of the tree each
// branch has a wedge as wide as it has leaves, and wedges do not overlap, so that edges never
// cross. A path would be a long straight line: it is bent to an arc. Components are turned until
// they are wider than high, and stand in rows. Cost: O(p log p). The same tree gives the same
// numbers.
#include "report/tree_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace orrery::report {
namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;
constexpr double full_turn = 2 * std::numbers::pi;

Neighbours neighbours_of(const model::SignTree& tree) {
  Neighbours found(tree.n_variables());
  for (const model::TreeEdge& edge : tree.edges()) {
    found[edge.a].push_back(edge.b);
    found[edge.b].push_back(edge.a);
  }
  return found;
}

/// A component seen from one of its variables: every variable after the one it hangs from.
struct Walk {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> from;  // by place in order: place of the one before
};

Walk walk(const Neighbours& neighbours, std::uint32_t root) {
  Walk found{{root}, {0}};
  for (std::uint32_t i = 0; i < found.order.size(); ++i) {
    for (const std::uint32_t b : neighbours[found.order[i]]) {
      if (i > 0 && b == found.order[found.from[i]]) continue;
      found.order.push_back(b);
      found.from.push_back(i);
    }
  }
  return found;
}

/// The middle of a longest path.
std::uint32_t centre(const Neighbours& neighbours, std::uint32_t any) {
  const std::uint32_t end = walk(neighbours, any).order.back();
  const Walk across = walk(neighbours, end);
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = static_cast<std::uint32_t>(across.order.size()) - 1; i > 0;
       i = across.from[i]) {
    path.push_back(across.order[i]);
  }
  path.push_back(end);
  return path[path.size() / 2];
}

/// Of a path of some length: an arc, in which neighbours are at a distance of 1.
void bend(const Neighbours& neighbours, const Walk& component, std::vector<Point>& places) {
  constexpr double arc = .8 * full_turn;
  const std::uint32_t end = component.order.back();
  const Walk along = walk(neighbours, end);
  const auto steps = static_cast<double>(along.order.size() - 1);
  const double step = arc / steps;
  const double radius = .5 / std::sin(step / 2);
  for (std::size_t i = 0; i < along.order.size(); ++i) {
    const double angle = .25 * full_turn + .5 * (full_turn - arc) + step * static_cast<double>(i);
    places[along.order[i]] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
}

void spread(const Walk& component, std::vector<Point>& places) {
  const std::size_t n = component.order.size();
  std::vector<double> leaves(n, 0);
  for (std::size_t i = n; i-- > 0;) {
    leaves[i] = std::max(leaves[i], 1.0);
    if (i > 0) leaves[component.from[i]] += leaves[i];
  }
  // The wedge of each: where its next branch begins.
  std::vector<double> next(n, 0);
  places[component.order[0]] = {0, 0};
  for (std::size_t i = 1; i < n; ++i) {
    const std::uint32_t from = component.from[i];
    const double wedge = full_turn * leaves[i] / leaves[0];
    const double angle = next[from] + wedge / 2;
    next[i] = next[from];
    next[from] += wedge;
    const Point& at = places[component.order[from]];
    places[component.order[i]] = {at.x + std::cos(angle), at.y + std::sin(angle)};
  }
}

/// Turned so that it spreads most from left to right.
void turn(const Walk& component, std::vector<Point>& places) {
  Point mean;
  for (const std::uint32_t a : component.order) {
    mean.x += places[a].x / static_cast<double>(component.order.size());
    mean.y += places[a].y / static_cast<double>(component.order.size());
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const std::uint32_t a : component.order) {
    const double x = places[a].x - mean.x;
    const double y = places[a].y - mean.y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const double angle = -.5 * std::atan2(2 * xy, xx - yy);
  for (const std::uint32_t a : component.order) {
    const Point at = places[a];
    places[a] = {at.x * std::cos(angle) - at.y * std::sin(angle),
                 at.x * std::sin(angle) + at.y * std::cos(angle)};
  }
}

struct Box {
  double left, top, width, height;
};
Box box_of(const Walk& component, const std::vector<Point>& places) {
  double left = places[component.order[0]].x;
  double right = left;
  double top = places[component.order[0]].y;
  double bottom = top;
  for (const std::uint32_t a : component.order) {
    left = std::min(left, places[a].x);
    right = std::max(right, places[a].x);
    top = std::min(top, places[a].y);
    bottom = std::max(bottom, places[a].y);
  }
  return {left, top, right - left, bottom - top};
}

/// Into the widest gap between the edges.
double free_direction(const std::vector<std::uint32_t>& neighbours, std::uint32_t a,
                      const std::vector<Point>& places) {
  if (neighbours.empty()) return 0;
  std::vector<double> angles;
  for (const std::uint32_t b : neighbours) {
    angles.push_back(std::atan2(places[b].y - places[a].y, places[b].x - places[a].x));
  }
  std::ranges::sort(angles);
  double widest = -1;
  double middle = 0;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double end = i + 1 < angles.size() ? angles[i + 1] : angles[0] + full_turn;
    if (end - angles[i] > widest + 1e-9) {
      widest = end - angles[i];
      middle = (end + angles[i]) / 2;
    }
  }
  return middle;
}

}  // namespace

TreeLayout lay_out(const model::SignTree& tree, double edge_length, double margin) {
  constexpr std::size_t bent = 12;  // variables of a path
  const Neighbours neighbours = neighbours_of(tree);
  const std::size_t p = tree.n_variables();
  TreeLayout layout{std::vector<Point>(p), std::vector<double>(p, 0), 0, 0};
  std::vector<Walk> components;
  for (std::uint32_t a = 0; a < p; ++a) {
    if (tree.parents()[a] != model::SignTree::none) continue;
    components.push_back(walk(neighbours, centre(neighbours, a)));
    const Walk& component = components.back();
    const bool path = std::ranges::all_of(
        component.order, [&](std::uint32_t b) { return neighbours[b].size() <= 2; });
    if (path && component.order.size() > bent) {
      bend(neighbours, component, layout.places);
    } else {
      spread(component, layout.places);
      turn(component, layout.places);
    }
  }
  // Rows as wide as the widest component, or as makes all about twice as wide as high.
  std::ranges::stable_sort(
      components, [](const Walk& x, const Walk& y) { return x.order.size() > y.order.size(); });
  double area = 0;
  double widest = 0;
  for (const Walk& component : components) {
    const Box box = box_of(component, layout.places);
    const double width = box.width * edge_length + 2 * margin;
    area += width * (box.height * edge_length + 2 * margin);
    widest = std::max(widest, width);
  }
  const double row_width = std::max(widest, std::sqrt(2 * area));
  double x = 0;
  double y = 0;
  double row_height = 0;
  for (const Walk& component : components) {
    const Box box = box_of(component, layout.places);
    const double width = box.width * edge_length + 2 * margin;
    if (x > 0 && x + width > row_width + 1e-6) {
      y += row_height;
      x = 0;
      row_height = 0;
    }
    for (const std::uint32_t a : component.order) {
      Point& at = layout.places[a];
      at = {x + margin + (at.x - box.left) * edge_length,
            y + margin + (at.y - box.top) * edge_length};
    }
    x += width;
    row_height = std::max(row_height, box.height * edge_length + 2 * margin);
    layout.width = std::max(layout.width, x);
    layout.height = std::max(layout.height, y + row_height);
  }
  for (std::uint32_t a = 0; a < p; ++a) {
    layout.name_angles[a] = free_direction(neighbours[a], a, layout.places);
  }
  return layout;
}

}  // namespace orrery::report
