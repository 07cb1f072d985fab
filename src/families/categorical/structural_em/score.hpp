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
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_em {

struct ExpectedCounts;  // em.hpp

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

}  // namespace orrery::structural_em
