#include "families/categorical/structural_em/score.hpp"

#include <cassert>
#include <cmath>

#include "families/categorical/structural_em/em.hpp"

namespace orrery::structural_em {
namespace {

double sum_of_logs(std::span<const double> table) {
  double sum = 0;
  for (const double probability : table) sum += std::log(probability);
  return sum;
}

}  // namespace

double log_marginal(std::span<const double> counts, std::size_t n_categories, double alpha) {
  assert(counts.size() % n_categories == 0);
  const double all_alpha = alpha * static_cast<double>(n_categories);
  double sum = 0;
  for (std::size_t first = 0; first < counts.size(); first += n_categories) {
    double n = 0;
    for (const double count : counts.subspan(first, n_categories)) {
      sum += std::lgamma(alpha + count) - std::lgamma(alpha);
      n += count;
    }
    sum += std::lgamma(all_alpha) - std::lgamma(all_alpha + n);
  }
  return sum;
}

double complete_log_likelihood(std::span<const double> counts, std::span<const double> table) {
  assert(counts.size() == table.size());
  double sum = 0;
  for (std::size_t e = 0; e < counts.size(); ++e) sum += counts[e] * std::log(table[e]);
  return sum;
}

std::vector<double> posterior_means(std::span<const double> counts, std::size_t n_categories,
                                    double alpha) {
  std::vector<double> table;
  table.reserve(counts.size());
  for (std::size_t first = 0; first < counts.size(); first += n_categories) {
    const auto row = counts.subspan(first, n_categories);
    double n = alpha * static_cast<double>(n_categories);
    for (const double count : row) n += count;
    for (const double count : row) table.push_back((count + alpha) / n);
  }
  return table;
}

double table_score(std::span<const double> counts, std::span<const double> table,
                   std::size_t n_categories, std::uint64_t n_rows, const ScoreSettings& settings) {
  if (settings.kind == ScoreKind::bic) {
    const std::size_t n_free = counts.size() / n_categories * (n_categories - 1);
    return -.5 * std::log(static_cast<double>(n_rows)) * static_cast<double>(n_free);
  }
  return log_marginal(counts, n_categories, settings.alpha) -
         complete_log_likelihood(counts, table);
}

double score_of(const model::CategoricalNetwork& network, const ExpectedCounts& counts,
                std::uint64_t n_rows, const ScoreSettings& settings) {
  double score = counts.log_likelihood;
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    const std::vector<double>& prior = network.causes()[k].prior;
    score += table_score(counts.causes[k], prior, prior.size(), n_rows, settings);
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const model::CategoricalVariable& variable = network.variables()[i];
    score +=
        table_score(counts.variables[i], variable.table, variable.n_categories(), n_rows, settings);
  }
  return score;
}

double penalised_likelihood(const model::CategoricalNetwork& network, double log_likelihood,
                            double alpha) {
  double sum = 0;
  for (const auto& cause : network.causes()) sum += sum_of_logs(cause.prior);
  for (const auto& variable : network.variables()) sum += sum_of_logs(variable.table);
  return log_likelihood + alpha * sum;
}

}  // namespace orrery::structural_em
