#include "families/categorical/page/category_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "base/text.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

constexpr double state_width = 7;
constexpr double state_gap = 5;     // between states and map
constexpr double ruled_width = 10;  // columns narrower than this have no hairlines between them

using Colour = std::array<double, 3>;  // red, green, blue; of 255

// Lightness falls (in the dark: rises) all along, so that order shows without hue. Neighbouring
// stops are some 0.2 of OKLab's lightness apart.
constexpr std::array<Colour, 4> light_stops{
    {{241, 238, 231}, {240, 186, 108}, {200, 85, 61}, {84, 26, 70}}};
constexpr std::array<Colour, 4> dark_stops{
    {{31, 35, 41}, {112, 43, 92}, {222, 104, 66}, {255, 221, 150}}};
constexpr std::string_view light_missing = "#b9c7d4";
constexpr std::string_view dark_missing = "#4d5f70";

std::string colour_of(std::uint8_t level, const std::array<Colour, 4>& stops) {
  const double place =
      static_cast<double>(level) / (n_category_levels - 1) * static_cast<double>(stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(first);
  std::string out = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double value = (1 - part) * stops[first][c] + part * stops[first + 1][c];
    append_text(out, "{:02x}", static_cast<int>(std::lround(value)));
  }
  return out;
}

std::string name_of(std::uint8_t level) {
  return level == missing_level ? "lm" : fmt::format("l{}", level);
}

/// Unit squares as a path a level; neighbours in a row of one level are one stroke.
std::string level_paths(std::span<const std::uint8_t> levels, std::size_t n_columns) {
  std::array<std::string, 256> paths;
  for (std::size_t at = 0; at < levels.size();) {
    const std::size_t column = at % n_columns;
    std::size_t end = at + 1;
    while (end < levels.size() && end % n_columns != 0 && levels[end] == levels[at]) ++end;
    const std::size_t run = end - at;
    append_text(paths[levels[at]], "M{} {}h{}v1h-{}z", column, at / n_columns, run, run);
    at = end;
  }
  std::string out;
  for (std::size_t level = 0; level < paths.size(); ++level) {
    if (paths[level].empty()) continue;
    append_text(out, "<path class=\"{}\" d=\"{}\"/>", name_of(static_cast<std::uint8_t>(level)),
                paths[level]);
  }
  return out;
}

std::string ruling(const CategoryMap& map, const report::HeatMapScale& scale, double left) {
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  std::string hairs;
  std::string lines;
  const auto down = [&](std::string& path, std::size_t column) {
    append_text(path, "M{:.1f} 0v{:.0f}", left + static_cast<double>(column) * scale.cell_width,
                height);
  };
  for (std::size_t c = 1; c < map.n_columns && scale.cell_width >= ruled_width; ++c) down(hairs, c);
  for (const std::size_t column : map.column_groups) down(lines, column);
  for (const std::size_t row : map.row_groups) {
    append_text(lines, "M{:.1f} {:.1f}h{:.1f}", left - states_width(map.n_causes),
                static_cast<double>(row) * scale.cell_height, width + states_width(map.n_causes));
  }
  return fmt::format("<path class=\"rule\" d=\"{}\"/><path class=\"gap\" d=\"{}\"/>", hairs, lines);
}

}  // namespace

std::uint8_t category_level(std::size_t code, std::size_t n_categories) {
  if (n_categories < 2) return 0;
  return static_cast<std::uint8_t>(
      std::lround(static_cast<double>(std::min(code, n_categories - 1)) * (n_category_levels - 1) /
                  static_cast<double>(n_categories - 1)));
}

double states_width(std::size_t n_causes) {
  return n_causes == 0 ? 0 : static_cast<double>(n_causes) * state_width + state_gap;
}

std::string category_map(const CategoryMap& map, const report::HeatMapScale& scale) {
  const double left = std::max(scale.label_width, states_width(map.n_causes));
  const double width = static_cast<double>(map.n_columns) * scale.cell_width;
  const double height = static_cast<double>(map.n_rows) * scale.cell_height;
  std::string out = report::open_svg(left + width + 1, height + 1, "map levels", map.title);
  if (map.n_causes > 0) {
    append_text(out,
                "<g transform=\"translate({:.0f} 0) scale({} {:.4g})\"><title>Most probable "
                "state of each cause</title><rect class=\"field\" width=\"{}\" "
                "height=\"{}\"/><g class=\"heat\">{}</g></g>",
                left - states_width(map.n_causes), state_width, scale.cell_height, map.n_causes,
                map.n_rows, report::shade_paths(map.states));
  }
  append_text(out, "<g transform=\"translate({:.0f} 0) scale({:.4g} {:.4g})\">{}</g>", left,
              scale.cell_width, scale.cell_height, level_paths(map.levels, map.n_columns));
  return out + ruling(map, scale, left) + "</svg>";
}

std::string category_style(const std::vector<std::uint8_t>& levels) {
  std::string light;
  std::string dark;
  for (const std::uint8_t level : levels) {
    const bool missing = level == missing_level;
    append_text(light, ".{0}{{fill:{1};background:{1}}}", name_of(level),
                missing ? std::string(light_missing) : colour_of(level, light_stops));
    append_text(dark, ".{0}{{fill:{1};background:{1}}}", name_of(level),
                missing ? std::string(dark_missing) : colour_of(level, dark_stops));
  }
  return fmt::format("<style>{}@media screen and (prefers-color-scheme:dark){{{}}}</style>", light,
                     dark);
}

std::string category_box(std::uint8_t level) {
  return fmt::format("<span class=\"swatch {}\"></span>", name_of(level));
}

}  // namespace orrery::categorical
