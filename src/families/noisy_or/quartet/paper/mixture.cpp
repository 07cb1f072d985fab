// MIXTURE and the coherence test share the estimates of the four triplets of a quartet.
// Jernite, Halpern, Sontag 2013: Algorithm 1 line 8, Sec. 2.1 "Coherence test", Eq. (2).
// Departure: the paper does not say how estimates outside the parameters' ranges count; here they
// are left out. Cost: 12 eigenvalue pairs of 2x2 matrices.
#include "families/noisy_or/quartet/paper/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "moments/mixture.hpp"

namespace orrery::quartet {
namespace {

struct Estimates {
  std::vector<double> prior;                   // up to 12
  std::array<std::vector<double>, 4> failure;  // up to 3 a member
};

Estimates estimates_of_triplets(const moments::QuartetMoments& negative) {
  Estimates estimates;
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    std::array<std::size_t, 3> members{};
    std::size_t n = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k != left_out) members[n++] = k;
    }
    moments::TripletMoments triplet{};
    for (std::size_t set = 0; set < 8; ++set) {
      std::size_t mask = 0;
      for (std::size_t k = 0; k < 3; ++k) mask |= ((set >> k) & 1U) << members[k];
      triplet[set] = negative[mask];
    }
    const auto views = moments::fit_mixture(triplet);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!views[k]) continue;
      estimates.prior.push_back(views[k]->prior);
      estimates.failure[members[k]].push_back(views[k]->failure);
    }
  }
  return estimates;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(const std::vector<double>& values) {
  const double center = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - center) * (value - center);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<CauseEstimate> mixture(const moments::QuartetMoments& negative) {
  const Estimates estimates = estimates_of_triplets(negative);
  if (estimates.prior.empty()) return std::nullopt;
  CauseEstimate cause;
  cause.prior = moments::median(estimates.prior);
  if (!(cause.prior < 0.5)) return std::nullopt;
  for (std::size_t k = 0; k < 4; ++k) {
    if (estimates.failure[k].empty()) return std::nullopt;
    cause.failure[k] = moments::median(estimates.failure[k]);
    if (!(cause.failure[k] < 1)) return std::nullopt;
  }
  return cause;
}

std::optional<Coherence> coherence(const moments::QuartetMoments& negative) {
  const Estimates estimates = estimates_of_triplets(negative);
  if (estimates.prior.size() < 2) return std::nullopt;
  Coherence result;
  const double prior = mean(estimates.prior);
  result.variance = variance(estimates.prior);
  std::array<double, 4> failure{};
  for (std::size_t k = 0; k < 4; ++k) {
    if (estimates.failure[k].size() < 2) return std::nullopt;
    failure[k] = mean(estimates.failure[k]);
    result.variance = std::max(result.variance, variance(estimates.failure[k]));
  }
  // P(S off) = prod over S of (1 - leak) times the cause's factor; 1 - leak from the single
  // moments.
  for (std::size_t set = 0; set < 16; ++set) {
    double leaks = 1;
    double product = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) == 0) continue;
      leaks *= negative[std::size_t{1} << k] / moments::cause_factor(prior, failure[k]);
      product *= failure[k];
    }
    result.distance += std::abs(leaks * moments::cause_factor(prior, product) - negative[set]);
  }
  return result;
}

}  // namespace orrery::quartet
