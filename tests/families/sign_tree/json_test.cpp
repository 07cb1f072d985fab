#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "families/model_files.hpp"
#include "model/same_model.hpp"
#include "model/temporary_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

LearnedTree some_tree() {
  LearnedTree learned;
  learned.tree = SignTree({"left", "a \"quoted\" name", "右", "alone"}, {.25, 0, -.5, .1},
                          {{0, 2, -.625}, {1, 2, 1 / 3.0}}, .0625);
  learned.edge_errors = {.03125, std::nan("")};
  learned.crossover_error = .015625;
  learned.learner = "tree";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = 10000;
  learned.remarks = {"the time was over"};
  return learned;
}

LearnedTree tree_of(const std::string& text) {
  const TemporaryFile file(text);
  return read_tree_json(file.path());
}

std::string tree_json_refusal(const std::string& text) {
  try {
    (void)tree_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TreeJson, what_is_written_is_read_again) {
  expect_same(tree_of(to_tree_json(some_tree())), some_tree());
  LearnedTree bare;
  bare.tree = SignTree({"x"}, {}, {}, 0);
  expect_same(tree_of(to_tree_json(bare)), bare);
}

TEST(TreeJson, names_means_and_crossover_may_be_left_out) {
  const LearnedTree found =
      tree_of(R"({"format": "orrery-tree-1", "variables": [{}, {}], "edges": [[1, 0, 0.5]]})");
  EXPECT_EQ(found.tree.names(), (std::vector<std::string>{"x0", "x1"}));
  EXPECT_TRUE(found.tree.is_uniform());
  EXPECT_EQ(found.tree.crossover(), 0);
  EXPECT_EQ(found.tree.edges(), (std::vector<TreeEdge>{{0, 1, .5}}));
}

TEST(TreeJson, errors_follow_their_edges) {
  const LearnedTree found = tree_of(R"({"format": "orrery-tree-1", "variables": [{}, {}, {}],
      "edges": [[2, 1, 0.5], [1, 0, 0.25]], "edge_errors": [0.02, 0.01]})");
  EXPECT_EQ(found.tree.edges(), (std::vector<TreeEdge>{{0, 1, .25}, {1, 2, .5}}));
  EXPECT_EQ(found.edge_errors, (std::vector<double>{.01, .02}));
}

TEST(TreeJson, what_is_no_tree_is_refused_with_its_place) {
  const auto with = [](const std::string& rest) {
    return tree_json_refusal(R"({"format": "orrery-tree-1", )" + rest + "}");
  };
  const std::string two = R"("variables": [{"name": "a"}, {"mean": 0.5}], )";
  EXPECT_NE(with(R"("variables": [], "edges": [])").find("at least one"), std::string::npos);
  EXPECT_NE(with(R"("edges": [])").find("variables"), std::string::npos);
  EXPECT_NE(with(R"("variables": [{}])").find("edges"), std::string::npos);
  EXPECT_NE(with(R"("variables": [{"name": "x1"}, {}], "edges": [])").find("x1"),
            std::string::npos);
  EXPECT_NE(with(R"("variables": [{"mean": 1}], "edges": [])").find("variables[0].mean"),
            std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 1]])").find("edges[0]"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 2, 0.5]])").find("variable 2"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 0.5, 0.5]])").find("edges[0][1]"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 4294967295, 0.5]])").find("edges[0][1]"),
            std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 1, 0.75]])").find("between -0.5 and 0.5"),
            std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 1, 0.5], [1, 0, 0.5]])").find("cycle"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [], "crossover": 0.5)").find("crossover"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [], "crossover": "0")").find("crossover"), std::string::npos);
  EXPECT_NE(with(two + R"("edges": [], "crossover_error": -1)").find("crossover_error"),
            std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 1, 0.5]], "edge_errors": [])").find("edge_errors"),
            std::string::npos);
  EXPECT_NE(with(two + R"("edges": [[0, 1, 0.5]], "edge_errors": [-0.1])").find("edge_errors[0]"),
            std::string::npos);
  EXPECT_NE(tree_json_refusal(R"({"format": "orrery-tree-2"})").find("orrery-tree-2"),
            std::string::npos);
  EXPECT_NE(tree_json_refusal("[]"), "accepted");
}

}  // namespace
}  // namespace orrery::model
