// Purpose: random categorical networks.
// Source: Lazic, Bishop, Winn 2013, Sec. 6.1; parameters after Chickering and Meek 2002: row j of a
//         table is drawn from a Dirichlet distribution around the basis 1, 1/2, ..., 1/L, scaled to
//         sum 1 and shifted to the right by j mod L, so that neighbouring states differ.
// Cost: O(K) a variable and a gamma quantile per entry.
// Order of draws: of variable i from RowRandom(seed, Stream::structure, i) the number of parents,
// then which; from Stream::parameters, i one uniform an entry of its table, turned into a gamma
// variable by its quantile function.
#include "families/categorical/network/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::model {
namespace {

constexpr std::string_view categorical_prefix = "categorical:";
constexpr std::string_view categorical_form =
    "categorical:PARENTS,CAUSES,VARIABLES[,CATEGORIES[,CARDINALITY]]";
constexpr std::uint32_t most_categorical_parents = 8;
constexpr std::uint32_t most_categorical_causes = 1'000;
constexpr std::uint32_t most_categorical_observed = 100'000;
constexpr double most_drawn_entries = 0x1p24;  // as the network allows
// Below 1 the gamma variables of a row could all be too small for a double.
constexpr double least_concentration = 1;
constexpr double most_concentration = 1e6;

void require_table_room(const CategoricalDesign& design) {
  const double entries =
      std::pow(design.cardinality, design.max_parents) * design.n_categories * design.n_observed;
  if (entries <= most_drawn_entries) return;
  throw UsageError(fmt::format(
      "{}: tables of {} variables with {} categories and {} parents of {} states may have {} "
      "entries; at most {} are possible",
      categorical_form, design.n_observed, design.n_categories, design.max_parents,
      design.cardinality, entries, most_drawn_entries));
}

void require_concentration(double concentration) {
  if (concentration == 0 ||
      (concentration >= least_concentration && concentration <= most_concentration)) {
    return;
  }
  throw UsageError(fmt::format(
      "a concentration of {}: 0 (rows are as the basis says), or {} to {} pseudocounts are needed",
      concentration, least_concentration, most_concentration));
}

/// 1, 1/2, ..., 1/n scaled to sum 1, shifted to the right by `shift`.
std::vector<double> shifted_basis(std::size_t n, std::size_t shift) {
  std::vector<double> basis(n);
  double sum = 0;
  for (std::size_t l = 0; l < n; ++l) {
    basis[(l + shift) % n] = 1 / static_cast<double>(l + 1);
    sum += 1 / static_cast<double>(l + 1);
  }
  for (double& value : basis) value /= sum;
  return basis;
}

/// A draw from the Dirichlet distribution of `concentration` times `centre`.
void draw_around(std::span<double> centre, double concentration, RowRandom& random) {
  double sum = 0;
  for (double& value : centre) {
    // In the middle of the 2^53 cells of a uniform number: never 0, never 1.
    value = boost::math::gamma_p_inv(concentration * value, random.uniform() + 0x1p-54);
    sum += value;
  }
  for (double& value : centre) value /= sum;
}

/// A number of parents from 1 to max_parents, then a set of that size, each equally likely.
std::vector<std::uint32_t> draw_parents(const CategoricalDesign& design, RowRandom random) {
  std::vector<std::uint32_t> causes(design.n_causes);
  std::iota(causes.begin(), causes.end(), 0U);
  const std::size_t n = 1 + random.below(design.max_parents);
  for (std::size_t a = 0; a < n; ++a) {
    std::swap(causes[a], causes[a + random.below(causes.size() - a)]);
  }
  causes.resize(n);
  std::ranges::sort(causes);
  return causes;
}

std::vector<std::string> numbered_categories(std::size_t n) {
  std::vector<std::string> categories;
  for (std::size_t l = 0; l < n; ++l) categories.push_back(fmt::format("{}", l));
  return categories;
}

}  // namespace

CategoricalDesign parse_categorical_design(const std::string& text) {
  if (!text.starts_with(categorical_prefix)) {
    throw UsageError(fmt::format("{}: no categorical network; write {}", text, categorical_form));
  }
  const std::string_view rest = std::string_view(text).substr(categorical_prefix.size());
  const auto n_values =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(std::ranges::count(rest, ','), 2, 4)) + 1;
  const auto values = parse_values(categorical_form, rest, n_values);
  const auto whole = [&](const char* name, std::size_t at, std::uint32_t low, std::uint32_t high) {
    return parse_whole(fmt::format("{}: {}", categorical_form, name), values[at], low, high);
  };
  constexpr auto most_codes = static_cast<std::uint32_t>(data::max_categories);
  CategoricalDesign design;
  design.n_causes = whole("CAUSES", 1, 1, most_categorical_causes);
  design.max_parents = whole("PARENTS", 0, 1, std::min(most_categorical_parents, design.n_causes));
  design.n_observed = whole("VARIABLES", 2, 1, most_categorical_observed);
  if (n_values > 3) design.n_categories = whole("CATEGORIES", 3, 2, most_codes);
  if (n_values > 4) design.cardinality = whole("CARDINALITY", 4, 2, most_codes);
  require_table_room(design);
  return design;
}

bool is_categorical_spec(std::string_view text) {
  return text == "categorical" || text.starts_with(categorical_prefix);
}

std::string categorical_generator_help() {
  return fmt::format(
      "{} (variables with 1 to PARENTS of the hidden causes; 4 categories, causes of 2 states)",
      categorical_form);
}

CategoricalNetwork draw_categorical(const CategoricalDesign& design, std::uint64_t seed) {
  require_concentration(design.concentration);
  std::vector<CategoricalCause> causes;
  for (std::uint32_t k = 0; k < design.n_causes; ++k) {
    causes.push_back({fmt::format("cause {}", k + 1), shifted_basis(design.cardinality, 0)});
  }
  std::vector<CategoricalVariable> variables;
  for (std::uint32_t i = 0; i < design.n_observed; ++i) {
    CategoricalVariable variable;
    variable.name = fmt::format("x{}", i + 1);
    variable.categories = numbered_categories(design.n_categories);
    variable.parents = draw_parents(design, RowRandom(seed, Stream::structure, i));
    RowRandom parameters(seed, Stream::parameters, i);
    std::size_t n_rows = 1;
    for (std::size_t a = 0; a < variable.parents.size(); ++a) n_rows *= design.cardinality;
    for (std::size_t j = 0; j < n_rows; ++j) {
      std::vector<double> row = shifted_basis(design.n_categories, j % design.n_categories);
      if (design.concentration > 0) draw_around(row, design.concentration, parameters);
      variable.table.insert(variable.table.end(), row.begin(), row.end());
    }
    variables.push_back(std::move(variable));
  }
  return {std::move(causes), std::move(variables)};
}

}  // namespace orrery::model
