#include "families/model_files.hpp"
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"

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
  static void expect_part(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
};

TEST_F(TreeTest, a_learned_tree_round_trips) {
  write_model(path("t.h5"), some_tree(), some_run());
  expect_same(read_tree(path("t.h5")), some_tree());
  const FileContents contents = inspect(path("t.h5"));
  EXPECT_TRUE(contents.has("tree"));
  EXPECT_FALSE(contents.has("model"));
}

TEST_F(TreeTest, a_tree_without_errors_or_edges_round_trips) {
  model::LearnedTree bare;
  bare.tree = model::SignTree({"alone"}, {}, {}, 0);
  write_model(path("t.h5"), bare, some_run());
  expect_same(read_tree(path("t.h5")), bare);
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

TEST_F(TreeTest, another_group_is_said_to_be_there) {
  write_model(path("t.h5"), some_tree(), some_run());
  write_model(path("m.h5"), some_model(), some_run());
  expect_part(error_of("m.h5"), "no /tree, but /model");
  expect_part(message_of<InputError>([&] { static_cast<void>(read_model(path("t.h5"))); }),
              "no /model, but /tree");
}

TEST_F(TreeTest, two_writes_differ_in_the_run_only) {
  write_model(path("1.h5"), some_tree(), some_run());
  write_model(path("2.h5"), some_tree(), some_run());
  EXPECT_EQ(bytes_of(path("1.h5")), bytes_of(path("2.h5")));
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
