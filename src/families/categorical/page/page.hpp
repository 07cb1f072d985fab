// A learned categorical network for people: one self-contained HTML page with the posterior of its
// structure above the sorted data (Lazic, Bishop, Winn 2013, Figures 6 and 7).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "families/categorical/scores/scores.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"

namespace orrery::categorical {

struct CategoricalReportInput {
  const model::LearnedCategorical* model = nullptr;
  std::string title;                                 ///< of the page; escaped
  report::Colophon colophon;                         ///< where the model came from
  const model::CategoricalNetwork* truth = nullptr;  ///< optional; with the model's variables
  const CategoricalScores* scores = nullptr;         ///< given iff truth is
  /// Optional: columns and codes are those of the model's variables.
  const data::CategoricalTable* data = nullptr;
  std::vector<std::uint8_t> states;  ///< with data: n_rows x K, the most probable of each cause
  const CategoricalLikelihood* likelihood = nullptr;  ///< optional: of the data
  /// Given iff likelihood is: of the same data, by the model's frequencies alone (without_causes).
  const CategoricalLikelihood* independent = nullptr;
  bool held_out = true;  ///< false: the very samples that the model was learned from
};

std::string categorical_html_report(const CategoricalReportInput& input);

// What the sections of the page share, and the sections.

struct CategoricalView {
  const CategoricalReportInput* input = nullptr;
  /// D x K: probability that a cause is among a variable's parents, summed over parent sets.
  Eigen::MatrixXd membership;
  /// Of each variable, the probability of the parents that the network has; empty: not known.
  std::vector<double> certainty;
  /// Variables from the left: by parents (those without any last), the most certain first.
  std::vector<std::size_t> columns;
  std::vector<std::string> titles;         ///< of the causes
  std::vector<std::size_t> column_groups;  ///< places in `columns` where other parents begin
  // Beside a truth:
  std::vector<std::int64_t> true_cause;     ///< of each learned cause, -1: none
  std::vector<std::size_t> missed;          ///< true causes that no learned one matches
  std::vector<std::size_t> true_variables;  ///< of each learned variable

  [[nodiscard]] const model::CategoricalNetwork& network() const { return input->model->network; }
  [[nodiscard]] bool is_parent(std::size_t variable, std::size_t cause) const;
  /// Beside a truth: edges that both networks have.
  [[nodiscard]] std::size_t n_common_edges() const;
  /// Of the true cause's number.
  [[nodiscard]] bool is_true_parent(std::size_t variable, std::int64_t true_cause_number) const;
};
/// What speaks for the model, and what to distrust, as far as it is known.
report::Verdict verdict_of(const CategoricalView& view);
/// Throws InputError if the truth lacks a variable.
CategoricalView view_categorical(const CategoricalReportInput& input);

/// "cause 1, cause 3", or "none"; not escaped.
std::string parents_text(const model::CategoricalNetwork& network,
                         const std::vector<std::uint32_t>& parents);

// Sections are HTML.
/// Variables x causes, the truth above, the sorted data below in the same columns.
std::string structure_section(const CategoricalView& view);
/// Numbers of causes that were tried, and what held-out rows say of them.
std::string choices_section(const CategoricalView& view);
std::string categorical_scores_section(const CategoricalView& view);
std::string categorical_causes_section(const CategoricalView& view);
/// A line per variable: parents, other parents that are possible, its conditional tables.
std::string categorical_variables_section(const CategoricalView& view);
/// Structures that the posterior does not rule out, with their evidence.
std::string modes_section(const CategoricalView& view);

// Which variables the maps of the structure and of the data show, and where: column under column.

/// Of all maps; of more variables so many are shown.
inline constexpr std::size_t most_map_columns = 400;

/// What all maps of the section share.
struct CategoricalLayout {
  std::vector<std::size_t> variables;      // from the left
  std::vector<std::size_t> column_groups;  // places in `variables`
  report::HeatMapScale scale;
};

/// `row_labels`: of all maps.
CategoricalLayout categorical_layout(const CategoricalView& view,
                                     const std::vector<std::string>& row_labels);

/// `shown` of n places, evenly.
std::vector<std::size_t> thinned(std::size_t n, std::size_t shown);
/// The places in `kept` where a group begins, given where groups begin before thinning.
std::vector<std::size_t> groups_among(const std::vector<std::size_t>& kept,
                                      const std::vector<std::size_t>& groups);

// ---- the map of categories
//
// A matrix of categories as inline SVG: rows by columns, a colour per category. Fixed codes in,
// fixed bytes out.

/// Places on the scale of colours, from a variable's first category to its last.
inline constexpr std::size_t n_category_levels = 64;
/// The level of a value that is not there: a colour off the scale.
inline constexpr std::uint8_t missing_level = 255;
/// A variable of `n_categories`: its first category is level 0, its last the highest.
std::uint8_t category_level(std::size_t code, std::size_t n_categories);

struct CategoryMap {
  std::string title;
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<std::uint8_t> levels;  ///< n_rows x n_columns by rows
  /// Of each cell, or of each column if there are too many cells; escaped here.
  std::vector<std::string> tooltips{};
  /// Beside each row, left of the map, a narrow square of each cause's state, shaded.
  std::size_t n_causes = 0;
  std::vector<report::Cell> states;
  std::vector<std::size_t> row_groups;     ///< rows above which a line is drawn
  std::vector<std::size_t> column_groups;  ///< columns left of which a line is drawn
};
/// Pixels that the states of a row take, left of the map: `scale.label_width` is at least this.
double states_width(std::size_t n_causes);
std::string category_map(const CategoryMap& map, const report::HeatMapScale& scale);

/// A style element with the colours of these levels, in light and dark.
std::string category_style(const std::vector<std::uint8_t>& levels);
/// A small square of a level's colour.
std::string category_box(std::uint8_t level);

}  // namespace orrery::categorical
