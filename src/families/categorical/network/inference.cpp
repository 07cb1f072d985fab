#include "families/categorical/network/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

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

}  // namespace orrery::model
