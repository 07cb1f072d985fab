#include "families/categorical/structural_ep/independence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "families/categorical/structural_ep/dirichlet.hpp"

namespace orrery::structural_ep {
namespace {

constexpr std::size_t most_names = 8;  // in a remark

}  // namespace

model::CategoricalVariable independent_variable(const WeightedRows& observed, std::size_t i,
                                                double prior) {
  const data::CategoricalTable& table = observed.table();
  model::CategoricalVariable variable;
  variable.name = table.names[i];
  variable.categories = table.categories[i];
  variable.counts.assign(table.categories[i].size(), prior);
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t x = table.row(n)[i];
    if (x != data::missing_code) variable.counts[x] += observed.weight(n);
  }
  const double total = std::accumulate(variable.counts.begin(), variable.counts.end(), 0.0);
  for (const double count : variable.counts) variable.table.push_back(count / total);
  return variable;
}

double independent_evidence(const WeightedRows& observed, std::size_t i, double prior) {
  const auto counts = independent_variable(observed, i, prior).counts;
  return log_beta(counts) - log_beta(std::vector<double>(counts.size(), prior));
}

model::LearnedCategorical independent_network(const WeightedRows& observed, double prior) {
  std::vector<model::CategoricalVariable> variables;
  model::LearnedCategorical learned;
  for (std::size_t i = 0; i < observed.table().n_columns(); ++i) {
    variables.push_back(independent_variable(observed, i, prior));
    learned.log_evidence += independent_evidence(observed, i, prior);
  }
  learned.network = model::CategoricalNetwork({}, std::move(variables));
  learned.evidence_kind = "of independent variables, exactly";
  return learned;
}

std::vector<double> independence_gains(const WeightedRows& observed, double prior,
                                       std::span<const double> bounds) {
  const std::size_t n_columns = observed.table().n_columns();
  const std::size_t n_sets = bounds.size() / n_columns;
  std::vector<double> gains;
  for (std::size_t i = 0; i < n_columns; ++i) {
    gains.push_back(independent_evidence(observed, i, prior) -
                    std::ranges::max(bounds.subspan(i * n_sets, n_sets)));
  }
  return gains;
}

std::string independence_remark(const std::vector<std::string>& names, bool are_left) {
  if (names.empty()) return "";
  const std::size_t n_named = std::min(names.size(), most_names);
  std::string who = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n_named), ", "));
  if (names.size() > n_named) who += fmt::format(" and {} more", names.size() - n_named);
  const bool one = names.size() == 1;
  return fmt::format(
      "{} {} not depend on any cause: {} answers differ no more between states than "
      "chance makes them{}",
      who, one ? "does" : "do", one ? "its" : "their",
      are_left ? ""
               : "; the network has the edges, since --causes says how many "
                 "causes there are (auto leaves such edges out)");
}

}  // namespace orrery::structural_ep
