#include "families/categorical/explained_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::categorical {

using model::CategoricalInference;
using model::CategoricalNetwork;

family::RowWords words_of(const CategoricalNetwork& network) {
  family::RowWords words;
  for (const auto& cause : network.causes()) {
    for (std::size_t s = 0; s < cause.cardinality(); ++s) {
      words.causes.push_back(fmt::format("{} = {}", cause.name, s));
      words.priors.push_back(cause.prior[s]);
    }
  }
  for (const auto& variable : network.variables()) {
    for (const std::string& category : variable.categories) {
      words.findings.push_back(fmt::format("{} = {}", variable.name, category));
    }
  }
  return words;
}

namespace {

/// The states to explain: those of the cause that is named (or the one state), else likely ones.
std::vector<std::uint32_t> explained_states(const CategoricalNetwork& network,
                                            const family::ExplainOptions& options,
                                            const std::vector<double>& marginals,
                                            const std::vector<std::string>& states) {
  const std::string& wanted = options.cause;
  if (wanted.empty()) return family::likely_causes(options, marginals);
  const auto state = std::ranges::find(states, wanted);
  if (state != states.end()) return {static_cast<std::uint32_t>(state - states.begin())};
  std::vector<std::uint32_t> found;
  std::uint32_t first = 0;
  for (const auto& cause : network.causes()) {
    for (std::uint32_t s = 0; s < cause.cardinality() && cause.name == wanted; ++s) {
      found.push_back(first + s);
    }
    first += static_cast<std::uint32_t>(cause.cardinality());
  }
  if (!found.empty()) return found;
  throw UsageError(fmt::format(
      "--cause {}: the model has no such cause or state; `orrery info MODEL` lists its {} causes",
      wanted, network.n_causes()));
}

/// P of all other states of the same cause: 1 - P(state), with its digits where that is small.
std::vector<double> absences(const CategoricalNetwork& network,
                             const std::vector<double>& marginals) {
  std::vector<double> absence(marginals.size(), 0);
  std::size_t first = 0;
  for (const auto& cause : network.causes()) {
    const std::size_t end = first + cause.cardinality();
    for (std::size_t s = first; s < end; ++s) {
      for (std::size_t other = first; other < end; ++other) {
        if (other != s) absence[s] += marginals[other];
      }
    }
    first = end;
  }
  return absence;
}

std::vector<double> state_log_odds(const CategoricalNetwork& network,
                                   const std::vector<double>& marginals) {
  const std::vector<double> absence = absences(network, marginals);
  std::vector<double> odds;
  for (std::size_t s = 0; s < marginals.size(); ++s) {
    odds.push_back(family::log_odds(marginals[s], absence[s]));
  }
  return odds;
}

}  // namespace

std::vector<family::ExplainedCause> explain_states(const CategoricalNetwork& network,
                                                   const CategoricalInference& inference,
                                                   const family::ExplainOptions& options,
                                                   std::span<const std::uint8_t> row) {
  const auto posterior = inference.posterior(row);
  if (std::isinf(posterior.log_likelihood)) return {};
  const family::RowWords words = words_of(network);
  const std::vector<double> odds = state_log_odds(network, posterior.marginals);
  const std::vector<double> prior_odds = state_log_odds(network, words.priors);
  std::vector<family::ExplainedCause> explained;
  const auto states = explained_states(network, options, posterior.marginals, words.causes);
  for (const std::uint32_t s : states) {
    explained.push_back({words.causes[s],
                         std::min(posterior.marginals[s], 1.0),
                         0,
                         words.priors[s],
                         prior_odds[s],
                         odds[s],
                         {}});
  }
  std::vector<std::uint8_t> fewer(row.begin(), row.end());
  for (std::size_t i = 0; i < fewer.size(); ++i) {
    if (row[i] == data::missing_code) continue;
    fewer[i] = data::missing_code;
    const auto without = state_log_odds(network, inference.posterior(fewer).marginals);
    fewer[i] = row[i];
    const auto& variable = network.variables()[i];
    for (std::size_t k = 0; k < states.size(); ++k) {
      explained[k].findings.push_back({variable.name, variable.categories[row[i]], std::nullopt,
                                       odds[states[k]] - without[states[k]]});
    }
  }
  for (family::ExplainedCause& cause : explained) family::sort_findings(cause.findings);
  return explained;
}

}  // namespace orrery::categorical
