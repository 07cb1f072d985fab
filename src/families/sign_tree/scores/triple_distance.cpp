// With means of 0 the third moments of a tree are 0 (Theorem 2), so
//   P(x, y, z) = (1 + x y mu_xy + x z mu_xz + y z mu_yz) / 8,
// and with the differences d of two trees' moments, as a state and its opposite are alike,
//   TV = (1/8) sum over four states |+- d_xy +- d_xz +- d_yz|,  an even number of signs negative
//      = max(|d_xy| / 2, |d_xz| / 2, |d_yz| / 2, (|d_xy| + |d_xz| + |d_yz|) / 4):
// the four add up to 0; with |d_xy| the greatest of the three, the sum of their sizes is 4 |d_xy|
// if that is at least |d_xz| + |d_yz|, and else twice the sum of all three.
//
// A triple is therefore farther than the worst pair, at D / 2, only if its three differences add up
// to more than 2 D: its greatest is more than 2 D / 3. Triples of such pairs are all that is tried.
#include "families/sign_tree/scores/triple_distance.hpp"

#include <omp.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "model/tree_moments.hpp"

namespace orrery::sign_tree {
namespace {

using model::SignTree;

/// |difference| of two trees' moments of a variable with every other.
class Differences {
 public:
  Differences(const SignTree& one, const SignTree& other)
      : trees_{&one, &other}, moments_(one.n_variables()), row_(one.n_variables()) {}

  void from(std::uint32_t a) {
    fill(*trees_[0], a);
    row_ = moments_;
    fill(*trees_[1], a);
    for (std::size_t b = 0; b < row_.size(); ++b) row_[b] = std::abs(row_[b] - moments_[b]);
  }
  [[nodiscard]] double operator[](std::size_t b) const noexcept { return row_[b]; }

 private:
  /// Up to the root of `a` first, then down from there (Eq. 6); 0 in other components.
  void fill(const SignTree& tree, std::uint32_t a) {
    constexpr double unset = 2;  // no moment
    std::ranges::fill(moments_, unset);
    const auto up = [&](std::uint32_t i) { return tree.edges()[tree.parent_edges()[i]].moment; };
    moments_[a] = 1;
    for (std::uint32_t i = a; tree.parents()[i] != SignTree::none; i = tree.parents()[i]) {
      moments_[tree.parents()[i]] = moments_[i] * up(i);
    }
    for (const std::uint32_t i : tree.after_parents()) {
      if (moments_[i] != unset) continue;
      const std::uint32_t parent = tree.parents()[i];
      moments_[i] = parent == SignTree::none ? 0 : moments_[parent] * up(i);
    }
  }

  std::array<const SignTree*, 2> trees_;
  std::vector<double> moments_, row_;
};

bool is_farther(const TripleDistance& one, const TripleDistance& other) {
  if (one.distance != other.distance) return one.distance > other.distance;
  if (one.sum != other.sum) return one.sum > other.sum;
  return one.triple < other.triple;
}

/// A thread's own.
struct Scanner {
  Differences of_a, of_b;
  double least;  ///< that the greatest difference of a triple must reach
  TripleDistance best{-1, {}, 0};

  void scan(std::uint32_t a, std::uint32_t p) {
    of_a.from(a);
    for (std::uint32_t b = a + 1; b < p; ++b) {
      if (of_a[b] < least) continue;
      of_b.from(b);
      for (std::uint32_t c = 0; c < p; ++c) {
        if (c == a || c == b) continue;
        // From the smaller to the larger: the same sum whichever pair it was found by.
        std::array<double, 3> parts{of_a[b], of_a[c], of_b[c]};
        std::ranges::sort(parts);
        TripleDistance here{0, {a, b, c}, parts[0] + parts[1] + parts[2]};
        here.distance = std::max(parts[2] / 2, here.sum / 4);
        std::ranges::sort(here.triple);
        if (is_farther(here, best)) best = here;
      }
    }
  }
};

}  // namespace

TripleDistance triple_distance(const SignTree& one, const SignTree& other) {
  const auto p = static_cast<std::uint32_t>(one.n_variables());
  assert(p >= 3 && other.n_variables() == p && one.is_uniform() && other.is_uniform());
  const double greatest = 2 * model::small_set_distance(one, other).distance;
  if (greatest == 0) return {0, {0, 1, 2}, 0};
  constexpr double rounding = 1e-9;
  const double least = greatest * (2.0 / 3 - rounding);
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<Scanner> scanners(
      static_cast<std::size_t>(omp_get_max_threads()),
      Scanner{Differences(one, other), Differences(one, other), least, {-1, {}, 0}});
#pragma omp parallel for schedule(dynamic, 1) if (p >= 64)
  for (std::uint32_t a = 0; a < p; ++a) {
    scanners[static_cast<std::size_t>(omp_get_thread_num())].scan(a, p);
  }
  // The total order of is_farther makes the shares of the threads not matter.
  TripleDistance best{-1, {}, 0};
  for (const Scanner& scanner : scanners) {
    if (is_farther(scanner.best, best)) best = scanner.best;
  }
  return best;
}

}  // namespace orrery::sign_tree
