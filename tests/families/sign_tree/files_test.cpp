// Trees of signs in files: JSON and HDF5.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "base/message_parts.hpp"
#include "families/model_files.hpp"
#include "family/table.hpp"
#include "model/same_model.hpp"
#include "model/temporary_file.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/sign_tree.hpp"
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"

namespace orrery::model {
namespace {

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

namespace orrery::store {
namespace {

class TreeTest : public StoreTest {
 protected:
  /// What is said of a good tree in which the dataset's first value was replaced, its digest made
  /// to agree.
  template <class T>
  std::string refusal_with(T value, const std::string& dataset,
                           const model::LearnedTree& good = some_tree()) {
    write_model(path("t.h5"), good, some_run());
    edit_file(path("t.h5"), [&](hid_t file) { overwrite(file, dataset, value); });
    const std::string message = error_of("t.h5");
    const std::string key = "its values give ";
    const std::string computed = message.substr(message.find(key) + key.size(), 16);
    edit_file(path("t.h5"), [&](hid_t file) {
      restore_digest(file, dataset, std::stoull(computed, nullptr, 16));
    });
    return error_of("t.h5");
  }
  std::string error_of(const std::string& name) {
    return message_of<InputError>([&] { static_cast<void>(read_tree(path(name))); });
  }
};

TEST_F(TreeTest, errors_are_stored_only_if_they_are_known) {
  model::LearnedTree bare;
  bare.tree = model::SignTree({"alone"}, {}, {}, 0);
  write_model(path("t.h5"), bare, some_run());
  edit_file(path("t.h5"), [](hid_t file) {
    EXPECT_EQ(H5Lexists(file, "/tree/edges/moment_error", H5P_DEFAULT), 0);
  });
}

TEST_F(TreeTest, samples_carry_the_tree_they_were_drawn_from) {
  SampleWriter writer(path("s.h5"));
  const std::vector<std::string> names = some_tree().tree.names();
  push_rows(writer, 70, names, scattered, nowhere);
  const model::LearnedTree tree = some_tree();
  writer.finish(some_run(), group_of(tree));
  expect_same(read_tree(path("s.h5")), some_tree());
  EXPECT_EQ(read_samples(path("s.h5")).n_samples(), 70U);
  EXPECT_FALSE(inspect(path("s.h5")).has("model"));
}

TEST_F(TreeTest, what_is_no_tree_is_refused) {
  expect_part(refusal_with(1.0, "/tree/variables/mean"), "/tree: variables[0].mean");
  expect_part(refusal_with(1.5, "/tree/edges/moment"), "/tree: edges[0].moment");
  expect_part(refusal_with(std::uint32_t{9}, "/tree/edges/b"), "joins variable 9");
  expect_part(refusal_with(std::uint32_t{3}, "/tree/edges/a"), "to itself");
  expect_part(refusal_with(std::uint32_t{2}, "/tree/edges/a"), "edges[0].moment = -0.625");
  expect_part(refusal_with(-0.5, "/tree/edges/moment_error"), "moment_error[0] = -0.5");
}

TEST_F(TreeTest, edges_may_come_in_any_order) {
  model::LearnedTree other = some_tree();
  other.tree = model::SignTree(other.tree.names(), {}, {{1, 2, .5}, {0, 3, .25}}, 0);
  write_model(path("t.h5"), other, some_run());
  expect_same(read_tree(path("t.h5")), other);
  EditedHdf5 file(path("t.h5"));
  EXPECT_TRUE(file.put({"/tree/edges/a", ""}, cells_of(CellType::u32, std::vector{1U, 0U}, {2})));
  EXPECT_TRUE(file.put({"/tree/edges/b", ""}, cells_of(CellType::u32, std::vector{2U, 3U}, {2})));
  EXPECT_TRUE(
      file.put({"/tree/edges/moment", ""}, cells_of(CellType::f64, std::vector{.5, .25}, {2})));
  file.repair_digests();
  std::swap(other.edge_errors[0], other.edge_errors[1]);  // they stay where they are in the file
  expect_same(read_tree(path("t.h5")), other);
}

}  // namespace
}  // namespace orrery::store
