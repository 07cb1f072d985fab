// The page of a categorical network: what was learned in a line, its structure above the data, the
// number of causes, then tables; and the map of categories that its sections draw.
#include "families/categorical/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <string_view>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "orrery/base/error.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using Eigen::Index;

/// The posterior where it is known, else the network's own edges.
Eigen::MatrixXd membership_of(const model::LearnedCategorical& learned) {
  const auto& variables = learned.network.variables();
  Eigen::MatrixXd membership = Eigen::MatrixXd::Zero(
      static_cast<Index>(variables.size()), static_cast<Index>(learned.network.n_causes()));
  for (Index i = 0; i < membership.rows(); ++i) {
    if (learned.structure.size() == 0) {
      for (const std::uint32_t cause : variables[static_cast<std::size_t>(i)].parents) {
        membership(i, cause) = 1;
      }
      continue;
    }
    for (std::size_t s = 0; s < learned.parent_sets.size(); ++s) {
      for (const std::uint32_t cause : learned.parent_sets[s]) {
        membership(i, cause) += learned.structure(i, static_cast<Index>(s));
      }
    }
  }
  return membership;
}

std::vector<double> certainty_of(const model::LearnedCategorical& learned) {
  if (learned.structure.size() == 0) return {};
  const auto& variables = learned.network.variables();
  std::vector<double> certainty(variables.size(), 0);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto set = std::ranges::find(learned.parent_sets, variables[i].parents);
    if (set == learned.parent_sets.end()) continue;  // no parents, and no such set: not likely
    certainty[i] = learned.structure(static_cast<Index>(i), set - learned.parent_sets.begin());
  }
  return certainty;
}

void order_columns(CategoricalView& view) {
  const auto& variables = view.network().variables();
  view.columns.resize(variables.size());
  std::iota(view.columns.begin(), view.columns.end(), std::size_t{0});
  std::ranges::stable_sort(view.columns, [&](std::size_t a, std::size_t b) {
    const auto& left = variables[a].parents;
    const auto& right = variables[b].parents;
    if (left.empty() != right.empty()) return right.empty();
    if (left != right) return left < right;
    return !view.certainty.empty() && view.certainty[a] > view.certainty[b];
  });
  for (std::size_t c = 1; c < view.columns.size(); ++c) {
    if (variables[view.columns[c]].parents != variables[view.columns[c - 1]].parents) {
      view.column_groups.push_back(c);
    }
  }
}

void add_truth(CategoricalView& view) {
  const model::CategoricalNetwork& truth = *view.input->truth;
  view.true_cause.assign(view.network().n_causes(), -1);
  for (std::size_t t = 0; t < view.input->scores->match.size(); ++t) {
    const std::int64_t learned = view.input->scores->match[t];
    if (learned < 0) {
      view.missed.push_back(t);
    } else {
      view.true_cause[static_cast<std::size_t>(learned)] = static_cast<std::int64_t>(t);
    }
  }
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < truth.n_observed(); ++i) places[truth.variables()[i].name] = i;
  for (const model::CategoricalVariable& variable : view.network().variables()) {
    const auto place = places.find(variable.name);
    if (place == places.end()) {
      throw InputError(fmt::format(
          "the true network has no variable \"{}\", which the model has; give the network that the "
          "data came from",
          variable.name));
    }
    view.true_variables.push_back(place->second);
  }
}

}  // namespace

bool CategoricalView::is_parent(std::size_t variable, std::size_t cause) const {
  return std::ranges::binary_search(network().variables()[variable].parents,
                                    static_cast<std::uint32_t>(cause));
}

bool CategoricalView::is_true_parent(std::size_t variable, std::int64_t true_cause_number) const {
  if (true_cause_number < 0) return false;
  return std::ranges::binary_search(input->truth->variables()[true_variables[variable]].parents,
                                    static_cast<std::uint32_t>(true_cause_number));
}

std::size_t CategoricalView::n_common_edges() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < network().n_observed(); ++i) {
    for (const std::uint32_t cause : network().variables()[i].parents) {
      n += is_true_parent(i, true_cause[cause]) ? 1 : 0;
    }
  }
  return n;
}

CategoricalView view_categorical(const CategoricalReportInput& input) {
  assert(input.model != nullptr && (input.truth == nullptr) == (input.scores == nullptr));
  CategoricalView view;
  view.input = &input;
  view.membership = membership_of(*input.model);
  view.certainty = certainty_of(*input.model);
  order_columns(view);
  view.titles = titles_of_causes(input.model->network);
  if (input.truth != nullptr) add_truth(view);
  return view;
}

std::string parents_text(const model::CategoricalNetwork& network,
                         const std::vector<std::uint32_t>& parents) {
  std::string out;
  for (const std::uint32_t cause : parents) {
    if (!out.empty()) out += ", ";
    out += network.causes()[cause].name;
  }
  return out.empty() ? "none" : out;
}

// Which variables the maps of the structure and of the data show, and where: column under column.

namespace {

constexpr double layout_width = 1100;  // pixels, of cells

}  // namespace

std::vector<std::size_t> thinned(std::size_t n, std::size_t shown) {
  std::vector<std::size_t> places(std::min(n, shown));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i * n / places.size();
  return places;
}

std::vector<std::size_t> groups_among(const std::vector<std::size_t>& kept,
                                      const std::vector<std::size_t>& groups) {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const auto first = std::ranges::upper_bound(groups, kept[i - 1]);
    if (first != groups.end() && *first <= kept[i]) out.push_back(i);
  }
  return out;
}

CategoricalLayout categorical_layout(const CategoricalView& view,
                                     const std::vector<std::string>& row_labels) {
  CategoricalLayout layout;
  const std::vector<std::size_t> kept = thinned(view.columns.size(), most_map_columns);
  for (const std::size_t c : kept) layout.variables.push_back(view.columns[c]);
  layout.column_groups = groups_among(kept, view.column_groups);
  const auto columns = static_cast<double>(std::max<std::size_t>(kept.size(), 1));
  // At most 24 pixels: no numbers are written into narrower cells (signed_map), colour says it all.
  layout.scale.cell_width = std::clamp(layout_width / columns, 3., 24.);
  layout.scale.cell_height = 18;
  layout.scale.label_width = report::label_width(row_labels);
  if (view.input->data != nullptr) {
    layout.scale.label_width =
        std::max(layout.scale.label_width, states_width(view.network().n_causes()));
  }
  return layout;
}

namespace {

std::string summary(const CategoricalView& view) {
  if (view.input->truth == nullptr) {
    return fmt::format("{} of {}", report::count_of(view.network().n_causes(), "cause"),
                       report::count_of(view.network().n_observed(), "variable"));
  }
  return fmt::format("{} of {} right", format_count(view.n_common_edges()),
                     report::count_of(view.input->scores->n_true_edges, "edge"));
}

std::string detail(const CategoricalView& view) {
  const model::LearnedCategorical& learned = *view.input->model;
  std::string out = fmt::format("{}, {}, {}", report::count_of(learned.network.n_causes(), "cause"),
                                report::count_of(learned.network.n_observed(), "variable"),
                                report::count_of(learned.network.n_edges(), "edge"));
  if (learned.n_samples > 0) out += ", " + report::count_of(learned.n_samples, "sample");
  if (!learned.learner.empty()) out += ", learned by " + report::escape(learned.learner);
  if (view.input->truth == nullptr) return out;
  const std::size_t common = view.n_common_edges();
  return out + report::wrong_and_missed(view.input->scores->n_learned_edges - common,
                                        view.input->scores->n_true_edges - common);
}

}  // namespace

std::string categorical_html_report(const CategoricalReportInput& input) {
  const CategoricalView view = view_categorical(input);
  return report::html_page(
      {input.title, summary(view), detail(view), verdict_of(view),
       report::remarks_section(input.model->remarks) + structure_section(view) +
           categorical_scores_section(view) + choices_section(view) + modes_section(view) +
           categorical_causes_section(view) + categorical_variables_section(view),
       "Causes are numbered as learned; which of a cause's states is called 0 means nothing."},
      input.colophon);
}

// ---- the map of categories

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

/// Unit squares with tooltips, a path each.
std::string told_cells(const CategoryMap& map) {
  std::string out;
  for (std::size_t at = 0; at < map.levels.size(); ++at) {
    append_text(out, "<path class=\"{}\" d=\"M{} {}h1v1h-1z\"><title>{}</title></path>",
                name_of(map.levels[at]), at % map.n_columns, at / map.n_columns,
                report::escape(map.tooltips[at]));
  }
  return out;
}

/// A strip per column that shows nothing, but can be pointed at; none where each cell can.
std::string told_columns(const CategoryMap& map) {
  if (map.tooltips.size() != map.n_columns || map.n_rows == 1) return "";
  std::string out;
  for (std::size_t c = 0; c < map.n_columns; ++c) {
    append_text(
        out, "<rect class=\"column\" x=\"{}\" width=\"1\" height=\"{}\"><title>{}</title></rect>",
        c, map.n_rows, report::escape(map.tooltips[c]));
  }
  return out;
}

/// Unit squares as a path a level; neighbours in a row of one level are one stroke.
std::string level_paths(const CategoryMap& map) {
  const std::span<const std::uint8_t> levels = map.levels;
  const std::size_t n_columns = map.n_columns;
  if (map.tooltips.size() == levels.size()) return told_cells(map);
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
  append_text(out, "<g transform=\"translate({:.0f} 0) scale({:.4g} {:.4g})\">{}{}</g>", left,
              scale.cell_width, scale.cell_height, level_paths(map), told_columns(map));
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
