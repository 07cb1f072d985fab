#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

constexpr double levels = 50;
constexpr double label_distance = 11;

std::size_t level_of(const Cell& cell) {
  return static_cast<std::size_t>(std::lround(std::clamp(cell.shade, 0.0, 1.0) * levels));
}

/// Hairlines between the cells: every row, and columns where they are wide enough.
void draw_ruling(const HeatMap& map, const HeatMapScale& scale, double top, std::string& out) {
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  std::string path;
  if (scale.cell_height >= 8) {
    for (std::size_t r = 1; r < map.n_rows; ++r) {
      const double y = top + static_cast<double>(r) * scale.cell_height;
      append_text(path, "M{:.0f} {:.1f}h{:.0f}", scale.label_width, y, width);
    }
  }
  if (scale.cell_width >= 8) {
    for (std::size_t c = 1; c < map.n_columns; ++c) {
      const double x = scale.label_width + static_cast<double>(c) * scale.cell_width;
      append_text(path, "M{:.1f} {:.0f}v{:.0f}", x, top, height);
    }
  }
  if (!path.empty()) append_text(out, "<path class=\"rule\" d=\"{}\"/>", path);
}

}  // namespace

std::string open_svg(double width, double height, std::string_view classes,
                     std::string_view title) {
  return fmt::format(
      "<svg class=\"{}\" role=\"img\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "viewBox=\"0 0 {:.0f} {:.0f}\"><title>{}</title>",
      classes, width, height, width, height, escape(title));
}

std::string map_labels(const std::vector<std::string>& rows,
                       const std::vector<std::string>& columns, const HeatMapScale& scale,
                       double top) {
  std::string out;
  const auto step = [](double cell) {
    return static_cast<std::size_t>(std::max(std::ceil(label_distance / cell), 1.0));
  };
  for (std::size_t r = 0; r < rows.size(); r += step(scale.cell_height)) {
    const double y = top + (static_cast<double>(r) + .5) * scale.cell_height;
    append_text(out, "<text x=\"{:.0f}\" y=\"{:.1f}\" dy=\".35em\" text-anchor=\"end\">{}</text>",
                scale.label_width - 6, y, escape(rows[r]));
  }
  for (std::size_t c = 0; c < columns.size(); c += step(scale.cell_width)) {
    const double x = scale.label_width + (static_cast<double>(c) + .5) * scale.cell_width;
    append_text(out,
                "<text transform=\"translate({:.1f} {:.0f}) rotate(-90)\" dy=\".35em\">{}</text>",
                x, top - 6, escape(columns[c]));
  }
  return out;
}

std::string shade_paths(std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return std::tuple(level_of(a), a.row, a.column) < std::tuple(level_of(b), b.row, b.column);
  });
  std::string out;
  std::size_t open_level = 0;
  for (std::size_t i = 0; i < cells.size();) {
    const std::size_t level = level_of(cells[i]);
    std::size_t end = i + 1;  // a run of neighbours in one row
    while (end < cells.size() && level_of(cells[end]) == level && cells[end].row == cells[i].row &&
           cells[end].column == cells[i].column + (end - i)) {
      ++end;
    }
    if (level > 0) {
      if (level != open_level) {
        if (open_level > 0) out += "\"/>";
        append_text(out, "<path opacity=\"{:.2f}\" d=\"", static_cast<double>(level) / levels);
        open_level = level;
      }
      const std::size_t run = end - i;
      append_text(out, "M{} {}h{}v1h-{}z", cells[i].column, cells[i].row, run, run);
    }
    i = end;
  }
  if (open_level > 0) out += "\"/>";
  return out;
}

std::string cause_image(const Grid& grid, const std::vector<Cell>& pixels,
                        const std::vector<std::size_t>& marked, const std::string& title) {
  std::string out = fmt::format(
      "<svg class=\"image\" role=\"img\" viewBox=\"0 0 {0} {1}\"><title>{2}</title>"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#000\"/><g fill=\"#fff\">{3}</g>",
      grid.columns, grid.rows, escape(title), shade_paths(pixels));
  for (const std::size_t variable : marked) {
    append_text(out, "<circle class=\"mark\" cx=\"{}.5\" cy=\"{}.5\" r=\"0.2\"/>",
                variable % grid.columns, variable / grid.columns);
  }
  out += "</svg>";
  return out;
}

double label_width(const std::vector<std::string>& labels) {
  std::size_t longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, count_characters(label));
  return longest == 0 ? 0 : std::ceil(character_width * static_cast<double>(longest)) + 12;
}

std::string heat_map(const HeatMap& map, const HeatMapScale& scale) {
  const double top = label_width(map.column_labels);
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  // Cells below two pixels get an outline, or they would fall between the pixels of the screen.
  const bool is_fine = std::min(scale.cell_width, scale.cell_height) < 2;
  std::string out = open_svg(scale.label_width + width + 1, top + height + 1, "map", map.title);
  append_text(out,
              "<rect class=\"field\" x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"{2:.0f}\" "
              "height=\"{3:.0f}\"/><g class=\"{7}\" transform=\"translate({0:.0f} {1:.0f}) "
              "scale({4:.4g} {5:.4g})\">{6}</g>",
              scale.label_width, top, width, height, scale.cell_width, scale.cell_height,
              shade_paths(map.cells), is_fine ? "heat fine" : "heat");
  draw_ruling(map, scale, top, out);
  return out + map_labels(map.row_labels, map.column_labels, scale, top) + "</svg>";
}

std::string heat_strip(const std::vector<double>& values, double full, const std::string& title) {
  std::vector<Cell> cells;
  for (std::size_t a = 0; a < values.size(); ++a) {
    cells.push_back({0, a, full > 0 ? values[a] / full : 0});
  }
  return fmt::format(
      "<svg class=\"strip\" role=\"img\" viewBox=\"0 0 {0} 1\" preserveAspectRatio=\"none\">"
      "<title>{1}</title><rect class=\"field\" width=\"{0}\" height=\"1\"/>"
      "<g class=\"heat\">{2}</g></svg>",
      values.size(), escape(title), shade_paths(std::move(cells)));
}

}  // namespace orrery::report
