// Divergences between two sign trees (Eqs. 14 and 33), and moments of any order of one tree
// (Theorem 2, Algorithm 2, Eq. 32), both of Nikolakakis, Kalogerias, Sarwate 2018.
#include "model/tree_moments.hpp"

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>

#include "model/numbers.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::model {

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

// Purpose: moments of any order of a sign tree.
// Source: Nikolakakis, Kalogerias, Sarwate 2018, Sec. 3.3 and 4.5: Theorem 2, Algorithm 2, Eq.
// (32).
//
//   paper        code                     shape   range
//   V            set                              variables that differ
//   C_T(V)       MatchedPairs::pairs      |V|/2
//   CP_T(V)      MatchedPairs::edges
//   L^(2)        small_set_distance               [0, 1]
//
// Theorem 2. Let a component's edges split its part of V, of even size. With uniform margins the
// products W_e = X_a X_b of the edges are independent with E[W_e] = mu_e (Sec. 2.2), and
// prod_V X_i = prod_e W_e^(k_e) for any pairing of V, k_e the number of pairs' paths over e, which
// is odd just where e leaves an odd number of V on either side: the edges CP_T(V). W_e^2 = 1, so
// E[prod_V X_i] = prod_{CP_T(V)} mu_e. A component with an odd number of V: negating it changes no
// probability, so the moment is 0.
//
// Departure: Algorithm 2 searches for pairs by distance; here one pass from the leaves up hands on
// what is not yet paired, at most one variable a node: what meets is a pair. That is linear, and
// the edges over which a variable is handed on are CP_T(V).
//
// Eq. (32). Let P and Q have uniform margins, d = 2 L^(2) (a pair's moments differ by at most d, as
// |E_P f - E_Q f| <= 2 TV for |f| <= 1), k = |V| / 2, A = E_P[prod_V], B = E_Q[prod_V]. For any
// pairing M of V, prod_M E_P[X_i X_j] = prod_e mu_e^(k_e) = A times even powers: it has A's sign
// (or is 0) and at most A's size. Let M be P's own pairing, so that A = prod_M E_P, and
// c = prod_M E_Q, |c| <= |B|, of B's sign. Products of k numbers in [-1, 1] that differ by at most
// d each differ by at most k d, so |A - c| <= k d; likewise |B - c'| <= k d with Q's own pairing.
//  - A, B >= 0 (or both <= 0, alike): A <= c + k d <= B + k d, and B <= A + k d: |A - B| <= k d.
//  - A > 0 > B: if k = 1 there is one pairing: |A - B| <= d. Else some pair of M has moments of
//    different signs (or c = 0 and it has one of 0) in P and Q, so its size in P, which is at least
//    A, is at most d; likewise |B| <= d; |A - B| <= 2 d <= k d.
// In all cases |A - B| <= k d = |V| L^(2). Forests: pairs across components have moment 0, and the
// same holds.

namespace {

std::vector<bool> membership(const SignTree& tree, std::span<const std::uint32_t> set) {
  std::vector<bool> in_set(tree.n_variables(), false);
  for (const std::uint32_t i : set) {
    assert(!in_set[i] && "variables of a set differ");
    in_set[i] = true;
  }
  return in_set;
}

double uniform_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  const MatchedPairs matched = match_pairs(tree, set);
  if (!matched.unpaired.empty()) return 0;
  double product = 1;
  for (const std::uint32_t e : matched.edges) product *= tree.edges()[e].moment;  // Eq. (29)
  return product;
}

/// From the leaves up: E[prod of the set's variables at i and below | X_i], a number each sign.
double general_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  const TreeTables tables = tables_of(tree);
  const std::vector<bool> in_set = membership(tree, set);
  std::vector<std::array<double, 2>> below(tree.n_variables(), {1, 1});
  double moment = 1;
  for (auto at = tables.after_parents.rbegin(); at != tables.after_parents.rend(); ++at) {
    auto [off, on] = below[*at];
    if (in_set[*at]) off = -off;
    const ConditionalTable& given = tables.given[*at];
    const std::uint32_t parent = tables.parents[*at];
    if (parent == SignTree::none) {
      moment *= given[0][0] * off + given[0][1] * on;
      continue;
    }
    for (std::size_t up = 0; up < 2; ++up) {
      below[parent][up] *= given[up][0] * off + given[up][1] * on;
    }
  }
  return moment;
}

}  // namespace

MatchedPairs match_pairs(const SignTree& tree, std::span<const std::uint32_t> set) {
  MatchedPairs matched;
  constexpr std::uint32_t none = SignTree::none;
  std::vector<std::uint32_t> waiting(tree.n_variables(), none);  // not yet paired, at a node
  for (const std::uint32_t i : set) waiting[i] = i;
  const auto& order = tree.after_parents();
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const std::uint32_t handed_on = waiting[*at];
    if (handed_on == none) continue;
    const std::uint32_t parent = tree.parents()[*at];
    if (parent == none) {
      matched.unpaired.push_back(handed_on);
      continue;
    }
    matched.edges.push_back(tree.parent_edges()[*at]);
    if (waiting[parent] == none) {
      waiting[parent] = handed_on;
    } else {
      const auto [low, high] = std::minmax(waiting[parent], handed_on);
      matched.pairs.push_back({low, high});
      waiting[parent] = none;
    }
  }
  std::ranges::sort(matched.pairs);
  std::ranges::sort(matched.edges);
  std::ranges::sort(matched.unpaired);
  return matched;
}

double product_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  return tree.is_uniform() ? uniform_moment(tree, set) : general_moment(tree, set);
}

double noisy_product_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  return std::pow(1 - 2 * tree.crossover(), static_cast<double>(set.size())) *
         product_moment(tree, set);
}

double moment_error_bound(std::size_t set_size, double small_set_distance) {
  return std::min(2.0, static_cast<double>(set_size) * small_set_distance);
}

// |prod b - prod a| <= sum_k |b_k - a_k| prod_{j<k} |b_j| prod_{j>k} |a_j|, a the tree's moments.
double moment_error_bound(const SignTree& tree, std::span<const std::uint32_t> set,
                          std::span<const double> edge_errors) {
  const MatchedPairs matched = match_pairs(tree, set);
  if (!matched.unpaired.empty()) return 0;
  double difference = 0;  // bound of that of the products so far
  double greatest = 1;    // of the other product's size so far
  for (const std::uint32_t e : matched.edges) {
    const double size = std::abs(tree.edges()[e].moment);
    const double error = std::min(edge_errors[e], 1 + size);
    difference = difference * size + greatest * error;
    greatest *= std::min(1.0, size + error);
  }
  return difference;
}

}  // namespace orrery::model
