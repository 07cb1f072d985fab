// The steps of the proof in near_sizes.cpp, each against all cases or the worst ones; then runs.
#include <cmath>
#include <set>

#include "families/sign_tree/hidden_tree/trees.hpp"
#include "learning/tree_sample_sizes.hpp"
#include "model/tree_moments.hpp"
#include "model/tree_oracle.hpp"

namespace orrery::learning {
namespace {

using model::tree_oracle::Ends;
using Vertices = std::vector<std::uint32_t>;

std::vector<Vertices> neighbours(std::size_t p, const std::vector<Ends>& edges) {
  std::vector<Vertices> of(p);
  for (const auto& [a, b] : edges) {
    of[a].push_back(b);
    of[b].push_back(a);
  }
  return of;
}

/// Vertices from `a` to `b`; `seen` is where the walk came from.
Vertices path(const std::vector<Vertices>& tree, std::uint32_t a, std::uint32_t b,
              std::uint32_t seen = UINT32_MAX) {
  if (a == b) return {a};
  for (const std::uint32_t next : tree[a]) {
    if (next == seen) continue;
    Vertices rest = path(tree, next, b, a);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), a);
    return rest;
  }
  return {};
}

/// The path of `tree` from `a` to `b` passes from `from` to `to` along an edge.
bool passes(const std::vector<Vertices>& tree, std::uint32_t a, std::uint32_t b, std::uint32_t from,
            std::uint32_t to) {
  const Vertices way = path(tree, a, b);
  for (std::size_t k = 1; k < way.size(); ++k) {
    if (way[k - 1] == from && way[k] == to) return true;
  }
  return false;
}

/// The lemma for the paths of one pair on two trees.
bool edges_are_exchanged(const std::vector<Vertices>& one, const std::vector<Vertices>& other,
                         const Vertices& p, const Vertices& q) {
  for (std::size_t i = 1; i < p.size(); ++i) {
    for (std::size_t s = 1; s < q.size(); ++s) {
      const bool same = std::minmax(p[i - 1], p[i]) == std::minmax(q[s - 1], q[s]);
      if (!same && passes(one, q[s - 1], q[s], p[i - 1], p[i]) &&
          passes(other, p[i - 1], p[i], q[s - 1], q[s])) {
        return true;
      }
    }
  }
  return false;
}

TEST(NearSizes, paths_that_differ_have_edges_that_replace_one_another) {
  std::size_t n_pairs = 0;
  for (std::size_t p = 2; p <= 5; ++p) {
    std::vector<std::vector<Vertices>> all;
    model::tree_oracle::for_each_tree(
        p, [&](const std::vector<Ends>& edges) { all.push_back(neighbours(p, edges)); });
    for (const auto& one : all) {
      for (const auto& other : all) {
        for (std::uint32_t b = 1; b < p; ++b) {  // all pairs, as all labels are tried
          const Vertices in_one = path(one, 0, b);
          const Vertices in_other = path(other, 0, b);
          if (in_one == in_other) continue;
          ASSERT_TRUE(edges_are_exchanged(one, other, in_one, in_other));
          ++n_pairs;
        }
      }
    }
  }
  EXPECT_GT(n_pairs, 30000U);
}

using Moments = std::vector<std::vector<double>>;

/// Moments of all pairs, each off by `most` or less: mostly by just that.
Moments estimates(trees::Engine& engine, const model::SignTree& truth, double most) {
  const model::PathCorrelations paths(truth);
  const auto p = static_cast<std::uint32_t>(truth.n_variables());
  Moments of(p, std::vector<double>(p, 1));
  for (std::uint32_t a = 0; a < p; ++a) {
    for (std::uint32_t b = a + 1; b < p; ++b) {
      const double share = trees::uniform(engine) < .8 ? 1 : trees::uniform(engine);
      const double off = trees::uniform(engine) < .5 ? most * share : -most * share;
      of[a][b] = of[b][a] = paths.moment(a, b) + off;
    }
  }
  return of;
}

/// The maximum spanning tree of the sizes of all pairs (Prim), with moments within [-1, 1].
model::SignTree tree_of(const Moments& moments) {
  const auto p = static_cast<std::uint32_t>(moments.size());
  std::vector<bool> in(p, false);
  in[0] = true;
  std::vector<model::TreeEdge> edges;
  while (edges.size() + 1 < p) {
    model::TreeEdge best{0, 0, 0};
    for (std::uint32_t a = 0; a < p; ++a) {
      for (std::uint32_t b = 0; b < p; ++b) {
        if (!in[a] || in[b] || std::abs(moments[a][b]) < std::abs(best.moment)) continue;
        best = {a, b, moments[a][b]};
      }
    }
    in[best.b] = true;
    best.moment = std::clamp(best.moment, -1.0, 1.0);
    edges.push_back(best);
  }
  return {trees::names(p), {}, std::move(edges), 0};
}

TEST(NearSizes, no_estimates_within_e_lead_a_pair_further_off_than_the_proof_says) {
  trees::Engine engine(5);
  std::size_t n_wrong = 0;
  double closest = 0;
  for (int round = 0; round < 60000; ++round) {
    const std::size_t p = 3 + engine() % 6;
    const double e = round % 2 == 0 ? .02 : .004;
    const double least_found = .25 - e;
    model::SignTree truth = trees::random_tree(engine, p, 0, .95, 0);
    std::vector<model::TreeEdge> edges = truth.edges();
    for (model::TreeEdge& edge : edges) {
      if (engine() % 3 != 0) edge.moment *= .12;  // mostly weak
    }
    truth = model::SignTree(truth.names(), {}, edges, 0);
    const model::SignTree learned = tree_of(estimates(engine, truth, e));
    const auto pairs = trees::pairs_of(learned);
    const std::set<trees::Pair> found(pairs.begin(), pairs.end());
    const bool strong_are_found = std::ranges::all_of(truth.edges(), [&](const auto& edge) {
      return std::abs(edge.moment) < least_found || found.contains({edge.a, edge.b});
    });
    if (!strong_are_found) continue;
    if (pairs != trees::pairs_of(truth)) ++n_wrong;
    // Paths of strong edges alone: those of the forest of them.
    std::vector<model::TreeEdge> strong;
    std::vector<model::TreeEdge> estimated;
    for (const model::TreeEdge& edge : truth.edges()) {
      if (std::abs(edge.moment) >= least_found) strong.push_back(edge);
    }
    for (const model::TreeEdge& edge : learned.edges()) {
      const bool is_strong = std::ranges::any_of(
          strong, [&](const auto& other) { return other.a == edge.a && other.b == edge.b; });
      if (is_strong) estimated.push_back(edge);
    }
    const double of_found = small_set_distance(model::SignTree(truth.names(), {}, strong, 0),
                                               model::SignTree(truth.names(), {}, estimated, 0))
                                .distance;
    const double most = std::max(5 * e, of_found);  // half of E: total variation
    const double distance = small_set_distance(truth, learned).distance;
    ASSERT_LE(distance, most * (1 + 1e-9)) << "round " << round;
    if (distance > of_found) closest = std::max(closest, distance / most);
  }
  EXPECT_GT(n_wrong, 10000U);
  EXPECT_GT(closest, .25);  // the bound is no idle one
}

TEST(NearSizes, the_weakest_edge_is_theorem_3_1_solved_for_alpha) {
  for (const std::size_t p : {3U, 100U, 5000U}) {
    for (const double q : {0.0, .1, .4}) {
      const TreeClass trees{p, .3, 1.2, q};
      const SampleSizes sizes = samples_for_structure(trees, .05);
      const double t = std::tanh(.3);
      const double b = std::tanh(1.2);
      EXPECT_NEAR(weakest_edge(p, b, q, .05, sizes.sufficient).derived, t, 1e-12);
      EXPECT_NEAR(weakest_edge(p, b, q, .05, sizes.sufficient_published).published, t, 1e-12);
    }
  }
  // Eq. (40), and (41) with kappa = 0.64.
  const double e = std::sqrt(2 * std::log(2 * 100 * 100 / .05) / 1000);
  EXPECT_NEAR(weakest_edge(100, .8, 0, .05, 1000).published, 4 * e / std::sqrt(.2), 1e-12);
  EXPECT_NEAR(weakest_edge(100, .8, .1, .05, 1000).published,
              4 * e * std::sqrt(1 - .64 * .64 * .8) / (.64 * .2), 1e-12);
  EXPECT_EQ(weakest_edge(2, .8, .1, .05, 1000).derived, 0);
}

TEST(NearSizes, alpha_matters_to_the_tree_and_not_to_prediction) {
  const auto at = [](double alpha) {
    return samples_for_prediction({100, alpha, 1.1, .1}, .05, .02);
  };
  EXPECT_EQ(at(.2).without_alpha, at(1e-4).without_alpha);
  EXPECT_GT(at(1e-4).by_tree, 1e5 * at(.2).by_tree);
  EXPECT_EQ(at(1e-4).sufficient(), at(1e-4).without_alpha);
  const auto divergence = [](double alpha) {
    return samples_for_symmetric_kl({100, alpha, 1.1, .1}, .05, .5);
  };
  EXPECT_EQ(divergence(.2).without_alpha, divergence(1e-4).without_alpha);
  EXPECT_GT(divergence(1e-4).by_tree, 1e5 * divergence(.2).by_tree);
}

TEST(NearSizes, prediction_takes_the_greatest_of_the_terms_that_are_derived) {
  // 50 log(3 p (p-1) / delta) / (kappa^2 eta^2) where edges are moderate, whatever the noise.
  for (const double q : {0.0, .1, .3}) {
    const double kappa = (1 - 2 * q) * (1 - 2 * q);
    const double expected = 50 * std::log(3 * 100 * 99 / .05) / (kappa * kappa * .01 * .01);
    EXPECT_NEAR(samples_for_prediction({100, .1, .8, q}, .05, .01).without_alpha, expected,
                1e-6 * expected);
  }
  // Strong edges: e^(2 beta) without noise, e^(4 beta) with it.
  const auto growth = [](double q) {
    const auto at = [&](double beta) {
      return samples_for_prediction({1'000'000, .1, beta, q}, .05, .01).without_alpha;
    };
    return std::log(at(5) / at(4.5));  // beta + 0.5
  };
  EXPECT_NEAR(growth(0), 1, .1);
  EXPECT_NEAR(growth(.1), 2, .1);
}

/// Trees of 8 variables with edges of down to 0.001, from as many samples as are said to be enough
/// whatever alpha is: how many are whole, and the greatest of what `told` says of any.
template <class Told>
std::pair<int, double> runs(double q, double n, const Told& told) {
  trees::Engine engine(16);
  int n_whole = 0;
  double greatest = 0;
  for (int run = 0; run < 20; ++run) {
    const model::SignTree truth = trees::random_tree(engine, 8, .001, std::tanh(.9), q);
    const trees::File file(trees::draw(engine, truth, static_cast<std::size_t>(std::ceil(n))));
    const auto learned = trees::learn(file.path(), {"--crossover", fmt::format("{}", q)});
    if (trees::pairs_of(learned.tree) == trees::pairs_of(truth)) ++n_whole;
    greatest = std::max(greatest, told(truth, learned.tree));
  }
  return {n_whole, greatest};
}

TEST(NearSizes, so_many_are_enough_although_trees_are_not_found) {
  // At delta = 0.05 two failures of 20 and more would have probability 0.26 if the bound were
  // tight; it is not, so none is expected.
  for (const double q : {0.0, .1}) {
    const TreeClass trees{8, .001, .9, q};
    const double eta = .08;
    const auto [n_whole, distance] =
        runs(q, samples_for_prediction(trees, .05, eta).without_alpha,
             [](auto& one, auto& other) { return small_set_distance(one, other).distance; });
    EXPECT_LT(n_whole, 20);
    EXPECT_LE(distance, eta);
    EXPECT_GT(distance, eta / 100);
    const auto [_, divergence] =
        runs(q, samples_for_symmetric_kl(trees, .05, .3).without_alpha, [](auto& one, auto& other) {
          return kl_divergence(one, other) + kl_divergence(other, one);
        });
    EXPECT_LE(divergence, .3);
    EXPECT_GT(divergence, .3 / 1000);
  }
}

}  // namespace
}  // namespace orrery::learning
