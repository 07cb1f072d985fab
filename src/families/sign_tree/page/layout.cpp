// Purpose: a planar drawing of a forest. Each component is a radial tree: its centre in the middle,
// a ring a step from it, a wedge a branch as wide as the leaves that it has. Edges are curves that
// stay in their wedge and between their rings, so that none cross. A path would be a long straight
// line: it is bent to an arc. Components stand in rows.
// Cost: O(p log p). The same tree gives the same numbers.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "families/sign_tree/page/page.hpp"

namespace orrery::sign_tree {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr std::size_t bent = 12;  // variables of a path

struct Neighbour {
  std::uint32_t variable;
  std::uint32_t edge;
};
using Neighbours = std::vector<std::vector<Neighbour>>;

Neighbours neighbours_of(const model::SignTree& tree) {
  Neighbours found(tree.n_variables());
  for (std::uint32_t e = 0; e < tree.edges().size(); ++e) {
    const model::TreeEdge& edge = tree.edges()[e];
    found[edge.a].push_back({edge.b, e});
    found[edge.b].push_back({edge.a, e});
  }
  return found;
}

/// A component from one of its variables on: each after the one that it hangs from.
struct Walk {
  struct Step {
    std::uint32_t variable;
    std::uint32_t from;  ///< place in the walk; of the first: its own
    std::uint32_t edge;  ///< of the first: none
  };
  std::vector<Step> steps;
};

Walk walk(const Neighbours& neighbours, std::uint32_t root) {
  Walk found{{{root, 0, model::SignTree::none}}};
  for (std::uint32_t i = 0; i < found.steps.size(); ++i) {
    const Walk::Step at = found.steps[i];
    for (const auto& [variable, edge] : neighbours[at.variable]) {
      if (edge != at.edge) found.steps.push_back({variable, i, edge});
    }
  }
  return found;
}

/// The middle of a longest path.
std::uint32_t centre(const Neighbours& neighbours, std::uint32_t any) {
  const Walk across = walk(neighbours, walk(neighbours, any).steps.back().variable);
  std::vector<std::uint32_t> path;
  for (auto i = static_cast<std::uint32_t>(across.steps.size() - 1); i > 0;
       i = across.steps[i].from) {
    path.push_back(across.steps[i].variable);
  }
  path.push_back(across.steps[0].variable);
  return path[path.size() / 2];
}

Point on_circle(double angle, double radius) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// Of a path: an arc, on which neighbours are `ring` apart.
void bend(const Walk& along, double ring, TreeLayout& layout) {
  constexpr double arc = .8 * full_turn;
  const double step = arc / static_cast<double>(along.steps.size() - 1);
  const double radius = ring / 2 / std::sin(step / 2);
  double angle = .25 * full_turn + .5 * (full_turn - arc);
  for (const auto& [variable, from, edge] : along.steps) {
    const Point at = on_circle(angle, radius);
    layout.places[variable] = at;
    layout.names[variable] = {angle, true};
    if (edge != model::SignTree::none) {
      const Point begin = layout.places[along.steps[from].variable];
      layout.curves[edge] = {begin, begin, at, at};
    }
    angle += step;
  }
}

/// Leaves share the circle evenly; another variable is in the middle of its own.
void spread(const Walk& component, double ring, double gap, TreeLayout& layout) {
  const auto& steps = component.steps;
  std::vector<double> leaves(steps.size(), 0);
  for (std::size_t i = steps.size(); i-- > 0;) {
    leaves[i] = std::max(leaves[i], 1.0);
    if (i > 0) leaves[steps[i].from] += leaves[i];
  }
  std::vector<bool> is_leaf(steps.size(), true);
  std::vector<double> next(steps.size(), 0);  // where the wedge of the next branch begins
  std::vector<double> angle(steps.size(), 0);
  std::vector<double> radius(steps.size(), 0);
  const double first_ring = std::max(ring, gap * leaves[0] / full_turn);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const auto [variable, from, edge] = steps[i];
    is_leaf[from] = false;
    const double wedge = full_turn * leaves[i] / leaves[0];
    angle[i] = next[from] + wedge / 2;
    radius[i] = radius[from] + (from == 0 ? first_ring : ring);
    next[i] = next[from];
    next[from] += wedge;
    const Point begin = layout.places[steps[from].variable];
    const Point end = on_circle(angle[i], radius[i]);
    const double middle = .5 * (radius[from] + radius[i]);
    layout.places[variable] = end;
    layout.curves[edge] = {begin, from == 0 ? begin : on_circle(angle[from], middle),
                           from == 0 ? end : on_circle(angle[i], middle), end};
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    layout.names[steps[i].variable] = {angle[i], is_leaf[i]};
  }
}

struct Box {
  double left, top, width, height;
};
Box box_of(const Walk& component, const std::vector<Point>& places) {
  const Point first = places[component.steps[0].variable];
  double left = first.x;
  double right = first.x;
  double top = first.y;
  double bottom = first.y;
  for (const auto& step : component.steps) {
    const Point& at = places[step.variable];
    left = std::min(left, at.x);
    right = std::max(right, at.x);
    top = std::min(top, at.y);
    bottom = std::max(bottom, at.y);
  }
  return {left, top, right - left, bottom - top};
}

void move(const Walk& component, const Point& by, TreeLayout& layout) {
  for (const auto& step : component.steps) {
    layout.places[step.variable].x += by.x;
    layout.places[step.variable].y += by.y;
    if (step.edge == model::SignTree::none) continue;
    for (Point& point : layout.curves[step.edge]) {
      point.x += by.x;
      point.y += by.y;
    }
  }
}

/// The largest first, in rows as wide as the widest, or as make all about twice as wide as high.
void stand_in_rows(std::vector<Walk>& components, double margin, TreeLayout& layout) {
  std::ranges::stable_sort(
      components, [](const Walk& x, const Walk& y) { return x.steps.size() > y.steps.size(); });
  std::vector<Box> boxes;
  double area = 0;
  double widest_box = 0;
  for (const Walk& component : components) {
    boxes.push_back(box_of(component, layout.places));
    const double width = boxes.back().width + 2 * margin;
    area += width * (boxes.back().height + 2 * margin);
    widest_box = std::max(widest_box, width);
  }
  const double row_width = std::max(widest_box, std::sqrt(2 * area));
  Point at;
  double row_height = 0;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const double width = boxes[k].width + 2 * margin;
    if (at.x > 0 && at.x + width > row_width + 1e-6) {
      at = {0, at.y + row_height};
      row_height = 0;
    }
    move(components[k], {at.x + margin - boxes[k].left, at.y + margin - boxes[k].top}, layout);
    at.x += width;
    row_height = std::max(row_height, boxes[k].height + 2 * margin);
    layout.width = std::max(layout.width, at.x);
    layout.height = std::max(layout.height, at.y + row_height);
  }
}

}  // namespace

TreeLayout lay_out(const model::SignTree& tree, double ring, double gap, double margin) {
  const Neighbours neighbours = neighbours_of(tree);
  const std::size_t p = tree.n_variables();
  TreeLayout layout;
  layout.places.resize(p);
  layout.names.resize(p);
  layout.curves.resize(tree.edges().size());
  std::vector<Walk> components;
  for (std::uint32_t a = 0; a < p; ++a) {
    if (tree.parents()[a] != model::SignTree::none) continue;
    components.push_back(walk(neighbours, centre(neighbours, a)));
    const auto& steps = components.back().steps;
    const bool is_path = std::ranges::all_of(
        steps, [&](const Walk::Step& step) { return neighbours[step.variable].size() <= 2; });
    if (is_path && steps.size() > bent) {
      components.back() = walk(neighbours, steps.back().variable);
      bend(components.back(), ring, layout);
    } else {
      spread(components.back(), ring, gap, layout);
    }
  }
  stand_in_rows(components, margin, layout);
  return layout;
}

}  // namespace orrery::sign_tree
