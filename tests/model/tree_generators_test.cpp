#include "model/tree_generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

SignTree tree(const std::string& spec, std::uint64_t seed = 1, const TreeParameters& with = {}) {
  return generate_tree(spec, seed, with).value();
}

std::string tree_spec_refusal(const std::string& spec) {
  try {
    (void)generate_tree(spec, 1, {});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::string refused_correlations(const std::string& text) {
  TreeParameters parameters;
  try {
    parse_correlations("--correlations", text, parameters);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TreeGenerators, chains_and_stars_have_their_edges) {
  const SignTree chain = tree("tree:chain:4");
  const SignTree star = tree("tree:star:4");
  ASSERT_EQ(chain.edges().size(), 3U);
  ASSERT_EQ(star.edges().size(), 3U);
  for (std::uint32_t e = 0; e < 3; ++e) {
    EXPECT_EQ(chain.edges()[e].a, e);
    EXPECT_EQ(chain.edges()[e].b, e + 1);
    EXPECT_EQ(star.edges()[e].a, 0U);
    EXPECT_EQ(star.edges()[e].b, e + 1);
  }
  EXPECT_TRUE(chain.is_uniform());
  EXPECT_EQ(tree("tree:star:1").n_variables(), 1U);
}

TEST(TreeGenerators, recursive_trees_attach_uniformly_to_what_is_there) {
  // Variable 3 is joined to 0, 1 or 2, each in a third of the seeds: 5 standard deviations of
  // 3,000 draws are 5 sqrt(2/9 / 3000) = .043.
  int count[3] = {0, 0, 0};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const SignTree grown = tree("tree:recursive:5", seed);
    const auto found = std::ranges::find(grown.edges(), 3U, &TreeEdge::b);
    ASSERT_NE(found, grown.edges().end());
    ++count[found->a];
  }
  for (const int n : count) EXPECT_NEAR(n / 3000.0, 1 / 3.0, .043);
}

TEST(TreeGenerators, correlations_are_uniform_in_their_range) {
  const SignTree grown = tree("tree:recursive:20001", 4, {.2, .8, false, .1});
  EXPECT_EQ(grown.crossover(), .1);
  double sum = 0;
  double squares = 0;
  for (const TreeEdge& edge : grown.edges()) {
    ASSERT_GE(edge.moment, .2);
    ASSERT_LE(edge.moment, .8);
    sum += edge.moment / 20000;
    squares += edge.moment * edge.moment / 20000;
  }
  // Uniform: variance .6^2 / 12; mean square .5^2 + .03. 5 standard deviations of 20,000.
  EXPECT_NEAR(sum, .5, 5 * std::sqrt(.03 / 20000));
  EXPECT_NEAR(squares, .28, .007);
}

TEST(TreeGenerators, signed_correlations_are_the_same_but_for_half_the_signs) {
  const SignTree plain = tree("tree:recursive:2001", 4);
  const SignTree either = tree("tree:recursive:2001", 4, {.2, .8, true, 0});
  int n_negative = 0;
  for (std::size_t e = 0; e < plain.edges().size(); ++e) {
    ASSERT_EQ(plain.edges()[e].moment, std::abs(either.edges()[e].moment));
    if (either.edges()[e].moment < 0) ++n_negative;
  }
  EXPECT_NEAR(n_negative, 1000, 5 * std::sqrt(500));
}

TEST(TreeGenerators, the_tree_does_not_depend_on_correlations_or_crossover) {
  const SignTree one = tree("tree:recursive:50", 8);
  const SignTree other = tree("tree:recursive:50", 8, {-.3, .1, false, .3});
  for (std::size_t e = 0; e < one.edges().size(); ++e) {
    EXPECT_EQ(one.edges()[e].a, other.edges()[e].a);
    EXPECT_EQ(one.edges()[e].b, other.edges()[e].b);
  }
  EXPECT_EQ(one.edges(), tree("tree:recursive:50", 8, {.2, .8, false, .4}).edges());
  EXPECT_NE(one.edges(), tree("tree:recursive:50", 9).edges());
}

TEST(TreeGenerators, other_texts_are_refused_or_left_to_others) {
  EXPECT_FALSE(generate_tree("img", 1, {}).has_value());
  EXPECT_FALSE(generate_tree("trees.json", 1, {}).has_value());
  for (const char* spec : {"tree", "tree:", "tree:chain", "tree:ring:5", "tree:chain:5:6"}) {
    EXPECT_NE(tree_spec_refusal(spec), "accepted") << spec;
  }
  for (const char* spec : {"tree:chain:0", "tree:chain:-1", "tree:chain:", "tree:star:1000001"}) {
    EXPECT_NE(tree_spec_refusal(spec).find("a whole number 1 to 1000000"), std::string::npos)
        << spec;
  }
}

TEST(TreeGenerators, correlations_are_parsed_with_care) {
  TreeParameters parameters;
  parse_correlations("--correlations", "-.5,.25", parameters);
  EXPECT_EQ(parameters.low, -.5);
  EXPECT_EQ(parameters.high, .25);
  EXPECT_FALSE(parameters.either_sign);
  parse_correlations("--correlations", ".3,.3,signed", parameters);
  EXPECT_EQ(parameters.low, .3);
  EXPECT_TRUE(parameters.either_sign);
  for (const char* text : {"", ".2", ".2,.8,.9", ".8,.2", ".2,1", "-1,0", ".2,x", "-.2,.8,signed",
                           ".2,.8,sign", "lo=.2,.8", "nan,.5", ".2,,.8"}) {
    EXPECT_NE(refused_correlations(text), "accepted") << text;
  }
}

}  // namespace
}  // namespace orrery::model
