// Numbers of samples with which Chow-Liu-CC comes near the distribution of a tree of signs, whether
// it finds the tree or not: Theorems 3.2 and 3.3 of Nikolakakis, Kalogerias, Sarwate 2018. Our text
// of the paper has lost Eqs. (23) to (25) and (34); what follows is derived here. Without noise the
// order that Bresler, Karzand 2018 prove is max(e^(2 beta) log p, log(p / eta) / eta^2); the first
// two of the three numbers below are of it, and the third is where noise costs more.
//
// Notation: kappa = (1-2q)^2, B = tanh beta; mu of the true tree T, m its estimate r / kappa of a
// pair (r observed), T^ the maximum spanning tree of |m|, P and Q the paths of a pair on T and T^.
//
// With probability 1 - delta, a third of delta each:
// - Pairs. |m - mu| <= e for all pairs, e = sqrt(2 log(3 p (p-1) / delta) / n) / kappa (Hoeffding).
// - Strong edges. Every edge of T with |mu| >= tau is on T^; tau is weakest_edge of
//   sample_sizes.cpp (Bernstein), so n = 16/3 (1 - kappa^2 B) / (kappa^2 (1-B)^2 tau^2) log(..).
// - Edges. |m - mu| <= e(mu) = (sqrt(2 (1 - kappa^2 mu^2) s) + 4/3 s) / kappa for all edges of T,
//   s = log(6 (p-1) / delta) / n (Bernstein).
//
// Lemma. If P and Q differ, some f = (u1, u2) on P and g = (v1, v2) on Q, f not g and each written
// from the pair's first end to its second, have f on the path of T from v1 to v2, passed from u1 to
// u2, and g on the path of T^ from u1 to u2, passed from v1 to v2. Proof: hang every vertex of Q
// from the place of P where its path of T meets P, and the reverse. The running maxima of both, as
// functions of the place, are two staircases from (0, 0) to (|P|, |Q|), one that begins to the
// right, one upwards. Between two places at which they meet by turning the first below the second,
// the first crosses the second upwards; there lie f and g. Unless P = Q, one such crossing is no
// common edge. (The test tries all pairs of trees of up to five variables.)
//
// Then f is not on T^ and g is not on T, so |m_g| >= |m_f| and |mu_f| >= |mu_g|: they differ by 2 e
// at most, and what else lies between v1 and v2 on T has a product of 1 - 2 e / |mu_f| or more.
// The pair's moment is therefore mu(w, v1) mu_g mu(v2, w') to within 4 e. With rho = min(tau, B) +
// e <= 1/4, which |m_g| does not exceed, and E the greatest error of any pair,
//   error of the pair <= 5 e + rho (error of (w, v1) + error of (v2, w')) <= 5 e + E / 2.
// The same with e in place of 5 e holds where P = Q has an edge of |mu| <= 1/4 - e. There remain
// paths of strong edges alone, all found: |prod m - prod mu| <= prod g sum e(mu)/g, g = min(1, mu +
// e(mu)). With phi the least of -log g / (e(mu) / g) over mu in [1/4 - e, B] that is at most S
// exp(-phi S) at S = 1 / phi, or at the most edges that there are. So E <= max(10 e, 1 / (phi
// exp 1)), and marginals of pairs are within eta if E <= 2 eta:
//   n >= 50 log(3 p (p-1) / delta) / (kappa^2 eta^2)                      (e <= eta / 5)
//   n such that min(tau, B) + e <= 1/4: of the order (1 - kappa^2 B) / (kappa^2 (1-B)^2) log p,
//     which without noise is e^(2 beta) log p
//   n such that 1 / (phi exp 1) <= 2 eta: e(B) / (1-B) <= 2 exp(1) eta, about. Without noise e(B)
//     is of the order sqrt(1-B), and n of e^(2 beta) log p / eta^2; with noise it is not, as the
//     noise does not fade as B comes near 1: n is of e^(4 beta) log p / eta^2. (Without noise the
//     products of the edges along a path are independent, and Bresler, Karzand 2018 need no
//     e^(2 beta) in this term; here the worst errors of all edges are added up.)
//
// By the tree instead: half of delta for the tree, half for its edges, all within e': a path of d
// edges is within d e' (B + e')^(d-1).
//
// Symmetric KL. Eq. (33) over the edges of both trees, theta of a pair that is no edge being 0:
// - an edge of both: (theta - theta^) (mu - mu^) <= e(mu)^2 / (1 - (mu + e(mu))^2);
// - an edge f of T alone and one, g, of T^ alone, as many of either: |theta_f| |mu_f - mu^_f| +
//   |theta^_g| |mu^_g - mu_g| <= atanh(min(tau, B)) E + atanh(rho) e.
// p - 1 times the greater of the two, which falls as 1 / n: no alpha here either.
#include <algorithm>
#include <cmath>

#include "learning/tree_sample_sizes.hpp"

namespace orrery::learning {
namespace {

/// e(mu), which falls with mu: of all edges together with probability 1 - delta.
class EdgeError {
 public:
  EdgeError(const TreeClass& trees, double delta, double n)
      : kappa_(trees.kappa()),
        rate_(std::log(2 * (static_cast<double>(trees.p) - 1) / delta) / n) {}
  [[nodiscard]] double operator()(double mu) const {
    return (std::sqrt(2 * (1 - kappa_ * kappa_ * mu * mu) * rate_) + 4 * rate_ / 3) / kappa_;
  }

 private:
  double kappa_;
  double rate_;
};

constexpr int pieces = 1000;
/// Ends of the pieces of [least, strongest], finer towards 1 in proportion.
double end_of_piece(int k, double least, double strongest) {
  if (k == pieces) return strongest;
  return 1 - (1 - least) * std::pow((1 - strongest) / (1 - least), static_cast<double>(k) / pieces);
}

/// The greatest e(mu)^2 / (1 - (mu + e(mu))^2) over [0, strongest], from above; infinite if an
/// estimate may reach 1.
double edge_divergence(const EdgeError& error, double strongest) {
  double worst = 0;
  for (int k = 0; k < pieces; ++k) {
    const double widest = error(end_of_piece(k, 0, strongest));
    const double reach = end_of_piece(k + 1, 0, strongest) + widest;
    if (reach >= 1) return HUGE_VAL;
    worst = std::max(worst, widest * widest / (1 - reach * reach));
  }
  return worst;
}

/// The greatest error of a path of found edges with moments in [least, strongest], from above.
double found_path_error(const EdgeError& error, double least, double strongest, double most_edges) {
  if (strongest <= least) return 0;  // there is no such path
  const auto toll = [](double g) { return -g * std::log(g); };
  double phi = HUGE_VAL;
  double most_ratio = 0;
  for (int k = 0; k < pieces; ++k) {
    const double from = end_of_piece(k, least, strongest);
    const double to = end_of_piece(k + 1, least, strongest);
    // g lies between these, and -g log g is least at one of the two: it is concave.
    const double low = std::min(1.0, from + error(to));
    const double high = std::min(1.0, to + error(from));
    phi = std::min(phi, std::min(toll(low), toll(high)) / error(from));
    most_ratio = std::max(most_ratio, error(from) / low);
  }
  const double longest = most_edges * most_ratio;
  const double sum = phi * longest > 1 ? 1 / phi : longest;
  return sum * std::exp(-phi * sum);
}

/// What holds with probability 1 - delta at n samples.
struct Accuracy {
  double pair;   ///< e
  double weak;   ///< min(tau, B): edges that may be wrong are weaker
  double paths;  ///< E; infinite if rho > 1/4
  double edges;  ///< greatest divergence of an edge of both trees
};

Accuracy accuracy_at(const TreeClass& trees, double delta, double n) {
  constexpr double most_weak = .25;
  const auto p = static_cast<double>(trees.p);
  const double strongest = std::tanh(trees.beta);
  const EdgeError error(trees, delta / 3, n);
  Accuracy at{};
  at.pair = std::sqrt(2 * std::log(3 * p * (p - 1) / delta) / n) / trees.kappa();
  at.weak =
      std::min(strongest, weakest_edge(trees.p, strongest, trees.crossover, delta / 3, n).derived);
  at.edges = edge_divergence(error, strongest);
  at.paths =
      at.weak + at.pair > most_weak
          ? HUGE_VAL
          : std::max(10 * at.pair, found_path_error(error, most_weak - at.pair, strongest, p - 1));
  return at;
}

/// The least n, to 1e-12 of it, at which `holds(n)`, which holds for every larger one.
template <class Holds>
double least(const Holds& holds) {
  double high = 1;
  while (!holds(high)) high *= 2;
  double low = high / 2;
  while (high - low > 1e-12 * high) {
    const double middle = (low + high) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

/// The largest error of a path's moment, over all numbers of edges.
double path_error(double e, double strongest, double most_edges) {
  const double step = std::min(1.0, strongest + e);
  // d step^d is largest at d = -1 / log(step).
  const double best = step < 1 ? -1 / std::log(step) : most_edges;
  double error = 0;
  for (const double d : {std::floor(best), std::ceil(best)}) {
    const double edges = std::clamp(d, 1.0, most_edges);
    error = std::max(error, edges * e * std::pow(step, edges - 1));
  }
  return error;
}

/// How exact edges must be for all paths to be within `most`.
double edge_error(double most, double strongest, double most_edges) {
  double low = 0;
  double high = most;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (path_error(middle, strongest, most_edges) <= most ? low : high) = middle;
  }
  return low;
}

}  // namespace

NearSizes samples_for_prediction(const TreeClass& trees, double delta, double eta) {
  const auto p = static_cast<double>(trees.p);
  const double kappa = trees.kappa();
  const double e = edge_error(2 * eta, std::tanh(trees.beta), p - 1);
  return {std::max(samples_for_structure(trees, delta / 2).sufficient,
                   2 * std::log(4 * (p - 1) / delta) / (kappa * kappa * e * e)),
          least([&](double n) { return accuracy_at(trees, delta, n).paths <= 2 * eta; })};
}

NearSizes samples_for_symmetric_kl(const TreeClass& trees, double delta, double most) {
  const double an_edge = most / (static_cast<double>(trees.p) - 1);
  const double strongest = std::tanh(trees.beta);
  const double of_edges = least([&](double n) {
    return edge_divergence(EdgeError(trees, delta / 2, n), strongest) <= an_edge;
  });
  const auto near = [&](double n) {
    const Accuracy at = accuracy_at(trees, delta, n);
    if (std::isinf(at.paths)) return false;
    const double swapped = std::atanh(at.weak) * at.paths + std::atanh(at.weak + at.pair) * at.pair;
    return std::max(at.edges, swapped) <= an_edge;
  };
  return {std::max(samples_for_structure(trees, delta / 2).sufficient, of_edges), least(near)};
}

}  // namespace orrery::learning
