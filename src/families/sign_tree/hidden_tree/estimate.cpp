//   paper      code                                                   range
//   mu^dagger  sum_of_products / n, or observed_moments(..).ab        [-1, 1]
//   mu^        TreeEdge::moment                                       [-1, 1]
//   (1-2q)^2   kappa                                                  (0, 1]
// The products of n rows of +1 and -1 with mean r have variance 1 - r^2: r has the standard error
// sqrt((1 - r^2) / n), and moment = r / kappa the same over kappa. An estimated kappa with standard
// error s adds (moment s / kappa)^2 to the variance; that kappa and r were estimated from the same
// rows is left out.
#include "families/sign_tree/hidden_tree/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/log.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"

namespace orrery::hidden_tree {
namespace {

/// Of a correlation of 0, two-sided. Exactly, n (r + 1) / 2 is binomial with both means 0; its
/// tails are lighter than the normal ones.
double p_value(const Cells& cells, Marginals marginals) {
  const auto n = static_cast<double>(cells.n);
  double r = static_cast<double>(sum_of_products(cells)) / n;
  if (marginals == Marginals::free) {
    const double a = 2 * cells.a_on / n - 1;
    const double b = 2 * cells.b_on / n - 1;
    r = (r - a * b) / std::sqrt((1 - a * a) * (1 - b * b));
  }
  return std::erfc(std::abs(r) * std::sqrt(n) / std::numbers::sqrt2);
}

struct Moved {
  std::size_t means = 0;
  std::size_t moments = 0;
};

void tell(const Moved& moved, std::size_t n_edges, double crossover, Marginals marginals,
          const std::string& path) {
  if (moved.moments > 0 && marginals == Marginals::uniform) {
    log::warning(
        "{}: {} of {} edges have correlations beyond (1-2q)^2 = {:.4g} and are clipped to "
        "it: the hidden signs count as equal or opposite; with many of them --crossover "
        "{:.4g} may be too high",
        path, moved.moments, n_edges, (1 - 2 * crossover) * (1 - 2 * crossover), crossover);
  } else if (moved.means + moved.moments > 0) {
    log::warning(
        "{}: {} mean(s) and {} of {} edges are beyond what hidden signs seen through a "
        "crossover of {:.4g} can have, and are brought to the nearest that they can",
        path, moved.means, moved.moments, n_edges, crossover);
  }
}

}  // namespace

std::vector<Edge> significant(const std::vector<Edge>& tree, double alpha, std::size_t p,
                              Marginals marginals) {
  const double tests = static_cast<double>(p) * (static_cast<double>(p) - 1) / 2;
  std::vector<Edge> kept;
  for (const Edge& edge : tree) {
    if (p_value(edge.cells, marginals) * tests <= alpha) kept.push_back(edge);
  }
  return kept;
}

model::LearnedTree estimate(const std::vector<Edge>& edges, const Rows& rows,
                            const Crossover& crossover, Marginals marginals,
                            const std::string& path, bool is_root) {
  const bool uniform = marginals == Marginals::uniform;
  const double kappa = (1 - 2 * crossover.q) * (1 - 2 * crossover.q);
  const double relative_error = 4 * std::sqrt(kappa) * crossover.error / kappa;  // of kappa
  Moved moved;
  std::vector<double> means(rows.n_variables(), 0);
  for (std::size_t a = 0; a < means.size() && !uniform; ++a) {
    const std::uint64_t n = rows.singles.observed(a);
    const double on =
        (static_cast<double>(rows.singles.observed_on(a)) + .5) / (static_cast<double>(n) + 1);
    means[a] = hidden_mean(2 * on - 1, crossover.q, n, moved.means);
  }
  // SignTree keeps edges in this order; errors stand beside them.
  std::vector<Edge> sorted = edges;
  std::ranges::sort(
      sorted, [](const Edge& x, const Edge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  model::LearnedTree learned;
  std::vector<model::TreeEdge> joints;
  for (const auto& [a, b, cells] : sorted) {
    const double r = uniform ? static_cast<double>(sum_of_products(cells)) / cells.n
                             : observed_moments(cells).ab;
    // Eq. (21); with means of 0 the range of Algorithm 1's clipping.
    const double moment = hidden_moment(r, crossover.q, means[a], means[b], moved.moments);
    joints.push_back({a, b, moment});
    learned.edge_errors.push_back(
        std::hypot(std::sqrt((1 - r * r) / cells.n) / kappa, moment * relative_error));
  }
  if (is_root) tell(moved, edges.size(), crossover.q, marginals, path);
  learned.tree =
      model::SignTree(rows.samples.names, std::move(means), std::move(joints), crossover.q);
  learned.crossover_error = crossover.error;
  learned.learner = "tree";
  learned.data_digest = rows.samples.digest;
  learned.n_samples = rows.singles.n_rows;
  return learned;
}

}  // namespace orrery::hidden_tree
