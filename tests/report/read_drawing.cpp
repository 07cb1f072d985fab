#include "report/read_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace orrery::report {
namespace {

/// Strokes of a path in its own numbers. A curve lies in the box of its points.
std::vector<Box> strokes_of(const std::string& path) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<Box> boxes;
  Point at;
  const auto go = [&](double x, double y) {
    at = {x, y};
    Box& box = boxes.back();
    box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
           std::max(box.bottom, y)};
  };
  std::istringstream in(path);
  for (char step = 0; in >> step;) {
    double x = 0;
    double y = 0;
    if (step == 'M') boxes.push_back({far, far, -far, -far});
    if (step == 'z') continue;
    while (in >> x) {
      if (std::string("MLCl").find(step) != std::string::npos) in >> y;
      if (step == 'h') go(at.x + x, at.y);
      if (step == 'v') go(at.x, at.y + x);
      if (step == 'V') go(at.x, x);
      if (step == 'l') go(at.x + x, at.y + y);
      if (std::string("MLC").find(step) != std::string::npos) go(x, y);
    }
    in.clear();  // no number follows, but the next step
  }
  return boxes;
}

Point in_drawing(const Frame& frame, double x, double y) {
  return {frame.move_x + frame.scale_x * x, frame.move_y + frame.scale_y * y};
}

bool covers(const Box& box, const Point& at) {
  return box.left <= at.x && at.x <= box.right && box.top <= at.y && at.y <= box.bottom;
}

Point label_place(const ReadPage& map, const std::string& label, bool upright) {
  for (const Element& text : map.all("text")) {
    const bool turned = !text.attribute("transform").empty();
    if (text.text == label && turned == upright) return place_of(text);
  }
  ADD_FAILURE() << "no " << (upright ? "column" : "row") << " is labelled \"" << label << "\"";
  return {};
}

/// Between the lowest and the highest number that are written along an axis.
double on_axis(const ReadPage& plot, const std::string& anchor, double Point::*along,
               double value) {
  std::map<double, double> ticks;
  for (const Element& text : plot.all("text")) {
    char* end = nullptr;
    const double number = std::strtod(text.text.c_str(), &end);
    const bool is_number = !text.text.empty() && *end == 0;
    if (is_number && text.attribute("text-anchor") == anchor) ticks[number] = place_of(text).*along;
  }
  if (ticks.size() < 2) {
    ADD_FAILURE() << "an axis without numbers";
    return 0;
  }
  const auto& [low, first] = *ticks.begin();
  const auto& [high, last] = *ticks.rbegin();
  return first + (last - first) * (value - low) / (high - low);
}

}  // namespace

Point place_of(const Element& element) {
  const bool circle = element.name == "circle";
  return in_drawing(element.frame, element.number(circle ? "cx" : "x"),
                    element.number(circle ? "cy" : "y"));
}

std::vector<Box> boxes_of(const Element& path) {
  std::vector<Box> boxes = strokes_of(path.attribute("d"));
  for (Box& box : boxes) {
    const Point first = in_drawing(path.frame, box.left, box.top);
    const Point last = in_drawing(path.frame, box.right, box.bottom);
    box = {first.x, first.y, last.x, last.y};
  }
  return boxes;
}

std::map<Pixel, std::string> filled(const ReadPage& picture, const std::string& attribute) {
  std::map<Pixel, std::string> found;
  for (const Element& path : picture.all("path")) {
    if (path.attribute(attribute).empty()) continue;
    for (const Box& box : strokes_of(path.attribute("d"))) {
      if (box.bottom - box.top != 1) continue;  // a line
      for (double column = box.left; column < box.right; ++column) {
        const Pixel pixel(std::lround(box.top), std::lround(column));
        const bool is_new = found.emplace(pixel, path.attribute(attribute)).second;
        EXPECT_TRUE(is_new) << pixel.first << ", " << pixel.second << " is filled twice";
      }
    }
  }
  return found;
}

std::map<Pixel, double> shades(const ReadPage& picture) {
  std::map<Pixel, double> found;
  for (const auto& [pixel, opacity] : filled(picture, "opacity")) {
    found[pixel] = std::stod(opacity);
  }
  return found;
}

Point row_place(const ReadPage& map, const std::string& label) {
  return label_place(map, label, false);
}

Point column_place(const ReadPage& map, const std::string& label) {
  return label_place(map, label, true);
}

Point cell_place(const ReadPage& map, const std::string& row, const std::string& column) {
  return {column_place(map, column).x, row_place(map, row).y};
}

std::optional<Element> path_at(const ReadPage& map, const Point& at, const std::string& one_class,
                               const std::string& attribute) {
  for (const Element& path : map.all("path", one_class)) {
    if (path.attribute(attribute).empty()) continue;
    if (std::ranges::any_of(boxes_of(path), [&](const Box& box) { return covers(box, at); })) {
      return path;
    }
  }
  return std::nullopt;
}

double shade_at(const ReadPage& map, const Point& at) {
  const std::optional<Element> cell = path_at(map, at, "", "opacity");
  return cell ? cell->number("opacity") : 0;
}

std::size_t lines_between(const ReadPage& map, const Point& a, const Point& b) {
  const Element field = map.all("rect", "field").at(0);
  const auto is_between = [](double line, double from, double to) {
    return std::min(from, to) < line && line < std::max(from, to);
  };
  std::size_t n = 0;
  for (const Element& path : map.all("path", "group")) {
    for (const Box& line : boxes_of(path)) {
      const bool across =
          line.top == line.bottom && line.right - line.left == field.number("width");
      const bool down = line.left == line.right && line.bottom - line.top == field.number("height");
      n += (across && is_between(line.top, a.y, b.y)) || (down && is_between(line.left, a.x, b.x));
    }
  }
  return n;
}

double on_axis_across(const ReadPage& plot, double value) {
  return on_axis(plot, "middle", &Point::x, value);
}

double on_axis_up(const ReadPage& plot, double value) {
  return on_axis(plot, "end", &Point::y, value);
}

}  // namespace orrery::report
