// A learned linear network for people: one self-contained HTML page with its loading matrix and the
// graph of its causes.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/linear/scores/scores.hpp"
#include "orrery/model/linear_network.hpp"
#include "report/page.hpp"

namespace orrery::linear {

struct LinearReportInput {
  const model::LearnedLinear* model = nullptr;
  std::string title;                            ///< of the page; escaped
  report::Colophon colophon;                    ///< where the model came from
  const model::LinearNetwork* truth = nullptr;  ///< optional: the model's variables in their order
  const LinearScores* scores = nullptr;         ///< given iff truth is
};

std::string linear_html_report(const LinearReportInput& input);

// What the sections of the page share, and the sections.

/// A truth as the learned network would have told it.
struct TruthBeside {
  model::LinearNetwork network;     ///< canonical, its causes in their own order
  std::vector<std::int64_t> of;     ///< of each learned cause the true one, -1: none
  std::vector<double> sign;         ///< of each learned cause: learned = sign * true
  std::vector<std::size_t> missed;  ///< true causes without a partner

  /// The true entry for the learned pair (or row, column); empty without a partner.
  [[nodiscard]] std::optional<double> loading(std::size_t i, std::size_t cause) const;
  [[nodiscard]] std::optional<double> between(const Eigen::MatrixXd& of_causes, std::size_t row,
                                              std::size_t column) const;
};

struct LinearView {
  const LinearReportInput* input = nullptr;
  model::LearnedLinear learned;     ///< canonical
  Eigen::VectorXd deviations;       ///< of the observed variables, as learned
  std::vector<std::string> titles;  ///< of the causes
  std::optional<TruthBeside> truth;
};
LinearView view_linear(const LinearReportInput& input);

/// "0.82 ± 0.01", or without its error where `errors` is empty or not a number.
std::string value_text(double value, const Eigen::MatrixXd& errors, Eigen::Index row,
                       Eigen::Index column);

/// In standard deviations of variable i, as learned: so units do not count, and equal loadings look
/// alike, learned or true.
double in_deviations(const LinearView& view, std::size_t i, double loading);

// Sections are HTML.
/// Variables x causes as a map; beyond what a map can show the strongest entries as a table.
std::string loadings_section(const LinearView& view);
/// Couplings as arrows, or levels above, and covariances.
std::string dependence_section(const LinearView& view);
/// A line per cause: its strongest variables.
std::string causes_section(const LinearView& view);
/// A line per variable: noise, and the share of its variance that the causes explain.
std::string variables_section(const LinearView& view);
std::string rank_section(const LinearView& view);
std::string linear_scores_section(const LinearView& view);

}  // namespace orrery::linear
