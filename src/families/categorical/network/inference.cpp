#include "families/categorical/network/inference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::model {
namespace {

std::size_t count_states(const std::vector<std::size_t>& cardinalities) {
  double n = 1;  // as a real number: it may be beyond any integer
  for (const std::size_t cardinality : cardinalities) n *= static_cast<double>(cardinality);
  if (n <= static_cast<double>(JointStates::most)) return static_cast<std::size_t>(n);
  throw InputError(fmt::format(
      "{} causes have {:.6g} joint states, and sums over all of them are limited to {}: use fewer "
      "causes or causes with fewer states (`orrery learn sep` learns without such sums)",
      cardinalities.size(), n, JointStates::most));
}

}  // namespace

JointStates::JointStates(std::vector<std::size_t> cardinalities)
    : cardinalities_(std::move(cardinalities)), size_(count_states(cardinalities_)) {
  states_.reserve(size_ * cardinalities_.size());
  for (std::size_t joint = 0; joint < size_; ++joint) {
    std::size_t rest = joint;
    for (const std::size_t cardinality : cardinalities_) {
      states_.push_back(static_cast<std::uint8_t>(rest % cardinality));
      rest /= cardinality;
    }
  }
}

std::size_t JointStates::n_configurations(std::span<const std::uint32_t> parents) const {
  std::size_t n = 1;
  for (const std::uint32_t parent : parents) n *= cardinalities_[parent];
  return n;
}

std::vector<std::uint32_t> JointStates::configurations(
    std::span<const std::uint32_t> parents) const {
  std::vector<std::uint32_t> rows(size_, 0);
  for (std::size_t joint = 0; joint < size_; ++joint) {
    const auto state = states(joint);
    std::size_t place = 1;
    for (const std::uint32_t parent : parents) {
      rows[joint] += static_cast<std::uint32_t>(place * state[parent]);
      place *= cardinalities_[parent];
    }
  }
  return rows;
}

namespace {

std::vector<std::size_t> cardinalities_of(const CategoricalNetwork& network) {
  std::vector<std::size_t> cardinalities;
  for (const CategoricalCause& cause : network.causes()) {
    cardinalities.push_back(cause.cardinality());
  }
  return cardinalities;
}

std::vector<double> log_priors(const CategoricalNetwork& network, const JointStates& states) {
  std::vector<double> log_prior(states.size(), 0);
  for (std::size_t joint = 0; joint < states.size(); ++joint) {
    const auto state = states.states(joint);
    for (std::size_t k = 0; k < state.size(); ++k) {
      log_prior[joint] += std::log(network.causes()[k].prior[state[k]]);
    }
  }
  return log_prior;
}

/// Logarithms of a J x L table, as L x J.
std::vector<double> transposed_logs(const std::vector<double>& table, std::size_t n_categories) {
  const std::size_t n_configurations = table.size() / n_categories;
  std::vector<double> logs(table.size());
  for (std::size_t j = 0; j < n_configurations; ++j) {
    for (std::size_t l = 0; l < n_categories; ++l) {
      logs[l * n_configurations + j] = std::log(table[j * n_categories + l]);
    }
  }
  return logs;
}

}  // namespace

CategoricalInference::CategoricalInference(const CategoricalNetwork& network)
    : states_(cardinalities_of(network)), log_prior_(log_priors(network, states_)) {
  for (std::size_t i = 0; i < network.n_observed(); ++i) {
    const CategoricalVariable& variable = network.variables()[i];
    Family& family = family_of(variable.parents);
    family.members.push_back(
        {static_cast<std::uint32_t>(i), transposed_logs(variable.table, variable.n_categories())});
    most_configurations_ = std::max(most_configurations_, family.n_configurations);
  }
}

CategoricalInference::Family& CategoricalInference::family_of(
    const std::vector<std::uint32_t>& parents) {
  const auto found = std::ranges::find(families_, parents, &Family::parents);
  if (found != families_.end()) return *found;
  return families_.emplace_back(
      Family{parents, states_.n_configurations(parents), states_.configurations(parents), {}});
}

void CategoricalInference::log_joint(std::span<const std::uint8_t> codes,
                                     std::span<double> scores) const {
  assert(scores.size() == n_states());
  std::ranges::copy(log_prior_, scores.begin());
  std::vector<double> sums(most_configurations_);
  for (const Family& family : families_) {
    const std::size_t n = family.n_configurations;
    bool is_silent = true;  // all its values are missing
    std::fill_n(sums.begin(), n, 0.0);
    for (const Family::Member& member : family.members) {
      const std::uint8_t code = codes[member.variable];
      if (code == data::missing_code) continue;
      assert((code + 1) * n <= member.log_table.size());
      is_silent = false;
      const double* logs = member.log_table.data() + code * n;
      for (std::size_t j = 0; j < n; ++j) sums[j] += logs[j];
    }
    if (is_silent) continue;
    for (std::size_t s = 0; s < scores.size(); ++s) scores[s] += sums[family.configuration[s]];
  }
}

CategoricalPosterior CategoricalInference::posterior(std::span<const std::uint8_t> codes) const {
  std::vector<double> weights(n_states());
  log_joint(codes, weights);
  CategoricalPosterior result;
  result.log_likelihood = normalise_log_weights(weights);
  if (std::isinf(result.log_likelihood)) {  // impossible: nothing is learned of the causes
    weights = log_prior_;
    normalise_log_weights(weights);
  }
  std::size_t n_marginals = 0;
  for (const std::size_t cardinality : states_.cardinalities()) n_marginals += cardinality;
  result.marginals.resize(n_marginals, 0);
  for (std::size_t joint = 0; joint < weights.size(); ++joint) {
    const auto state = states_.states(joint);
    std::size_t first = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      result.marginals[first + state[k]] += weights[joint];
      first += states_.cardinalities()[k];
    }
  }
  return result;
}

double normalise_log_weights(std::span<double> weights) {
  const double largest = *std::ranges::max_element(weights);
  if (std::isinf(largest)) return -std::numeric_limits<double>::infinity();
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
  return largest + std::log(sum);
}

// ---- rows of a table

namespace {

// Neither a category of the network nor missing; codes stay below data::max_categories.
constexpr std::uint8_t unknown_code = 254;
static_assert(unknown_code >= data::max_categories && unknown_code != data::missing_code);

using Places = std::map<std::string_view, std::size_t>;

Places places_of(const std::vector<std::string>& names) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
  return places;
}

/// The first few of `names` that `places` lacks, "'a', 'b' and 7 more"; empty if there are none.
std::string lacking(const std::vector<std::string>& names, const Places& places) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> first;
  std::size_t n = 0;
  for (const std::string& name : names) {
    if (places.contains(name)) continue;
    if (++n <= most_named) first.push_back(shown(name));
  }
  return fmt::format("{}{}", fmt::join(first, ", "),
                     n > most_named ? fmt::format(" and {} more", n - most_named) : "");
}

void require_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& given,
                     const std::string& source) {
  const std::string missing = lacking(wanted, places_of(given));
  const std::string extra = lacking(given, places_of(wanted));
  if (!missing.empty()) {
    throw InputError(fmt::format(
        "{}: no column is named {}, and the model has such variables; columns are matched by name: "
        "rename them, or add them with missing values",
        source, missing));
  }
  if (!extra.empty()) {
    log::warning("{}: columns that the model does not have are not used: {}", source, extra);
  }
}

/// The network's code of each of the table's.
using Recoding = std::array<std::uint8_t, 256>;

Recoding recode(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  Recoding codes;
  codes.fill(unknown_code);
  codes[data::missing_code] = data::missing_code;
  const Places places = places_of(to);
  for (std::size_t code = 0; code < from.size(); ++code) {
    const auto found = places.find(from[code]);
    if (found != places.end()) codes[code] = static_cast<std::uint8_t>(found->second);
  }
  return codes;
}

[[noreturn]] void refuse_category(const CategoricalVariable& variable, const std::string& category,
                                  std::uint64_t row, const std::string& source) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> known;
  for (const std::string& name : variable.categories) {
    if (known.size() == most_shown) {
      known.emplace_back("...");
      break;
    }
    known.push_back(shown(name));
  }
  throw InputError(fmt::format(
      "{}: row {} (the first is 0), column {}: the model does not know the category {}; it knows "
      "{}: correct the value, declare it missing, or learn from data that have it",
      source, row, shown(variable.name), shown(category), fmt::join(known, ", ")));
}

}  // namespace

data::CategoricalTable in_order_of(const CategoricalNetwork& network,
                                   const data::CategoricalTable& table, const std::string& source) {
  data::CategoricalTable sorted;
  sorted.names = network.names();
  sorted.n_rows = table.n_rows;
  require_columns(sorted.names, table.names, source);
  const Places places = places_of(table.names);
  std::vector<std::size_t> column;
  std::vector<Recoding> recoding;
  for (const CategoricalVariable& variable : network.variables()) {
    sorted.categories.push_back(variable.categories);
    column.push_back(places.at(variable.name));
    recoding.push_back(recode(table.categories[column.back()], variable.categories));
  }
  sorted.codes.reserve(table.codes.size());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const auto row = table.row(n);
    for (std::size_t i = 0; i < column.size(); ++i) {
      const std::uint8_t code = row[column[i]];
      sorted.codes.push_back(recoding[i][code]);
      if (sorted.codes.back() != unknown_code) continue;
      refuse_category(network.variables()[i], table.categories[column[i]][code], n, source);
    }
  }
  return sorted;
}

data::CategoricalTable first_rows(const data::CategoricalTable& table, std::uint64_t most) {
  data::CategoricalTable part{table.names, table.categories, std::min(table.n_rows, most), {}};
  const auto n = static_cast<std::ptrdiff_t>(part.n_rows * table.n_columns());
  part.codes.assign(table.codes.begin(), table.codes.begin() + n);
  return part;
}

}  // namespace orrery::model
