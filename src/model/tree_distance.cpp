// Purpose: divergences between two trees, each of another shape.
// Source: Nikolakakis, Kalogerias, Sarwate 2018, Eq. (14) and (33). With free means:
//
//   E[(X_a - m_a)(X_b - m_b)] / (s_a s_b) multiplies along paths, s_i = sqrt(1 - m_i^2): given X_k
//   between a and b these are independent, and E[X_a - m_a | X_k] is linear in X_k, as every
//   function of a sign is. With means of 0 this is Eq. (6).
//
//   log P(x) = sum_i log P(x_i) + sum_edges log P(x_a, x_b) / (P(x_a) P(x_b)), Eq. (4), so
//   KL(P || Q) = sum_i KL(P_i || Q_i) + sum_{edges of P} I_P(a, b)
//                - sum_{edges of Q} E_P[log Q(x_a, x_b) / (Q(x_a) Q(x_b))],
//   whose last term needs of P the moments of Q's edges alone: paths of P.
//
// Cost: paths by steps to the parent and long jumps (E. Myers 1983, "An applicative random-access
//       stack"): O(p) memory, O(log p) a path. L^(2): for each a one pass over both trees.
#include "model/tree_distance.hpp"

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>

#include "model/numbers.hpp"

namespace orrery::model {
namespace {

using Cells = std::array<std::array<double, 2>, 2>;  // P(x_a, x_b); 1: +1

double deviation(double mean) { return std::sqrt((1 - mean) * (1 + mean)); }

double moment_of(double correlation, double mean_a, double mean_b) {
  return mean_a * mean_b + correlation * deviation(mean_a) * deviation(mean_b);
}

/// Cells that rounding made negative are 0.
Cells cells_of(double mean_a, double mean_b, double moment) {
  Cells cells;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      const double x = sign_of(a);
      const double y = sign_of(b);
      cells[a][b] = std::max(0.0, (1 + x * mean_a + y * mean_b + x * y * moment) / 4);
    }
  }
  return cells;
}

double probability(double mean, std::size_t value) { return (1 + sign_of(value) * mean) / 2; }

/// Pairs of `tree`'s edge as q has them, over the margins of q: sum_{x, y} p log (q / (q_a q_b)).
double expected_log_ratio(const Cells& p, const Cells& q, double mean_a, double mean_b) {
  double sum = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      if (p[a][b] == 0) continue;
      sum += p[a][b] * std::log(q[a][b] / (probability(mean_a, a) * probability(mean_b, b)));
    }
  }
  return sum;
}

/// Rounding of the path's product, or of a file, is no probability: what is less is 0 where q is.
constexpr double negligible = 1e-14;

/// E_P of the edges' log ratios under q.
double expected_log_edges(const SignTree& p, const SignTree& q) {
  const PathCorrelations paths(p);
  double sum = 0;
  for (const TreeEdge& edge : q.edges()) {
    Cells of_p = cells_of(p.means()[edge.a], p.means()[edge.b], paths.moment(edge.a, edge.b));
    const double mean_a = q.means()[edge.a];
    const double mean_b = q.means()[edge.b];
    const Cells of_q = cells_of(mean_a, mean_b, edge.moment);
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) {
        if (of_q[a][b] == 0 && of_p[a][b] < negligible) of_p[a][b] = 0;
      }
    }
    sum += expected_log_ratio(of_p, of_q, mean_a, mean_b);
  }
  return sum;
}

double kl_of_margins(const SignTree& p, const SignTree& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.n_variables(); ++i) {
    for (std::size_t value = 0; value < 2; ++value) {
      const double of_p = probability(p.means()[i], value);
      sum += of_p * std::log(of_p / probability(q.means()[i], value));
    }
  }
  return sum;
}

/// Correlations of `a` with every variable: up to its root first, then down from there.
class CorrelationsFrom {
 public:
  explicit CorrelationsFrom(const SignTree& tree)
      : tree_(tree), up_(tree.n_variables(), 0), row_(tree.n_variables()) {
    for (std::size_t i = 0; i < tree.n_variables(); ++i) {
      const std::uint32_t edge = tree.parent_edges()[i];
      if (edge != SignTree::none) up_[i] = tree.correlation(tree.edges()[edge]);
    }
  }

  std::span<const double> from(std::uint32_t a) noexcept {
    constexpr double unset = 2;  // no correlation
    std::fill(row_.begin(), row_.end(), unset);
    row_[a] = 1;
    for (std::uint32_t i = a; tree_.parents()[i] != SignTree::none; i = tree_.parents()[i]) {
      row_[tree_.parents()[i]] = row_[i] * up_[i];
    }
    for (const std::uint32_t i : tree_.after_parents()) {
      if (row_[i] != unset) continue;
      const std::uint32_t parent = tree_.parents()[i];
      row_[i] = parent == SignTree::none ? 0 : row_[parent] * up_[i];
    }
    return row_;
  }

 private:
  const SignTree& tree_;
  std::vector<double> up_;  // correlation with the parent
  std::vector<double> row_;
};

/// Half the sum of the four cells' differences.
double total_variation(double mean_a, double mean_b, double moment) {
  double sum = 0;
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) sum += std::abs(x * mean_a + y * mean_b + x * y * moment);
  }
  return sum / 8;
}

bool is_farther(const PairDistance& one, const PairDistance& other) {
  if (one.distance != other.distance) return one.distance > other.distance;
  return one.pair < other.pair;
}

struct PairScanner {
  const SignTree* p;
  const SignTree* q;
  CorrelationsFrom in_p, in_q;
  PairDistance best;

  void scan(std::uint32_t a) noexcept {
    const auto of_p = in_p.from(a);
    const auto of_q = in_q.from(a);
    const auto& p_means = p->means();
    const auto& q_means = q->means();
    for (std::uint32_t b = a + 1; b < of_p.size(); ++b) {
      const double moment =
          moment_of(of_p[b], p_means[a], p_means[b]) - moment_of(of_q[b], q_means[a], q_means[b]);
      const PairDistance here{
          total_variation(p_means[a] - q_means[a], p_means[b] - q_means[b], moment), {a, b}};
      if (is_farther(here, best)) best = here;
    }
  }
};

}  // namespace

PathCorrelations::PathCorrelations(const SignTree& tree)
    : tree_(tree),
      depth_(tree.n_variables(), 0),
      parent_(tree.n_variables()),
      jump_(tree.n_variables()) {
  for (const std::uint32_t i : tree.after_parents()) {
    const std::uint32_t parent = tree.parents()[i];
    if (parent == SignTree::none) continue;
    depth_[i] = depth_[parent] + 1;
    parent_[i] = {parent, tree.correlation(tree.edges()[tree.parent_edges()[i]])};
    // Two jumps of one length in a row make a jump of twice that and one step.
    const Step& first = jump_[parent];
    const bool two =
        first.to != SignTree::none && jump_[first.to].to != SignTree::none &&
        depth_[parent] - depth_[first.to] == depth_[first.to] - depth_[jump_[first.to].to];
    jump_[i] =
        two ? Step{jump_[first.to].to, parent_[i].product * first.product * jump_[first.to].product}
            : parent_[i];
  }
}

double PathCorrelations::correlation(std::uint32_t a, std::uint32_t b) const noexcept {
  double product = 1;
  const auto take = [&](std::uint32_t& at, const Step& step) {
    product *= step.product;
    at = step.to;
  };
  if (depth_[a] < depth_[b]) std::swap(a, b);
  while (depth_[a] > depth_[b]) {
    const bool far = depth_[jump_[a].to] >= depth_[b];
    take(a, far ? jump_[a] : parent_[a]);
  }
  while (a != b) {
    if (parent_[a].to == SignTree::none) return 0;  // two roots
    // Of one depth, both jump to one depth.
    const bool far = jump_[a].to != jump_[b].to;
    const Step of_a = far ? jump_[a] : parent_[a];
    const Step of_b = far ? jump_[b] : parent_[b];
    take(a, of_a);
    take(b, of_b);
  }
  return product;
}

double PathCorrelations::moment(std::uint32_t a, std::uint32_t b) const noexcept {
  if (a == b) return 1;
  return moment_of(correlation(a, b), tree_.means()[a], tree_.means()[b]);
}

double kl_divergence(const SignTree& p, const SignTree& q) {
  assert(p.n_variables() == q.n_variables());
  // Rounding may leave less than 0 of two trees that are the same.
  return std::max(0.0, kl_of_margins(p, q) + expected_log_edges(p, p) - expected_log_edges(p, q));
}

double symmetric_kl(const SignTree& p, const SignTree& q) {
  return kl_divergence(p, q) + kl_divergence(q, p);
}

PairDistance small_set_distance(const SignTree& p, const SignTree& q) {
  assert(p.n_variables() == q.n_variables());
  const auto n = static_cast<std::uint32_t>(p.n_variables());
  PairDistance best;
  if (n < 2) return best;
  best = {-1, {}};
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<PairScanner> scanners(
      static_cast<std::size_t>(omp_get_max_threads()),
      PairScanner{&p, &q, CorrelationsFrom(p), CorrelationsFrom(q), best});
#pragma omp parallel for schedule(dynamic, 16) if (n >= 256)
  for (std::uint32_t a = 0; a < n; ++a) {
    scanners[static_cast<std::size_t>(omp_get_thread_num())].scan(a);
  }
  // The total order of is_farther makes the shares of the threads not matter.
  for (const PairScanner& scanner : scanners) {
    if (is_farther(scanner.best, best)) best = scanner.best;
  }
  return best;
}

}  // namespace orrery::model
