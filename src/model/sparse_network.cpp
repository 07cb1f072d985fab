#include "model/sparse_network.hpp"

#include <limits>
#include <numeric>

#include "model/numbers.hpp"

namespace orrery::model {

using sparse::inside;
using sparse::least_log_bound;

namespace {

constexpr double rounding = 1e-16;  // of a log-likelihood beyond 1

}  // namespace

SparseNetwork::SparseNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0),
      reaches_(network.edges().size()),
      parents_(network.edges().size()),
      first_child_(network.n_causes() + 1, 0) {
  for (const Observed& observed : network.observed()) {
    quiet_.push_back(1 - inside(observed.leak));
    log_quiet_.push_back(std::log(quiet_.back()));
    log_silent_ += log_quiet_.back();
  }
  for (const Cause& cause : network.causes()) {
    const double prior = inside(cause.prior);
    log_odds_.push_back(std::log(prior) - std::log1p(-prior));
    log_silent_ += std::log1p(-prior);
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  std::partial_sum(first_parent_.begin(), first_parent_.end(), first_parent_.begin());
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const Edge& edge = network.edges()[e];
    const double failure = inside(edge.failure);
    const double log_failure = std::log(failure);
    const double leak = 1 - quiet_[edge.observed];
    const double log_gain = std::log1p(-quiet_[edge.observed] * failure) - std::log(leak);
    log_odds_[edge.cause] += log_failure;
    const std::size_t at = next[edge.observed]++;
    reaches_[at] = {edge.cause, static_cast<float>(log_gain - log_failure)};
    parents_[at] = {static_cast<std::uint32_t>(e), log_failure, failure, log_gain};
    child_variables_.push_back(edge.observed);
    children_.push_back({edge.observed, log_failure, failure, log_gain});
    first_child_[edge.cause + 1] = e + 1;
  }
  for (std::size_t u = 0; u < network.n_causes(); ++u) {  // a cause may have none
    first_child_[u + 1] = std::max(first_child_[u + 1], first_child_[u]);
  }
  for (const double log_odds : log_odds_) {
    log_sum_.push_back(log1p_exp(log_odds));
    log_silent_ += log_sum_.back();
    posterior_.push_back(logistic(log_odds));
  }
  bound_causes();
}

void SparseNetwork::bound_causes() {
  constexpr float far = std::numeric_limits<float>::infinity();
  loud_.assign((n_causes() + 63) / 64, 0);
  for (std::size_t u = 0; u < n_causes(); ++u) {
    if (log_sum_[u] > rounding) loud_[u / 64] |= std::uint64_t{1} << (u % 64);
    // Exactly where the sum reaches the bound.
    auto most = static_cast<float>(least_log_bound - log_odds_[u]);
    const auto reaches = [&] { return log_odds_[u] + double{most} >= least_log_bound; };
    while (reaches()) most = std::nextafter(most, -far);
    while (!reaches()) most = std::nextafter(most, far);
    least_most_.push_back(std::max(most, std::numeric_limits<float>::denorm_min()));
  }
}

}  // namespace orrery::model
