// What the sections of a categorical network's page share, and the sections.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "families/categorical/page/page.hpp"

namespace orrery::categorical {

struct CategoricalView {
  const CategoricalReportInput* input = nullptr;
  /// D x K: probability that a cause is among a variable's parents, summed over parent sets.
  Eigen::MatrixXd membership;
  /// Of each variable, the probability of the parents that the network has; empty: not known.
  std::vector<double> certainty;
  /// Variables from the left: by parents (those without any last), the most certain first.
  std::vector<std::size_t> columns;
  std::vector<std::size_t> column_groups;  ///< places in `columns` where other parents begin
  // Beside a truth:
  std::vector<std::int64_t> true_cause;     ///< of each learned cause, -1: none
  std::vector<std::size_t> missed;          ///< true causes that no learned one matches
  std::vector<std::size_t> true_variables;  ///< of each learned variable

  [[nodiscard]] const model::CategoricalNetwork& network() const { return input->model->network; }
  [[nodiscard]] bool is_parent(std::size_t variable, std::size_t cause) const;
  /// Of the true cause's number.
  [[nodiscard]] bool is_true_parent(std::size_t variable, std::int64_t true_cause_number) const;
};
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

}  // namespace orrery::categorical
