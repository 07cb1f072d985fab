// Numbers of samples to find a tree of signs, and those that are too few for any method. What is
// enough to come near the distribution without the tree: near_sizes.cpp. Notation: kappa =
// (1-2q)^2, t = tanh alpha, B = tanh beta, h the binary entropy, kl(x || y) the divergence of two
// signs with means x and y.
//
// Structure, sufficient. The maximum spanning tree is the tree T unless for some pair f that is no
// edge, an edge e on its path and a sign s the mean of Z = s_e Y_e - s Y_f (products of the ends)
// is not positive: (p-1)^2 (p-2) events at most. With a = +-(the product of the path's other
// edges), |a| <= B:  E Z = kappa |mu_e| (1 - a), and E Z^2 = 2 (1 - kappa^2 a), or 2 (1 - kappa a)
// if e and f share an end. Bernstein's inequality with Z >= -2 gives P(mean Z <= 0) <= exp(-n (E
// Z)^2 / w), w = 2 E Z^2 + 4/3 E Z - 4/3 (E Z)^2 <= 16/3 (1 - kappa^2 a) for a >= 0. The exponent
// is least at |mu_e| = t and a = B (negative a do better than a = 0), so
//   n >= 16/3 (1 - kappa^2 B) / (kappa^2 t^2 (1 - B)^2) log((p-1)^2 (p-2) / delta).
// Eq. (16) as published has 32 and log(2 p^2 / delta) in these places: more, so it holds too.
// Solved for t, either is the weakest edge that n samples tell: as published it is Eq. (41),
//   tanh alpha >= 4 e sqrt(1 - kappa^2 B) / (kappa (1 - B)),  e = sqrt(2 log(2 p^2 / delta) / n),
// and with kappa = 1 Eq. (40), 4 e / sqrt(1 - B).
//
// Structure, necessary. Variables a and b are joined by beta, and p - 2 more hang from a by alpha;
// in the i-th alternative one of them hangs from b instead. Hidden, the divergence from the first
// tree is D = alpha t (1 - B), and D1 = kl(tB || t) without b. A channel of crossover q is less
// noisy than no erasure with probability kappa, and so are products of such channels (Polyanskiy,
// Wu 2017, "Strong data-processing inequalities for channels and Bayesian networks"): the observed
// divergence is at most the mean over random sets S, with each variable in with probability kappa,
// of that of the variables of S. It is 0 unless the moved variable and another are in S:
//   D_Y <= kappa (kappa D + (1 - kappa) (1 - (1-kappa)^(p-2)) D1).
// (That S is not empty gives 1 - (4q(1-q))^p instead, the paper's factor: weaker.) Fano's
// inequality over these p - 1 trees, with information at most n D_Y (p-2) / (p-1):
//   n >= (log(p-1) - h(delta) - delta log(p-2)) (p-1) / ((p-2) D_Y).
//
// Prediction, necessary. A star with all moments t, or one of them t + 4 eta (or the reverse): any
// two differ by 2 eta at least in total variation, or are told apart by whoever is within less than
// eta. kl between the two, times kappa (1 - (1-kappa)^(p-1)) as above, or, if the centre is given
// away, of the moments times 1-2q. Fano's inequality over p trees.
#include <algorithm>
#include <cmath>

#include "learning/tree_sample_sizes.hpp"

namespace orrery::learning {
namespace {

double entropy(double x) {
  if (x <= 0 || x >= 1) return 0;
  return -x * std::log(x) - (1 - x) * std::log(1 - x);
}

/// kl(x || y) of signs with these means.
double divergence(double x, double y) {
  return (1 + x) / 2 * std::log((1 + x) / (1 + y)) + (1 - x) / 2 * std::log((1 - x) / (1 - y));
}

/// Rows that tell `n_trees` apart but for a share of delta, when each but the first is at this
/// divergence from it.
double fano(double n_trees, double delta, double of_one) {
  const double others = n_trees - 1;
  const double bits = std::log(n_trees) - entropy(delta) - delta * std::log(others);
  return std::max(0.0, bits) * n_trees / (others * of_one);
}

/// 1 - (1 - kappa)^n: any of n variables is not erased.
double any(double kappa, double n) { return -std::expm1(n * std::log1p(-kappa)); }

/// Both of Theorem 3.1's sufficient numbers times tanh^2 alpha.
SampleSizes scaled_sufficient(double p, double kappa, double strongest, double delta) {
  const double scale =
      (1 - kappa * kappa * strongest) / (kappa * kappa * (1 - strongest) * (1 - strongest));
  return {16.0 / 3 * scale * std::log((p - 1) * (p - 1) * (p - 2) / delta),
          32 * scale * std::log(2 * p * p / delta),  // Eq. (16)
          0};
}

}  // namespace

SampleSizes samples_for_structure(const TreeClass& trees, double delta) {
  if (trees.p < 3) return {0, 0, 0};  // there is one tree
  const auto p = static_cast<double>(trees.p);
  const double kappa = trees.kappa();
  const double t = std::tanh(trees.alpha);
  const double strongest = std::tanh(trees.beta);
  const SampleSizes scaled = scaled_sufficient(p, kappa, strongest, delta);
  const double whole = trees.alpha * t * (1 - strongest);
  const double without = any(kappa, p - 2) * divergence(t * strongest, t);
  const double observed = kappa * (kappa * whole + (1 - kappa) * without);
  return {scaled.sufficient / (t * t), scaled.sufficient_published / (t * t),
          fano(p - 1, delta, observed)};
}

bool allows_prediction_bound(const TreeClass& trees, double eta) {
  return std::tanh(trees.alpha) + 4 * eta <= std::tanh(trees.beta);
}

std::optional<double> fewest_for_prediction(const TreeClass& trees, double delta, double eta) {
  if (!allows_prediction_bound(trees, eta)) return std::nullopt;
  const auto p = static_cast<double>(trees.p);
  const double kappa = trees.kappa();
  const double t = std::tanh(trees.alpha);
  const auto observed = [&](double x, double y) {
    const double keep = std::sqrt(kappa);
    return std::min(kappa * any(kappa, p - 1) * divergence(x, y), divergence(keep * x, keep * y));
  };
  const double most = t + 4 * eta;
  return fano(p, delta, std::min(observed(t, most), observed(most, t)));
}

WeakestEdge weakest_edge(std::size_t p, double strongest, double crossover, double delta,
                         double n) {
  if (p < 3) return {0, 0};  // there is one tree
  const double kappa = (1 - 2 * crossover) * (1 - 2 * crossover);
  const SampleSizes scaled = scaled_sufficient(static_cast<double>(p), kappa, strongest, delta);
  return {std::sqrt(scaled.sufficient / n), std::sqrt(scaled.sufficient_published / n)};
}

}  // namespace orrery::learning
