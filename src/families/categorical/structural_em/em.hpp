// EM for the tables of a network whose edges are given. The E-step: what the rows are expected to
// count, the causes' states given the values of each row. The M-step: tables at the posterior
// means. And how good a network is: its score.
//
// A missing value is left out of the completed data: given the causes it says nothing of anything.
//
// Cost: a row as CategoricalInference says, and once more for the counts. Memory: 56 bytes a count
// and thread (RowShare), of which the full network has S L a variable, S joint states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_em {

/// Rows as ranks and threads share them; every rank holds the table.
struct Data {
  const data::CategoricalTable& table;
  const learning::RowShare& rows;

  [[nodiscard]] std::span<const std::uint8_t> row(std::size_t own) const {
    return table.row(rows.first() + own);
  }
};

struct ExpectedCounts {
  std::vector<std::vector<double>> causes;     ///< K: rows in each state
  std::vector<std::vector<double>> variables;  ///< D: as the variable's table, J x L by rows
  double log_likelihood = 0;                   ///< log P(D | theta, G)
};

/// Collective.
[[nodiscard]] ExpectedCounts expected_counts(const model::CategoricalNetwork& network,
                                             const Data& data);

/// Of the variables [first, last): counts by category and joint state of all causes, L x S each,
/// from which those of any parents follow. Collective.
[[nodiscard]] std::vector<std::vector<double>> joint_counts(
    const model::CategoricalNetwork& network, const Data& data, std::size_t first,
    std::size_t last);

// ---- the score

// How good a network is: the Cheeseman-Stutz approximation of its marginal likelihood, or BIC.
//
// Chickering, Heckerman 1997, "Efficient approximations for the marginal likelihood of Bayesian
// networks with hidden variables" (Cheeseman, Stutz 1996):
//
//   log P(D|G) ~ log P(D'|G) - log P(D'|theta,G) + log P(D|theta,G)
//
//   paper            code                     what
//   D'               counts                   the completed data: expected counts
//   P(D'|G)          log_marginal             tables integrated out: Dirichlet-multinomial
//   P(D'|theta,G)    complete_log_likelihood  at the tables
//   P(D|theta,G)     log_likelihood           the causes summed out
//   theta            posterior_means          (count + alpha) / (sum + L alpha)
//
// These theta are the most probable ones where Dirichlet densities are those of log-odds: EM with
// them raises log P(D|theta,G) + alpha * (sum of log theta).

enum class ScoreKind : std::uint8_t { cheeseman_stutz, bic };

struct ScoreSettings {
  ScoreKind kind = ScoreKind::cheeseman_stutz;
  double alpha = 1;  ///< Dirichlet pseudocount of each category, and of each state of a cause
};

// Tables and counts are J x L by rows; a distribution has one row.

/// Log of the probability of complete data with these counts, tables integrated out.
[[nodiscard]] double log_marginal(std::span<const double> counts, std::size_t n_categories,
                                  double alpha);
/// sum of counts * log table
[[nodiscard]] double complete_log_likelihood(std::span<const double> counts,
                                             std::span<const double> table);
[[nodiscard]] std::vector<double> posterior_means(std::span<const double> counts,
                                                  std::size_t n_categories, double alpha);

/// What a table adds to the score beside the likelihood of the rows.
[[nodiscard]] double table_score(std::span<const double> counts, std::span<const double> table,
                                 std::size_t n_categories, std::uint64_t n_rows,
                                 const ScoreSettings& settings);
/// The network's score; `counts` are expected under it.
[[nodiscard]] double score_of(const model::CategoricalNetwork& network,
                              const ExpectedCounts& counts, std::uint64_t n_rows,
                              const ScoreSettings& settings);
/// What EM raises.
[[nodiscard]] double penalised_likelihood(const model::CategoricalNetwork& network,
                                          double log_likelihood, double alpha);

// ---- expectation and maximisation

struct FitSettings {
  ScoreSettings score;
  std::uint64_t max_passes = 200;  ///< M-steps
  double tolerance = 1e-6;         ///< EM ends when a pass gains less, nats per row
};

struct Fit {
  model::CategoricalNetwork network;
  // Of `network`, once a pass has been made.
  double objective = 0;  ///< penalised likelihood
  double score = 0;
  std::uint64_t n_passes = 0;  ///< E-steps
  bool is_done = false;
  bool has_converged = false;
};

/// The M-step: the network with its tables and priors at the posterior means of `counts`, and the
/// variables' pseudocounts.
[[nodiscard]] model::CategoricalNetwork maximise(const model::CategoricalNetwork& network,
                                                 const ExpectedCounts& counts, double alpha);

/// An E-step, which scores fit.network, then an M-step unless that was the last pass. Collective.
void advance(const Data& data, const FitSettings& settings, Fit& fit);

}  // namespace orrery::structural_em
