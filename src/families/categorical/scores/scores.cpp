// Causes of a categorical network are known up to their order: they are matched by the assignment
// with the most edges in common, which is the one with the least difference, since
//   d = (true edges) + (learned edges) - 2 (common edges).
//
// Cost: K K' D for the edges, an assignment; a row of data as CategoricalInference says. Memory: a
// double per row. Rows are shared by threads alone: at 1,000 ranks one does it all.
#include "families/categorical/scores/scores.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/assign.hpp"
#include "base/progress.hpp"
#include "families/categorical/network/inference.hpp"
#include "orrery/base/error.hpp"
#include "report/text.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;

/// The learned variable of each true one.
std::vector<const CategoricalVariable*> partners(const CategoricalNetwork& learned,
                                                 const CategoricalNetwork& truth) {
  std::map<std::string_view, const CategoricalVariable*> by_name;
  for (const CategoricalVariable& variable : learned.variables()) {
    by_name.emplace(variable.name, &variable);
  }
  std::vector<const CategoricalVariable*> found;
  for (const CategoricalVariable& variable : truth.variables()) {
    const auto place = by_name.find(variable.name);
    if (place == by_name.end()) {
      throw InputError(fmt::format(
          "the learned network lacks '{}', a variable of the true one; variables are matched by "
          "name: give the network that the data were drawn from",
          variable.name));
    }
    found.push_back(place->second);
    by_name.erase(place);
  }
  if (by_name.empty()) return found;
  throw InputError(fmt::format(
      "the true network lacks '{}', a variable of the learned one ({} such); variables are matched "
      "by name: give the network that the data were drawn from",
      by_name.begin()->first, by_name.size()));
}

/// Edges that true cause t and learned cause l have in common: K x K' by rows.
std::vector<std::uint64_t> count_common(const CategoricalNetwork& truth,
                                        const std::vector<const CategoricalVariable*>& learned,
                                        std::size_t n_learned) {
  std::vector<std::uint64_t> common(truth.n_causes() * n_learned, 0);
  for (std::size_t i = 0; i < learned.size(); ++i) {
    for (const std::uint32_t t : truth.variables()[i].parents) {
      for (const std::uint32_t l : learned[i]->parents) ++common[t * n_learned + l];
    }
  }
  return common;
}

/// Causes without a common edge are no partners.
std::vector<std::int64_t> match_causes(const std::vector<std::uint64_t>& common, std::size_t n_true,
                                       std::size_t n_learned) {
  if (n_true == 0 || n_learned == 0) return std::vector<std::int64_t>(n_true, -1);
  std::vector<double> cost;
  for (const std::uint64_t edges : common) cost.push_back(-static_cast<double>(edges));
  std::vector<std::int64_t> match = assign_partners(cost, n_true, n_learned);
  for (std::size_t t = 0; t < n_true; ++t) {
    if (match[t] < 0) continue;
    if (common[t * n_learned + static_cast<std::size_t>(match[t])] == 0) match[t] = -1;
  }
  return match;
}

bool has_same_parents(const CategoricalVariable& learned, const CategoricalVariable& truth,
                      const std::vector<std::int64_t>& match) {
  if (learned.parents.size() != truth.parents.size()) return false;
  return std::ranges::all_of(truth.parents, [&](std::uint32_t t) {
    return match[t] >= 0 &&
           std::ranges::binary_search(learned.parents, static_cast<std::uint32_t>(match[t]));
  });
}

/// Of each row.
std::vector<double> log_likelihoods(const CategoricalNetwork& network,
                                    const data::CategoricalTable& table, const BlockShare& share) {
  const model::CategoricalInference inference(network);
  std::vector<double> found(table.n_rows);
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<std::vector<double>> scratch(static_cast<std::size_t>(omp_get_max_threads()),
                                           std::vector<double>(inference.n_states()));
#pragma omp parallel for schedule(static)
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    if (!share.has(n / 64)) continue;
    std::vector<double>& weights = scratch[static_cast<std::size_t>(omp_get_thread_num())];
    inference.log_joint(table.row(n), weights);
    found[n] = model::normalise_log_weights(weights);
  }
  share.gather(found);
  return found;
}

/// P(parents' states) of each row of a variable's table.
std::vector<double> row_probabilities(const CategoricalNetwork& network,
                                      const CategoricalVariable& variable) {
  std::vector<double> rows{1};
  for (const std::uint32_t parent : variable.parents) {
    const std::vector<double>& prior = network.causes()[parent].prior;
    std::vector<double> longer;
    for (const double of_state : prior) {
      for (const double of_row : rows) longer.push_back(of_row * of_state);
    }
    rows = std::move(longer);
  }
  return rows;
}

}  // namespace

CategoricalScores score_categorical(const CategoricalNetwork& learned,
                                    const CategoricalNetwork& truth) {
  const std::vector<const CategoricalVariable*> partner = partners(learned, truth);
  const std::vector<std::uint64_t> common = count_common(truth, partner, learned.n_causes());
  CategoricalScores scores;
  scores.match = match_causes(common, truth.n_causes(), learned.n_causes());
  scores.n_true_edges = truth.n_edges();
  scores.n_learned_edges = learned.n_edges();
  scores.difference = scores.n_true_edges + scores.n_learned_edges;
  for (std::size_t t = 0; t < scores.match.size(); ++t) {
    if (scores.match[t] < 0) continue;
    scores.difference -=
        2 * common[t * learned.n_causes() + static_cast<std::size_t>(scores.match[t])];
  }
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (has_same_parents(*partner[i], truth.variables()[i], scores.match)) {
      ++scores.n_exact_variables;
    }
  }
  return scores;
}

CategoricalLikelihood categorical_likelihood(const CategoricalNetwork& network,
                                             const data::CategoricalTable& table,
                                             const std::string& source, const BlockShare& share) {
  if (table.n_rows == 0) {
    throw InputError(fmt::format("{}: holds no row; a likelihood needs at least one", source));
  }
  const std::vector<double> of_rows =
      log_likelihoods(network, model::in_order_of(network, table, source), share);
  CategoricalLikelihood found;
  found.n_rows = table.n_rows;
  found.n_impossible = static_cast<std::uint64_t>(
      std::ranges::count_if(of_rows, [](double value) { return std::isinf(value); }));
  const auto n = static_cast<double>(of_rows.size());
  for (const double value : of_rows) found.mean += value / n;
  double squares = 0;
  for (const double value : of_rows) squares += (value - found.mean) * (value - found.mean);
  const bool has_error = found.n_impossible == 0 && of_rows.size() > 1;
  found.error =
      has_error ? std::sqrt(squares / (n - 1) / n) : std::numeric_limits<double>::quiet_NaN();
  return found;
}

CategoricalNetwork without_causes(const CategoricalNetwork& network) {
  std::vector<CategoricalVariable> variables = network.variables();
  for (CategoricalVariable& variable : variables) {
    const std::vector<double> rows = row_probabilities(network, variable);
    const std::size_t n = variable.n_categories();
    std::vector<double> marginal(n, 0);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t l = 0; l < n; ++l) marginal[l] += rows[j] * variable.table[j * n + l];
    }
    variable.table = std::move(marginal);
    variable.parents.clear();
    variable.counts.clear();
  }
  return {{}, std::move(variables)};
}

namespace {

using model::CategoricalNetwork;
using nlohmann::json;

/// "-66.14 +- 0.09".
std::string likelihood_text(const CategoricalLikelihood& likelihood) {
  if (likelihood.n_impossible > 0) return "-infinity";
  if (std::isnan(likelihood.error)) return fmt::format("{:.4f}", likelihood.mean);
  return fmt::format("{:.4f} +- {:.2g}", likelihood.mean, likelihood.error);
}

void add_likelihood(report::Section& section, const std::string& key, const char* label,
                    const CategoricalLikelihood& likelihood, const std::string& note) {
  section.data(key + "/mean", report::finite_or_null(likelihood.mean))
      .data(key + "/error", report::finite_or_null(likelihood.error))
      .data(key + "/impossible_rows", likelihood.n_impossible);
  section.show(label, likelihood_text(likelihood),
               likelihood.n_impossible == 0
                   ? note
                   : report::count_of(likelihood.n_impossible, "impossible row"));
}

/// Per row, as the likelihoods are.
void add_marginal(report::Section& section, const std::string& key, const char* label,
                  const std::optional<double>& marginal, const std::string& note) {
  if (!marginal) return;
  section.tell(key, report::finite_or_null(*marginal), label, fmt::format("{:.4f}", *marginal),
               note);
}

}  // namespace

void add_truth(report::Sheet& sheet, const CategoricalScores& scores,
               const CategoricalNetwork& learned, const CategoricalNetwork& truth) {
  report::Section& section = sheet.section("", "Scores");
  section.sentences.push_back(fmt::format(
      "{} of {} variables have all their parents right; the structures differ in {}",
      scores.n_exact_variables, truth.n_observed(), report::count_of(scores.difference, "edge")));
  section.data("true_causes", truth.n_causes())
      .data("learned_causes", learned.n_causes())
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("variables", truth.n_observed());
  section.tell(
      "difference", scores.difference, "difference in structure", format_count(scores.difference),
      fmt::format("edges of one network alone; {} true, {} learned",
                  format_count(scores.n_true_edges), format_count(scores.n_learned_edges)));
  section.tell("exact_variables", scores.n_exact_variables, "variables with all parents right",
               fmt::format("{} of {}", format_count(scores.n_exact_variables),
                           format_count(truth.n_observed())),
               "causes matched such that the difference is least");
  report::Table& matches = section.table("matches", "True causes");
  matches.most_on_page = 0;  // its table of causes has them
  for (std::size_t t = 0; t < scores.match.size(); ++t) {
    const std::string& name = truth.causes()[t].name;
    const bool found = scores.match[t] >= 0;
    const std::string partner =
        found ? learned.causes()[static_cast<std::size_t>(scores.match[t])].name : "";
    matches.row()
        .tell("true", name, "true cause", name)
        .tell("learned", found ? json(partner) : json(nullptr), "learned as",
              found ? partner : "not found");
  }
}

void add_data(report::Sheet& sheet, const CategoricalDataScores& scores) {
  report::Section& section = sheet.section("", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, over {}{}",
                  report::count_of(scores.model.n_rows, "row"),
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.model.n_rows).data("held_out", scores.held_out);
  add_likelihood(section, "log_likelihood", "this model", scores.model, "");
  if (scores.truth) {
    add_likelihood(section, "true_log_likelihood", "true network", *scores.truth, "");
  }
  if (scores.independent) {
    add_likelihood(section, "independent_log_likelihood", "independent variables",
                   *scores.independent, "the model without its causes");
  }
  add_marginal(section, "log_marginal_likelihood", "this structure", scores.marginal,
               "of the structure alone: parameters integrated out, by expectation propagation");
  add_marginal(section, "true_log_marginal_likelihood", "true structure", scores.true_marginal, "");
}

}  // namespace orrery::categorical
