// What is told of a linear network: of itself, beside the true one, and of data; sections of a
// sheet, for `evaluate` and the page.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/linear/scores/scores.hpp"
#include "orrery/model/linear_network.hpp"
#include "report/sheet.hpp"

namespace orrery::linear {

/// What of a matrix is worth naming first.
struct Entry {
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  double value = 0;
};
/// Entries other than 0, those of the largest size first (equal ones: column after column).
std::vector<Entry> strongest(const Eigen::MatrixXd& matrix);

/// Causes with their strongest edges, dependence of causes, levels, the rank test. For JSON alone
/// unless `shown`.
void add_model(report::Section& section, const model::LearnedLinear& learned, bool shown);

void add_truth(report::Sheet& sheet, const LinearScores& scores, const model::LinearNetwork& truth,
               const model::LinearNetwork& learned);

/// Mean log-likelihoods per row, nats, of what is there of it.
struct LinearDataScores {
  std::uint64_t n_rows = 0;
  std::uint64_t n_missing = 0;  ///< values
  bool held_out = true;         ///< false: the very samples that the model was learned from
  double model = 0;
  double independent = 0;  ///< the model's means and variances alone
  std::optional<double> truth;
};
void add_data(report::Sheet& sheet, const LinearDataScores& scores);

}  // namespace orrery::linear
