// How hidden causes depend on each other: couplings as arrows, or levels above them, or what
// neither explains, their covariances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "families/linear/page/page.hpp"
#include "families/linear/scores/scores.hpp"
#include "report/cause_graph.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t most_map_causes = 200;
constexpr std::size_t max_covariance_name = 16;

/// Of the causes (`truth`: true ones in their order), or of the highest level.
struct Covariances {
  const MatrixXd* values = nullptr;
  const MatrixXd* errors = nullptr;
  const std::vector<std::string>* names = nullptr;
  bool of_causes = true;
};

report::SignedMap covariance_map(const LinearView& view, const Covariances& of, bool truth) {
  report::SignedMap map;
  map.title = truth ? "True covariances" : "Covariances";
  const std::size_t k = of.names->size();
  map.n_rows = map.n_columns = k;
  for (const std::string& name : *of.names)
    map.row_labels.push_back(report::shorten(name, max_covariance_name));
  map.column_labels = map.row_labels;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto row = static_cast<Index>(i);
      const auto column = static_cast<Index>(j);
      std::optional<double> beside;
      if (view.truth && of.of_causes) {
        beside = view.truth->between(view.truth->network.covariance(), i, j);
      }
      const double value = truth ? beside.value_or(0) : (*of.values)(row, column);
      if (i == j || value == 0) continue;
      std::string text =
          truth ? report::short_number(value) : value_text(value, *of.errors, row, column);
      if (beside && !truth) text += ", true " + report::short_number(*beside);
      map.cells.push_back({i, j, value,
                           fmt::format("{} and {}: {}", (*of.names)[i], (*of.names)[j], text),
                           report::Mark::none});
    }
  }
  return map;
}

std::string covariances(const LinearView& view, const Covariances& of) {
  const std::size_t k = of.names->size();
  const char* title = of.of_causes ? "Covariances of causes" : "Covariances of the highest level";
  if (k > most_map_causes) {
    return report::scroll_section(
        title,
        fmt::format("{} causes are too many to draw; `orrery export --format json` "
                    "writes them.",
                    format_count(k)),
        "");
  }
  if (k < 2) return "";
  const bool two = view.truth.has_value() && of.of_causes;
  if (!two && of.values->isDiagonal(0)) {
    return report::empty_section(title, "No two of them are correlated: every covariance is 0.");
  }
  report::HeatMapScale scale;
  scale.cell_width = std::clamp((two ? 480. : 900.) / static_cast<double>(k), 4., 34.);
  scale.cell_height = std::clamp(scale.cell_width, 4., 20.);
  const report::SignedMap learned = covariance_map(view, of, false);
  scale.label_width = report::label_width(learned.row_labels);
  std::string body = report::signed_map(learned, scale);
  if (two) {
    body = fmt::format(
        "<div class=\"pair\"><div><p class=\"caption\">learned</p>{}</div><div><p "
        "class=\"caption\">true, of the matched causes</p>{}</div></div>",
        body, report::signed_map(covariance_map(view, of, true), scale));
  }
  return report::scroll_section(
      title,
      "E[hh&#7488;]: variances are 1, so these are correlations. " + report::signed_legend(1),
      body);
}

/// Of the causes, or of the highest level if they are not all 0.
std::string covariance_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  if (network.upper().empty()) {
    return covariances(view, {&network.covariance(), &view.learned.covariance_errors,
                              &network.cause_names(), true});
  }
  static const MatrixXd none;
  const MatrixXd& top = network.parts().covariance;
  if (top.size() == 0 || top.isDiagonal(0)) return "";
  return covariances(view, {&top, &none, &network.upper().back().names, false});
}

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t most_nodes_abreast = 200;  // nodes of a line or layer
constexpr std::size_t most_couplings = 2'000;
constexpr std::size_t most_listed_couplings = 1'000;

std::string arrow_note(bool has_truth) {
  std::string note =
      "An arrow is as wide as its value is large: " + report::legend_key("plus", "positive") +
      report::legend_key("minus", "negative");
  if (has_truth)
    note += report::legend_key("plus wrong", "not true") +
            report::legend_key("lacking", "true, not learned");
  return note + "&#8212; point at it for its numbers.";
}

report::CauseNode node_of(const std::string& name, const std::string& more) {
  return {name, more.empty() ? name : fmt::format("{}: {}", name, more)};
}

// ---- couplings

struct Couplings {
  std::vector<report::CauseNode> nodes;  // in causal order
  std::vector<report::GraphArrow> arrows;
};

std::optional<report::GraphArrow> coupling_arrow(const LinearView& view, std::size_t from,
                                                 std::size_t to) {
  const model::LinearNetwork& network = view.learned.network;
  const auto row = static_cast<Index>(to);
  const auto column = static_cast<Index>(from);
  const double value = network.coupling()(row, column);
  std::optional<double> truth;
  if (view.truth && view.truth->network.has_coupling()) {
    truth = view.truth->between(view.truth->network.coupling(), to, from).value_or(0);
  }
  if (value == 0 && truth.value_or(0) == 0) return std::nullopt;
  report::GraphArrow arrow;
  const std::string pair =
      fmt::format("{} \u2192 {}", network.cause_names()[from], network.cause_names()[to]);
  if (value == 0) {
    arrow.value = *truth;
    arrow.kind = report::ArrowKind::lacking;
    arrow.tooltip = fmt::format("{}: not learned, true {}", pair, report::short_number(*truth));
    return arrow;
  }
  arrow.value = value;
  arrow.tooltip =
      fmt::format("{}: {}", pair, value_text(value, view.learned.coupling_errors, row, column));
  if (!truth) return arrow;
  if (*truth == 0) arrow.kind = report::ArrowKind::wrong;
  arrow.tooltip += *truth == 0 ? ", not true" : ", true " + report::short_number(*truth);
  return arrow;
}

Couplings couplings_of(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const std::vector<std::size_t> order = network.causal_order();
  Couplings found;
  for (const std::size_t j : order) {
    found.nodes.push_back(
        node_of(network.cause_names()[j],
                "innovation " + report::short_number(network.innovation()(static_cast<Index>(j)))));
  }
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = 0; b < order.size(); ++b) {
      if (a == b) continue;
      std::optional<report::GraphArrow> arrow = coupling_arrow(view, order[a], order[b]);
      if (!arrow) continue;
      arrow->from = a;
      arrow->to = b;
      found.arrows.push_back(std::move(*arrow));
    }
  }
  return found;
}

std::string couplings_table(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  auto entries = strongest(network.coupling());
  const bool has_truth = view.truth && view.truth->network.has_coupling();
  std::string out =
      "<div class=\"scroll pane\" role=\"region\" aria-label=\"Couplings\" tabindex=\"0\"><table "
      "class=\"patterns\"><thead><tr><th "
      "scope=\"col\">from</th><th scope=\"col\">to</th><th scope=\"col\" "
      "class=\"n\">coupling</th>";
  out += has_truth ? "<th scope=\"col\" class=\"n\">true</th></tr></thead><tbody>\n"
                   : "</tr></thead><tbody>\n";
  entries.resize(std::min(entries.size(), most_listed_couplings));
  for (const Entry& entry : entries) {
    const auto from = static_cast<std::size_t>(entry.column);
    const auto to = static_cast<std::size_t>(entry.row);
    std::string truth;
    if (has_truth) {
      const double value =
          view.truth->between(view.truth->network.coupling(), to, from).value_or(0);
      truth =
          fmt::format("<td class=\"n\">{}</td>", value == 0 ? "none" : report::short_number(value));
    }
    append_text(
        out, "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td>{}</tr>\n",
        report::escape(network.cause_names()[from]), report::escape(network.cause_names()[to]),
        value_text(entry.value, view.learned.coupling_errors, entry.row, entry.column), truth);
  }
  return out + "</tbody></table></div>";
}

std::string coupling_section(const LinearView& view) {
  const Couplings found = couplings_of(view);
  std::string body;
  if (found.nodes.size() <= most_nodes_abreast && found.arrows.size() <= most_couplings) {
    body = report::draw_in_line("Couplings of causes", found.nodes, found.arrows);
  }
  if (view.learned.network.coupling().array().any()) body += couplings_table(view);
  return report::scroll_section(
      "Couplings of causes",
      "In causal order: each cause is what the arrows bring and an innovation of its "
      "own. " +
          arrow_note(view.truth.has_value()),
      body);
}

// ---- levels

std::string levels_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  const auto& upper = network.upper();
  std::vector<report::GraphLayer> layers(upper.size() + 1);        // from the top
  const auto noise_text = [&](std::size_t level, std::size_t i) {  // of level 0: the causes
    return level < upper.size()
               ? "noise variance " + report::short_number(upper[level].noise(static_cast<Index>(i)))
               : std::string();
  };
  for (std::size_t level = 0; level <= upper.size(); ++level) {
    report::GraphLayer& layer = layers[upper.size() - level];
    const auto& names = level == 0 ? network.cause_names() : upper[level - 1].names;
    if (names.size() > most_nodes_abreast) {
      return report::scroll_section(
          "Levels above the causes",
          fmt::format("A level of {} is too many to draw; `orrery export --format dot` "
                      "writes them for a program that draws large graphs.",
                      report::count_of(names.size(), "variable")),
          "");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      layer.nodes.push_back(node_of(names[i], noise_text(level, i)));
    }
    if (level == 0) continue;
    const auto& below = level == 1 ? network.cause_names() : upper[level - 2].names;
    for (const Entry& entry : strongest(upper[level - 1].loadings)) {
      report::GraphArrow arrow;
      arrow.from = static_cast<std::size_t>(entry.column);
      arrow.to = static_cast<std::size_t>(entry.row);
      arrow.value = entry.value;
      arrow.tooltip = fmt::format("{} \u2192 {}: {}", names[arrow.from], below[arrow.to],
                                  report::short_number(entry.value));
      layer.arrows.push_back(std::move(arrow));
    }
  }
  return report::scroll_section(
      "Levels above the causes",
      "The lowest line has the causes of the loadings above. " + arrow_note(false),
      report::draw_in_layers("Levels above the causes", layers));
}

}  // namespace

std::string dependence_section(const LinearView& view) {
  const model::LinearNetwork& network = view.learned.network;
  if (network.n_causes() == 0) return "";
  if (network.has_coupling()) return coupling_section(view);
  return (network.upper().empty() ? "" : levels_section(view)) + covariance_section(view);
}

}  // namespace orrery::linear
