// A network as rows need it: by variable, with what a row of negative findings makes of each cause.
#include <algorithm>
#include <cmath>

#include "model/log_numbers.hpp"
#include "orrery/model/inference.hpp"

namespace orrery::model {
namespace {

/// log(e^a + e^b).
double log_add(double a, double b) {
  const double larger = std::max(a, b);
  return larger == -infinity ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

}  // namespace

double InferenceNetwork::CauseWeights::log_present_now() const noexcept {
  return n_certain > 0 ? -infinity : log_present;
}

double InferenceNetwork::CauseWeights::log_sum() const noexcept {
  return log_add(log_absent, log_present_now());
}

InferenceNetwork::InferenceNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0), parents_(network.edges().size()) {
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    leak_.push_back(network.observed()[a].leak);
    if (leak_[a] == 1) {
      leaking_.push_back(a);
    } else {
      log_silent_ += std::log1p(-leak_[a]);
    }
  }
  for (const Cause& cause : network.causes()) {
    causes_.push_back({std::log1p(-cause.prior), std::log(cause.prior), 0});
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  for (std::size_t a = 0; a < leak_.size(); ++a) first_parent_[a + 1] += first_parent_[a];
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (const Edge& edge : network.edges()) {
    const double log_failure = edge.failure > 0 ? std::log(edge.failure) : 0;
    parents_[next[edge.observed]++] = {edge.cause, edge.failure, log_failure};
    causes_[edge.cause].log_present += log_failure;
    if (edge.failure == 0) ++causes_[edge.cause].n_certain;
  }
  for (std::uint32_t c = 0; c < causes_.size(); ++c) {
    const double log_sum = causes_[c].log_sum();
    if (log_sum == -infinity) {
      contradicting_.push_back(c);
      silent_posterior_.push_back(1);
      silent_absence_.push_back(0);
    } else {
      log_silent_ += log_sum;
      silent_posterior_.push_back(std::exp(causes_[c].log_present_now() - log_sum));
      silent_absence_.push_back(std::exp(causes_[c].log_absent - log_sum));
    }
  }
}

}  // namespace orrery::model
