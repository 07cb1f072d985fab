#include "model/beam_network.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::model {
namespace {

// No probability is so near to 0 or 1 that one state more or less would decide everything.
constexpr double least_beam = 1e-9;
constexpr double never = -1e30;

std::vector<double> leaks_of(const NoisyOrNetwork& network) {
  std::vector<double> leaks;
  for (const Observed& observed : network.observed()) leaks.push_back(observed.leak);
  return leaks;
}

std::vector<std::vector<double>> failures_of(const NoisyOrNetwork& network) {
  std::vector<std::vector<double>> failures;
  for (std::size_t c = 0; c < network.n_causes(); ++c) {
    failures.push_back(network.dense_failures(c));
  }
  return failures;
}

}  // namespace

BeamNetwork::BeamNetwork(std::span<const double> leaks,
                         std::span<const std::vector<double>> failures, const CauseNetwork& causes)
    : n_causes_(failures.size()),
      n_observed_(leaks.size()),
      width_((n_causes_ + 1 + 7) / 8 * 8),
      quiet_(n_observed_),
      log_quiet_(n_observed_),
      log_leak_(n_observed_),
      failure_(n_observed_ * width_, 1),
      inverse_(n_observed_ * width_, 1),
      log_failure_(n_observed_ * width_, 0),
      field_(width_, never),
      coupling_(std::max<std::size_t>(n_causes_, 1) * width_, 0) {
  for (std::size_t a = 0; a < n_observed_; ++a) {
    quiet_[a] = 1 - std::clamp(leaks[a], least_beam, 1 - least_beam);
    log_quiet_[a] = std::log(quiet_[a]);
    log_leak_[a] = std::log(1 - quiet_[a]);
    log_empty_ += log_quiet_[a];
  }
  field_[n_causes_] = 0;
  for (std::size_t c = 0; c < n_causes_; ++c) {
    double silent = 0;
    for (std::size_t a = 0; a < n_observed_; ++a) {
      const double failure = std::clamp(failures[c][a], least_beam, 1.0);
      const std::size_t at = a * width_ + c;
      failure_[at] = failure;
      inverse_[at] = 1 / failure;
      log_failure_[at] = std::log(failure);
      silent += log_failure_[at];
    }
    field_[c] = silent;
  }
  for (std::size_t c = 0; c < n_causes_; ++c) add_table(c, causes.tables()[c]);
}

void BeamNetwork::add_coupling(std::size_t c, std::size_t d, double log_weight) {
  coupling_[c * width_ + d] += log_weight;
  coupling_[d * width_ + c] += log_weight;
}

/// The logarithms of a table as a polynomial in the values of the cause c and its parents p, q: its
/// constant, its linear terms, and what is left of pairs and of all three.
void BeamNetwork::add_table(std::size_t c, const CauseTable& table) {
  const auto on = [&](std::size_t parents) {
    return std::clamp(table.on[parents], least_beam, 1 - least_beam);
  };
  const auto log_off = [&](std::size_t parents) { return std::log(1 - on(parents)); };
  const auto log_odds = [&](std::size_t parents) {
    return std::log(on(parents) / (1 - on(parents)));
  };
  log_empty_ += log_off(0);
  field_[c] += log_odds(0);
  for (std::size_t i = 0; i < table.parents.size(); ++i) {
    const std::size_t parent = table.parents[i];
    const std::size_t alone = std::size_t{1} << i;
    field_[parent] += log_off(alone) - log_off(0);
    add_coupling(c, parent, log_odds(alone) - log_odds(0));
  }
  if (table.parents.size() < 2) return;
  const auto beyond = [](const auto& of) { return of(3) - of(2) - of(1) + of(0); };
  const std::uint32_t p = table.parents[0];
  const std::uint32_t q = table.parents[1];
  add_coupling(p, q, beyond(log_off));
  triples_.push_back({{static_cast<std::uint32_t>(c), p, q}, beyond(log_odds)});
}

BeamNetwork::BeamNetwork(const NoisyOrNetwork& network)
    : BeamNetwork(leaks_of(network), failures_of(network), network.cause_network()) {}

bool BeamNetwork::suits(const NoisyOrNetwork& network) {
  return network.n_causes() <= most_beam_causes &&
         std::ranges::all_of(network.cause_network().tables(), [](const CauseTable& table) {
           return table.parents.size() <= most_beam_parents;
         });
}

}  // namespace orrery::model
