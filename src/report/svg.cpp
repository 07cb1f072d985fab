#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
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
      "viewBox=\"0 0 {:.0f} {:.0f}\" style=\"--w:{:.0f}px\"><title>{}</title>",
      classes, width, height, width, height, width, escape(title));
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

namespace {

bool is_before(const Cell& a, const Cell& b) {
  return std::tuple(level_of(a), a.row, a.column) < std::tuple(level_of(b), b.row, b.column);
}

std::string opacity_of(std::size_t level) {
  return fmt::format("{:.2f}", static_cast<double>(level) / levels);
}

/// The cells from `first`, all of one level and without tooltips; returns where the next begins.
std::size_t draw_level(const std::vector<Cell>& cells, std::size_t first, std::string& out) {
  const std::size_t level = level_of(cells[first]);
  append_text(out, "<path opacity=\"{}\" d=\"", opacity_of(level));
  std::size_t i = first;
  while (i < cells.size() && level_of(cells[i]) == level) {
    std::size_t end = i + 1;  // a run of neighbours in one row
    while (end < cells.size() && level_of(cells[end]) == level && cells[end].row == cells[i].row &&
           cells[end].column == cells[i].column + (end - i)) {
      ++end;
    }
    const std::size_t run = end - i;
    append_text(out, "M{} {}h{}v1h-{}z", cells[i].column, cells[i].row, run, run);
    i = end;
  }
  out += "\"/>";
  return i;
}

}  // namespace

std::string shade_paths(std::vector<Cell> cells) {
  std::erase_if(cells, [](const Cell& cell) { return level_of(cell) == 0; });
  std::ranges::stable_sort(cells, is_before);
  const auto told = std::stable_partition(cells.begin(), cells.end(),
                                          [](const Cell& cell) { return cell.tooltip.empty(); });
  std::string of_told;
  for (const Cell& cell : std::span(told, cells.end())) {
    append_text(of_told, "<path opacity=\"{}\" d=\"M{} {}h1v1h-1z\"><title>{}</title></path>",
                opacity_of(level_of(cell)), cell.column, cell.row, escape(cell.tooltip));
  }
  cells.erase(told, cells.end());
  std::string out;
  for (std::size_t i = 0; i < cells.size();) i = draw_level(cells, i, out);
  return out + of_told;
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
    cells.push_back({0, a, full > 0 ? values[a] / full : 0, ""});
  }
  return fmt::format(
      "<svg class=\"strip\" role=\"img\" viewBox=\"0 0 {0} 1\" preserveAspectRatio=\"none\">"
      "<title>{1}</title><rect class=\"field\" width=\"{0}\" height=\"1\"/>"
      "<g class=\"heat\">{2}</g></svg>",
      values.size(), escape(title), shade_paths(std::move(cells)));
}

namespace {

constexpr double room_for_numbers[] = {26, 13};  // width and height of a cell
constexpr double deep = .55;                     // beyond it ink does not stand out

double depth_of(double value, double full) {
  return full > 0 ? std::min(std::abs(value) / full, 1.0) : 0;
}

/// Unit squares, scaled by the group around them.
std::string squares(const SignedMap& map, bool negative) {
  std::string out;
  for (const SignedCell& cell : map.cells) {
    if (cell.mark == Mark::missed || (cell.value < 0) != negative) continue;
    append_text(out, "<path d=\"M{} {}h1v1h-1z\" opacity=\"{:.2f}\"><title>{}</title></path>",
                cell.column, cell.row, .08 + .92 * depth_of(cell.value, map.full),
                escape(cell.tooltip));
  }
  return out;
}

std::string marks(const SignedMap& map, const HeatMapScale& scale, double top) {
  const double inset = std::min({1.0, scale.cell_width / 6, scale.cell_height / 6});
  const bool small = std::min(scale.cell_width, scale.cell_height) < 9;
  std::string out = fmt::format("<g class=\"{}\">", small ? "marks small" : "marks");
  for (const SignedCell& cell : map.cells) {
    if (cell.mark == Mark::none) continue;
    append_text(
        out,
        "<path class=\"{}\" d=\"M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z\"><title>{}</title></path>",
        cell.mark == Mark::wrong ? "wrong" : "missed",
        scale.label_width + static_cast<double>(cell.column) * scale.cell_width + inset,
        top + static_cast<double>(cell.row) * scale.cell_height + inset,
        scale.cell_width - 2 * inset, scale.cell_height - 2 * inset, scale.cell_width - 2 * inset,
        escape(cell.tooltip));
  }
  return out + "</g>";
}

std::string numbers(const SignedMap& map, const HeatMapScale& scale, double top) {
  if (scale.cell_width < room_for_numbers[0] || scale.cell_height < room_for_numbers[1]) return "";
  std::string out = "<g class=\"numbers\">";
  for (const SignedCell& cell : map.cells) {
    if (cell.mark == Mark::missed) continue;
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" dy=\".35em\"{}>{}</text>",
                scale.label_width + (static_cast<double>(cell.column) + .5) * scale.cell_width,
                top + (static_cast<double>(cell.row) + .5) * scale.cell_height,
                depth_of(cell.value, map.full) > deep ? " class=\"deep\"" : "",
                brief_number(cell.value));
  }
  return out + "</g>";
}

/// Hairlines between cells that are large enough, and lines between groups.
std::string ruling(const SignedMap& map, const HeatMapScale& scale, double top) {
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  std::string hairs;
  const auto across = [&](std::string& path, std::size_t row) {
    append_text(path, "M{:.0f} {:.1f}h{:.0f}", scale.label_width,
                top + static_cast<double>(row) * scale.cell_height, width);
  };
  for (std::size_t r = 1; r < map.n_rows && scale.cell_height >= 8; ++r) across(hairs, r);
  const auto down = [&](std::string& path, std::size_t column) {
    append_text(path, "M{:.1f} {:.0f}v{:.0f}",
                scale.label_width + static_cast<double>(column) * scale.cell_width, top, height);
  };
  for (std::size_t c = 1; c < map.n_columns && scale.cell_width >= 6; ++c) down(hairs, c);
  std::string lines;
  for (const std::size_t row : map.groups) across(lines, row);
  for (const std::size_t column : map.column_groups) down(lines, column);
  return fmt::format("<path class=\"rule\" d=\"{}\"/><path class=\"group\" d=\"{}\"/>", hairs,
                     lines);
}

}  // namespace

std::string brief_number(double value) {
  const double size = std::abs(value);
  std::string text =
      size < 9.95 ? fmt::format("{:.{}f}", size, size < .995 ? 2 : 1) : fmt::format("{:.2g}", size);
  if (size < .995) text.erase(0, 1);  // "0.82"
  return value < 0 ? "-" + text : text;
}

std::string signed_map(const SignedMap& map, const HeatMapScale& scale) {
  const double top = std::max(label_width(map.column_labels), scale.label_height);
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  std::string out = open_svg(scale.label_width + width + 1, top + height + 1, "map", map.title);
  append_text(out,
              "<rect class=\"field\" x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"{2:.0f}\" "
              "height=\"{3:.0f}\"/><g transform=\"translate({0:.0f} {1:.0f}) scale({4:.4g} "
              "{5:.4g})\"><g class=\"heat\">{6}</g><g class=\"heat negative\">{7}</g></g>",
              scale.label_width, top, width, height, scale.cell_width, scale.cell_height,
              squares(map, false), squares(map, true));
  out += ruling(map, scale, top) + marks(map, scale, top) + numbers(map, scale, top);
  return out + map_labels(map.row_labels, map.column_labels, scale, top) + "</svg>";
}

std::string signed_legend(double full) {
  constexpr int steps = 10;
  std::string squares;
  for (int i = -steps; i <= steps; ++i) {
    append_text(squares, "<path class=\"heat{}\" d=\"M{} 0h1v1h-1z\" opacity=\"{:.1f}\"/>",
                i < 0 ? " negative" : "", i + steps, std::abs(i) / double{steps});
  }
  return fmt::format(
      "<span class=\"legend\">&#8722;{0}<svg class=\"strip\" role=\"img\" viewBox=\"0 0 {1} 1\" "
      "preserveAspectRatio=\"none\"><title>from -{0} to +{0}</title><rect class=\"field\" "
      "width=\"{1}\" height=\"1\"/>{2}</svg>+{0}</span>",
      short_number(full), 2 * steps + 1, squares);
}

}  // namespace orrery::report
