// Purpose: what a categorical network, and what was learned of one, requires of its parts.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "model/json_entry.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t most_states = 64;
constexpr std::size_t most_table_entries = std::size_t{1} << 24U;

/// `row` is one distribution; `name` says whose, in words. Scaled to sum 1, unless it does to the
/// accuracy of a sum: what was scaled once stays as it is, to the last bit.
template <class Name>
void require_distribution(std::span<double> row, const Name& name) {
  for (std::size_t l = 0; l < row.size(); ++l) {
    if (row[l] >= 0 && std::isfinite(row[l])) continue;
    throw InputError(
        fmt::format("{}[{}] = {}; a probability of 0 or more is needed", name(), l, row[l]));
  }
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (!(std::abs(sum - 1) <= text_rounding)) {
    throw InputError(
        fmt::format("{} sums to {}; it must sum to 1 within {}", name(), sum, text_rounding));
  }
  const double accuracy = static_cast<double>(row.size()) * std::numeric_limits<double>::epsilon();
  if (std::abs(sum - 1) <= accuracy) return;
  for (double& value : row) value /= sum;
}

void require_causes(std::vector<CategoricalCause>& causes) {
  std::vector<std::string> names;
  for (CategoricalCause& cause : causes) {
    names.push_back(cause.name);
    if (cause.cardinality() < 2 || cause.cardinality() > most_states) {
      throw InputError(fmt::format("cause {} has {} states; 2 to {} are needed", shown(cause.name),
                                   cause.cardinality(), most_states));
    }
    require_distribution(cause.prior,
                         [&] { return fmt::format("the prior of cause {}", shown(cause.name)); });
  }
  data::require_names(names, "causes");
}

/// `what` names the owner in words.
void require_rising(const std::vector<std::uint32_t>& parents, std::size_t n_causes,
                    const std::string& what) {
  for (std::size_t a = 0; a < parents.size(); ++a) {
    if (parents[a] < n_causes && (a == 0 || parents[a - 1] < parents[a])) continue;
    throw InputError(fmt::format("{} has the parents [{}]; rising numbers of {} causes are needed",
                                 what, fmt::join(parents, ", "), n_causes));
  }
}

/// Product of cardinalities, at most most_table_entries + 1.
std::size_t configurations_of(const std::vector<CategoricalCause>& causes,
                              const std::vector<std::uint32_t>& parents) {
  std::size_t n = 1;
  for (const std::uint32_t parent : parents) {
    n = std::min(n * causes[parent].cardinality(), most_table_entries + 1);
  }
  return n;
}

void require_table(CategoricalVariable& variable, std::size_t n_rows) {
  const std::size_t n_entries = n_rows * variable.n_categories();
  const auto require_size = [&](const std::vector<double>& values, std::string_view what) {
    if (values.size() == n_entries) return;
    throw InputError(fmt::format("the {} of {} has {} values; {} rows of {} are needed", what,
                                 shown(variable.name), values.size(), n_rows,
                                 variable.n_categories()));
  };
  require_size(variable.table, "table");
  for (std::size_t j = 0; j < n_rows; ++j) {
    const auto row =
        std::span(variable.table).subspan(j * variable.n_categories(), variable.n_categories());
    require_distribution(
        row, [&] { return fmt::format("row {} of the table of {}", j, shown(variable.name)); });
  }
  if (variable.counts.empty()) return;
  require_size(variable.counts, "counts");
  for (std::size_t e = 0; e < n_entries; ++e) {
    const double count = variable.counts[e];
    if (count > 0 && std::isfinite(count)) continue;
    throw InputError(fmt::format("row {} of the counts of {} has {}; a number above 0 is needed",
                                 e / variable.n_categories(), shown(variable.name), count));
  }
}

void require_variables(const std::vector<CategoricalCause>& causes,
                       std::vector<CategoricalVariable>& variables) {
  if (variables.empty()) throw InputError("no observed variable; at least one is needed");
  std::vector<std::string> names;
  std::size_t n_entries = 0;
  for (CategoricalVariable& variable : variables) {
    names.push_back(variable.name);
    data::require_categories(variable.categories, variable.name);
    require_rising(variable.parents, causes.size(), "observed variable " + shown(variable.name));
    const std::size_t n_rows = configurations_of(causes, variable.parents);
    n_entries += n_rows * variable.n_categories();
    if (n_entries > most_table_entries) {
      throw InputError(fmt::format(
          "tables up to that of {} ({} parents) have more than {} entries; give it fewer parents",
          shown(variable.name), variable.parents.size(), most_table_entries));
    }
    require_table(variable, n_rows);
  }
  data::require_names(names, "observed");
}

void require_structure(const LearnedCategorical& learned) {
  const auto n_sets = static_cast<Eigen::Index>(learned.parent_sets.size());
  const auto d = static_cast<Eigen::Index>(n_sets == 0 ? 0 : learned.network.n_observed());
  if (learned.structure.rows() != d || learned.structure.cols() != n_sets) {
    throw InputError(fmt::format("structure has {} rows of {} values; {} rows of {} are needed",
                                 learned.structure.rows(), learned.structure.cols(), d, n_sets));
  }
  std::set<std::vector<std::uint32_t>> seen;
  for (std::size_t s = 0; s < learned.parent_sets.size(); ++s) {
    require_rising(learned.parent_sets[s], learned.network.n_causes(),
                   fmt::format("parent_sets[{}]", s));
    if (seen.insert(learned.parent_sets[s]).second) continue;
    throw InputError(fmt::format("parent_sets[{}] repeats [{}]; sets must differ", s,
                                 fmt::join(learned.parent_sets[s], ", ")));
  }
  for (Eigen::Index i = 0; i < d; ++i) {
    std::vector<double> row(learned.structure.row(i).begin(), learned.structure.row(i).end());
    require_distribution(row, [&] { return fmt::format("structure[{}]", i); });
  }
}

}  // namespace

CategoricalNetwork::CategoricalNetwork(std::vector<CategoricalCause> causes,
                                       std::vector<CategoricalVariable> variables)
    : causes_(std::move(causes)), variables_(std::move(variables)) {
  require_causes(causes_);
  require_variables(causes_, variables_);
}

std::vector<std::string> CategoricalNetwork::names() const {
  std::vector<std::string> names;
  for (const CategoricalVariable& variable : variables_) names.push_back(variable.name);
  return names;
}

std::size_t CategoricalNetwork::n_edges() const noexcept {
  std::size_t n = 0;
  for (const CategoricalVariable& variable : variables_) n += variable.parents.size();
  return n;
}

std::size_t CategoricalNetwork::n_configurations(std::size_t i) const {
  return configurations_of(causes_, variables_[i].parents);
}

void check(const LearnedCategorical& learned) {
  require_structure(learned);
  for (std::size_t m = 0; m < learned.modes.size(); ++m) {
    const StructureMode& mode = learned.modes[m];
    if (mode.variable >= learned.network.n_observed()) {
      throw InputError(fmt::format("modes[{}] is of variable {}; there are {}, counted from 0", m,
                                   mode.variable, learned.network.n_observed()));
    }
    require_rising(mode.parents, learned.network.n_causes(), fmt::format("modes[{}]", m));
  }
}

}  // namespace orrery::model
