// Covariances of hidden variables that nothing explains, as a map.
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "families/linear/page/view.hpp"
#include "report/sections.hpp"
#include "report/signed_map.hpp"
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

}  // namespace

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

}  // namespace orrery::linear
