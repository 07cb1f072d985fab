#include "families/linear/network/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Eigen::MatrixXd;

LinearNetwork linear_network(const std::string& spec, std::uint64_t seed = 1,
                             const LinearParameters& with = {}) {
  return generate_linear(spec, seed, with).value();
}

std::string linear_spec_refusal(const std::string& spec, const LinearParameters& with = {}) {
  try {
    (void)generate_linear(spec, 1, with);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_sizes(const MatrixXd& matrix, double low, double high) {
  for (const double value : matrix.reshaped()) {
    if (value == 0) continue;
    ASSERT_GE(std::abs(value), low);
    ASSERT_LE(std::abs(value), high);
  }
}

/// Each row has one entry other than 0, three (or `n_children`) follow each other in a column.
void expect_tree(const MatrixXd& loadings, Eigen::Index n_children) {
  ASSERT_EQ(loadings.rows(), n_children * loadings.cols());
  for (Eigen::Index i = 0; i < loadings.rows(); ++i) {
    for (Eigen::Index j = 0; j < loadings.cols(); ++j) {
      EXPECT_EQ(loadings(i, j) != 0, j == i / n_children) << i << ' ' << j;
    }
  }
}

TEST(LinearGenerators, bipartite_edges_are_independent_with_their_probability) {
  const LinearNetwork drawn = linear_network("linear:bipartite:400,100,.3", 5);
  EXPECT_EQ(drawn.n_observed(), 400U);
  EXPECT_EQ(drawn.n_causes(), 100U);
  // 5 standard deviations of 40,000 draws, and of the 400 of a cause and 100 of a variable.
  EXPECT_NEAR(static_cast<double>(drawn.n_edges()), 12000, 5 * std::sqrt(40000 * .21));
  for (Eigen::Index j = 0; j < 100; ++j) {
    EXPECT_NEAR(static_cast<double>((drawn.loadings().col(j).array() != 0).count()), 120,
                5 * std::sqrt(400 * .21));
  }
  for (Eigen::Index i = 0; i < 400; ++i) {
    EXPECT_NEAR(static_cast<double>((drawn.loadings().row(i).array() != 0).count()), 30,
                5 * std::sqrt(100 * .21));
  }
  EXPECT_EQ(linear_network("linear:bipartite:9,2,1").n_edges(), 18U);
  EXPECT_EQ(linear_network("linear:bipartite:9,2,0").n_edges(), 0U);
}

TEST(LinearGenerators, sizes_are_in_their_ranges_with_either_sign) {
  const LinearNetwork drawn = linear_network("linear:bipartite:400,100,1", 6);
  expect_sizes(drawn.loadings(), .5, 1);
  // Uniform on [.5, 1]: mean .75, variance 1/48; half are negative; 40,000 draws.
  EXPECT_NEAR(drawn.loadings().cwiseAbs().mean(), .75, 5 * std::sqrt(1 / 48. / 40000));
  EXPECT_NEAR(static_cast<double>((drawn.loadings().array() < 0).count()), 20000, 5 * 100);
  EXPECT_GE(drawn.noise().minCoeff(), .25);
  EXPECT_LE(drawn.noise().maxCoeff(), .75);
  EXPECT_NEAR(drawn.noise().mean(), .5, 5 * std::sqrt(1 / 48. / 400));
  EXPECT_EQ(drawn.means(), Eigen::VectorXd::Zero(400));
}

TEST(LinearGenerators, a_ternary_tree_has_three_children_a_variable) {
  const LinearNetwork tree = linear_network("linear:ternary:4", 7);
  EXPECT_EQ(tree.n_observed(), 27U);
  EXPECT_EQ(tree.n_causes(), 9U);
  expect_tree(tree.loadings(), 3);
  expect_sizes(tree.loadings(), .5, 1);
  ASSERT_EQ(tree.upper().size(), 2U);
  for (const UpperLevel& level : tree.upper()) {
    expect_tree(level.loadings, 3);
    expect_sizes(level.loadings, .5, .9);
  }
  EXPECT_EQ(tree.upper()[1].names.size(), 1U);
  EXPECT_TRUE(linear_network("linear:ternary:2").upper().empty());
  EXPECT_EQ(linear_network("linear:ternary:2").n_causes(), 1U);
}

TEST(LinearGenerators, a_caterpillar_is_coupled_along_its_path) {
  const LinearNetwork path = linear_network("linear:caterpillar:5,4", 8);
  EXPECT_EQ(path.n_observed(), 20U);
  expect_tree(path.loadings(), 4);
  ASSERT_TRUE(path.has_coupling());
  for (Eigen::Index i = 0; i < 5; ++i) {
    for (Eigen::Index j = 0; j < 5; ++j) EXPECT_EQ(path.coupling()(i, j) != 0, i == j + 1);
  }
  expect_sizes(path.coupling(), .4, .8);
}

TEST(LinearGenerators, a_tree_of_three_children_is_the_ternary_one) {
  const LinearNetwork tree = linear_network("linear:tree:3,4", 7);
  const LinearNetwork ternary = linear_network("linear:ternary:4", 7);
  EXPECT_EQ(tree.loadings(), ternary.loadings());
  EXPECT_EQ(tree.noise(), ternary.noise());
  EXPECT_EQ(tree.upper()[1].loadings, ternary.upper()[1].loadings);
  const LinearNetwork five = linear_network("linear:tree:5,3", 7);
  EXPECT_EQ(five.n_observed(), 25U);
  expect_tree(five.loadings(), 5);
  ASSERT_EQ(five.upper().size(), 1U);
  expect_tree(five.upper()[0].loadings, 5);
}

TEST(LinearGenerators, a_polytree_without_directions_is_a_tree_and_every_cause_has_leaves) {
  std::array<int, 3> seen{};  // couplings to a later cause, to an earlier one, shared children
  bool two_parents = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LinearNetwork drawn = linear_network("linear:polytree:10,4", seed);
    const auto n = static_cast<Eigen::Index>(drawn.n_observed());
    EXPECT_TRUE(drawn.loadings().topRows(40).isApprox(
        linear_network("linear:caterpillar:10,4", seed).loadings()));
    // Edges of the graph: one fewer than its nodes, and no part of it apart from the others.
    std::vector<std::pair<Eigen::Index, Eigen::Index>> edges;
    for (Eigen::Index i = 0; i < 10; ++i) {
      for (Eigen::Index j = 0; j < 10; ++j) {
        if (drawn.has_coupling() && drawn.coupling()(i, j) != 0) {
          edges.emplace_back(i, j);
          ++seen[i > j ? 0 : 1];
        }
      }
      two_parents = two_parents || (drawn.coupling().row(i).array() != 0).count() > 1;
      for (Eigen::Index x = 0; x < n; ++x) {
        if (drawn.loadings()(x, i) != 0) edges.emplace_back(10 + x, i);
      }
    }
    seen[2] += static_cast<int>(n - 40);
    ASSERT_EQ(static_cast<Eigen::Index>(edges.size()), 10 + n - 1);
    std::vector<Eigen::Index> part(static_cast<std::size_t>(10 + n));
    std::iota(part.begin(), part.end(), Eigen::Index{0});
    for (const auto& [a, b] : edges) {
      const Eigen::Index from = part[static_cast<std::size_t>(a)];
      std::ranges::replace(part, from, part[static_cast<std::size_t>(b)]);
    }
    EXPECT_EQ(std::ranges::count(part, part[0]), 10 + n);
  }
  for (const int count : seen) EXPECT_GT(count, 30);  // of 180 links, a third each
  EXPECT_TRUE(two_parents);
}

TEST(LinearGenerators, hidden_variables_have_variance_one) {
  for (const char* spec : {"linear:bipartite:30,5,.4", "linear:ternary:5", "linear:caterpillar:8,3",
                           "linear:tree:4,4", "linear:polytree:30,3"}) {
    const LinearNetwork drawn = linear_network(spec, 9);
    EXPECT_TRUE(drawn.covariance().diagonal().isApproxToConstant(1, 1e-14)) << spec;
    EXPECT_TRUE(drawn.canonical().loadings().isApprox(drawn.loadings(), 1e-14)) << spec;
    for (const UpperLevel& level : drawn.upper()) EXPECT_GT(level.noise.minCoeff(), 0);
  }
}

TEST(LinearGenerators, parameters_leave_structure_and_sizes_alone) {
  const LinearNetwork plain = linear_network("linear:bipartite:30,5,.4", 9);
  const LinearNetwork other =
      linear_network("linear:bipartite:30,5,.4", 9, {CauseLaw::heavy_tailed, -.2});
  EXPECT_EQ(plain.loadings(), other.loadings());
  EXPECT_EQ(plain.noise(), other.noise());
  EXPECT_EQ(plain.parts().covariance.size(), 0);
  EXPECT_EQ(other.covariance()(0, 0), 1);
  EXPECT_EQ(other.covariance()(3, 1), -.2);
  EXPECT_EQ(other.law(), CauseLaw::heavy_tailed);
  // Nor do sizes depend on the structure.
  const LinearNetwork full = linear_network("linear:bipartite:30,5,1", 9);
  EXPECT_EQ(plain.noise(), full.noise());
  for (Eigen::Index i = 0; i < 30; ++i) {
    for (Eigen::Index j = 0; j < 5; ++j) {
      if (plain.loadings()(i, j) == 0) continue;
      EXPECT_EQ(plain.loadings()(i, j), full.loadings()(i, j));
    }
  }
  EXPECT_NE(plain.noise(), linear_network("linear:bipartite:30,5,.4", 10).noise());
}

TEST(LinearGenerators, other_texts_are_refused_or_left_to_others) {
  EXPECT_FALSE(generate_linear("img", 1).has_value());
  EXPECT_FALSE(generate_linear("linear.json", 1).has_value());
  for (const char* spec : {"linear", "linear:", "linear:bipartite", "linear:ring:5"}) {
    EXPECT_NE(linear_spec_refusal(spec).find("no such linear network"), std::string::npos) << spec;
  }
  for (const char* spec : {"linear:bipartite:9,2",
                           "linear:bipartite:9,2,.3,4",
                           "linear:ternary:",
                           "linear:bipartite:n=9,2,.3",
                           "linear:caterpillar:8",
                           "linear:bipartite:0,2,.3",
                           "linear:bipartite:9,0,.3",
                           "linear:bipartite:9,2,1.1",
                           "linear:bipartite:9,2,-.1",
                           "linear:bipartite:100001,2,.3",
                           "linear:bipartite:9,1001,.3",
                           "linear:ternary:1",
                           "linear:ternary:9",
                           "linear:ternary:3,2",
                           "linear:caterpillar:0,3",
                           "linear:caterpillar:8,101",
                           "linear:tree:3",
                           "linear:tree:1,3",
                           "linear:tree:101,3",
                           "linear:tree:3,9",
                           "linear:polytree:8",
                           "linear:polytree:0,3",
                           "linear:polytree:8,101"}) {
    EXPECT_NE(linear_spec_refusal(spec).find(" needs "), std::string::npos) << spec;
  }
}

TEST(LinearGenerators, more_loadings_than_are_held_are_refused) {
  EXPECT_NE(linear_spec_refusal("linear:tree:100,4").find("10000 causes"), std::string::npos);
  for (const char* spec : {"linear:bipartite:100000,1000,.3", "linear:caterpillar:1000,100",
                           "linear:polytree:1000,100"}) {
    EXPECT_NE(linear_spec_refusal(spec).find("at most 67108864"), std::string::npos) << spec;
  }
}

TEST(LinearGenerators, correlations_out_of_range_are_refused) {
  const auto with = [](double correlation) {
    return LinearParameters{CauseLaw::gaussian, correlation};
  };
  for (const double correlation : {-.5, -.8, 1.0, 1.5, std::nan("")}) {
    EXPECT_NE(linear_spec_refusal("linear:bipartite:9,3,.3", with(correlation))
                  .find("must be in (-0.5, 1)"),
              std::string::npos)
        << correlation;
  }
  EXPECT_EQ(linear_spec_refusal("linear:bipartite:9,3,.3", with(-.49)), "accepted");
  EXPECT_NE(linear_spec_refusal("linear:bipartite:9,1,.3", with(.1)).find("two causes"),
            std::string::npos);
  EXPECT_NE(linear_spec_refusal("linear:ternary:3", with(.1)).find("is for linear:bipartite"),
            std::string::npos);
  EXPECT_NE(linear_spec_refusal("linear:caterpillar:3,3", with(.1)).find("is for linear:bipartite"),
            std::string::npos);
}

TEST(LinearGenerators, laws_have_names) {
  for (const CauseLaw law : {CauseLaw::gaussian, CauseLaw::skewed, CauseLaw::heavy_tailed}) {
    EXPECT_EQ(parse_cause_law("--cause-law", cause_law_name(law)), law);
  }
  EXPECT_EQ(cause_law_name(CauseLaw::heavy_tailed), "heavy-tailed");
  EXPECT_FALSE(cause_law_of("normal").has_value());
  EXPECT_THROW((void)parse_cause_law("--cause-law", "heavy_tailed"), UsageError);
}

}  // namespace
}  // namespace orrery::model
