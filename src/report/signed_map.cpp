#include "report/signed_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/text.hpp"

namespace orrery::report {
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
