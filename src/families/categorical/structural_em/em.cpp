#include "families/categorical/structural_em/em.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "families/categorical/network/inference.hpp"

namespace orrery::structural_em {
namespace {

using model::CategoricalInference;
using model::CategoricalNetwork;

/// Variables with the same parents, and where their counts are in the sums.
struct Family {
  std::vector<std::uint32_t> parents;
  std::size_t n_configurations;
  std::vector<std::uint32_t> configuration;  // of each joint state
  struct Member {
    std::size_t variable;
    std::size_t n_categories;
    std::size_t first;
  };
  std::vector<Member> members;
};

/// The sums of a pass: the log likelihood, each cause's states, each variable's table.
struct Layout {
  std::vector<Family> causes;  // without members: `first_of_cause` says where
  std::vector<std::size_t> first_of_cause;
  std::vector<Family> families;
  std::vector<std::size_t> first_of_variable;
  std::size_t size = 1;
  std::size_t most_configurations = 1;
};

Family make_family(const model::JointStates& states, const std::vector<std::uint32_t>& parents) {
  return {parents, states.n_configurations(parents), states.configurations(parents), {}};
}

Layout make_layout(const CategoricalNetwork& network, const model::JointStates& states) {
  Layout layout;
  for (std::uint32_t k = 0; k < network.n_causes(); ++k) {
    layout.causes.push_back(make_family(states, {k}));
    layout.first_of_cause.push_back(layout.size);
    layout.size += network.causes()[k].cardinality();
    layout.most_configurations =
        std::max(layout.most_configurations, network.causes()[k].cardinality());
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const model::CategoricalVariable& variable = network.variables()[i];
    auto family = std::ranges::find(layout.families, variable.parents, &Family::parents);
    if (family == layout.families.end()) {
      layout.families.push_back(make_family(states, variable.parents));
      family = layout.families.end() - 1;
    }
    family->members.push_back({i, variable.n_categories(), layout.size});
    layout.first_of_variable.push_back(layout.size);
    layout.size += variable.table.size();
    layout.most_configurations = std::max(layout.most_configurations, family->n_configurations);
  }
  return layout;
}

/// Probabilities of joint states, by rows of a table.
void collapse(const Family& family, std::span<const double> of_states, std::span<double> rows) {
  std::fill_n(rows.begin(), family.n_configurations, 0.0);
  for (std::size_t s = 0; s < of_states.size(); ++s) rows[family.configuration[s]] += of_states[s];
}

void add_row(const Layout& layout, std::span<const std::uint8_t> codes,
             std::span<const double> of_states, std::span<double> scratch, std::span<double> sums) {
  for (std::size_t k = 0; k < layout.causes.size(); ++k) {
    collapse(layout.causes[k], of_states, scratch);
    for (std::size_t state = 0; state < layout.causes[k].n_configurations; ++state) {
      sums[layout.first_of_cause[k] + state] += scratch[state];
    }
  }
  for (const Family& family : layout.families) {
    collapse(family, of_states, scratch);
    for (const Family::Member& member : family.members) {
      const std::uint8_t code = codes[member.variable];
      if (code == data::missing_code) continue;
      double* counts = sums.data() + member.first + code;
      for (std::size_t j = 0; j < family.n_configurations; ++j) {
        counts[j * member.n_categories] += scratch[j];
      }
    }
  }
}

/// A thread's own.
struct Scratch {
  std::vector<double> states;  // of the joint states: P(u | row)
  std::vector<double> rows;    // of a table
};

std::vector<double> cut(const std::vector<double>& sums, std::size_t first, std::size_t n) {
  const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

ExpectedCounts expected_counts(const CategoricalNetwork& network, const Data& data) {
  const CategoricalInference inference(network);
  const Layout layout = make_layout(network, inference.states());
  std::vector<Scratch> scratch(
      static_cast<std::size_t>(data.rows.n_threads()),
      {std::vector<double>(inference.n_states()), std::vector<double>(layout.most_configurations)});
  const std::vector<double> sums =
      data.rows.sum(layout.size, [&](std::size_t row, int thread, std::span<double> block) {
        Scratch& mine = scratch[static_cast<std::size_t>(thread)];
        inference.log_joint(data.row(row), mine.states);
        block[0] += model::normalise_log_weights(mine.states);
        add_row(layout, data.row(row), mine.states, mine.rows, block);
      });
  ExpectedCounts counts;
  counts.log_likelihood = sums[0];
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    counts.causes.push_back(cut(sums, layout.first_of_cause[k], network.causes()[k].cardinality()));
  }
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    counts.variables.push_back(
        cut(sums, layout.first_of_variable[i], network.variables()[i].table.size()));
  }
  return counts;
}

std::vector<std::vector<double>> joint_counts(const CategoricalNetwork& network, const Data& data,
                                              std::size_t first, std::size_t last) {
  const CategoricalInference inference(network);
  const std::size_t n_states = inference.n_states();
  std::vector<std::size_t> place{0};
  for (std::size_t i = first; i < last; ++i) {
    place.push_back(place.back() + network.variables()[i].n_categories() * n_states);
  }
  std::vector<std::vector<double>> scratch(static_cast<std::size_t>(data.rows.n_threads()),
                                           std::vector<double>(n_states));
  const std::vector<double> sums =
      data.rows.sum(place.back(), [&](std::size_t row, int thread, std::span<double> block) {
        std::vector<double>& of_states = scratch[static_cast<std::size_t>(thread)];
        const auto codes = data.row(row);
        inference.log_joint(codes, of_states);
        (void)model::normalise_log_weights(of_states);
        for (std::size_t i = first; i < last; ++i) {
          if (codes[i] == data::missing_code) continue;
          double* counts = block.data() + place[i - first] + codes[i] * n_states;
          for (std::size_t s = 0; s < n_states; ++s) counts[s] += of_states[s];
        }
      });
  std::vector<std::vector<double>> counts;
  for (std::size_t i = first; i < last; ++i) {
    counts.push_back(cut(sums, place[i - first], place[i - first + 1] - place[i - first]));
  }
  return counts;
}

using model::CategoricalNetwork;

CategoricalNetwork maximise(const CategoricalNetwork& network, const ExpectedCounts& counts,
                            double alpha) {
  std::vector<model::CategoricalCause> causes = network.causes();
  for (std::size_t k = 0; k < causes.size(); ++k) {
    causes[k].prior = posterior_means(counts.causes[k], causes[k].cardinality(), alpha);
  }
  std::vector<model::CategoricalVariable> variables = network.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    model::CategoricalVariable& variable = variables[i];
    variable.table = posterior_means(counts.variables[i], variable.n_categories(), alpha);
    variable.counts = counts.variables[i];
    for (double& count : variable.counts) count += alpha;
  }
  return {std::move(causes), std::move(variables)};
}

void advance(const Data& data, const FitSettings& settings, Fit& fit) {
  const ExpectedCounts counts = expected_counts(fit.network, data);
  const double objective =
      penalised_likelihood(fit.network, counts.log_likelihood, settings.score.alpha);
  const double least_gain = settings.tolerance * static_cast<double>(data.table.n_rows);
  fit.has_converged = fit.n_passes > 0 && objective - fit.objective < least_gain;
  ++fit.n_passes;
  fit.is_done = fit.has_converged || fit.n_passes > settings.max_passes;
  fit.objective = objective;
  if (fit.is_done) {
    fit.score = score_of(fit.network, counts, data.table.n_rows, settings.score);
  } else {
    fit.network = maximise(fit.network, counts, settings.score.alpha);
  }
}

// ---- the score

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
