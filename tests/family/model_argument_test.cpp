// Which family an argument is of: a generator, a JSON file, an HDF5 file.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/message_parts.hpp"
#include "families/categorical/network/examples.hpp"
#include "families/linear/network/examples.hpp"
#include "family/table.hpp"
#include "model/anchored_examples.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/sign_tree.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store.hpp"

namespace orrery::family {
namespace {

model::LearnedTree some_tree() {
  model::LearnedTree learned;
  learned.tree = model::SignTree({"a", "b"}, {0, .25}, {{0, 1, .5}}, .125);
  return learned;
}

class ModelArgument : public testing::Test {
 protected:
  ModelArgument() { std::filesystem::create_directory(folder_); }
  ~ModelArgument() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  /// The model by way of both kinds of file.
  template <class Model>
  void expect_kept(const Model& model) const {
    const AnyModel any = model;
    const Family& family = family_of(any);
    store::write_group(path("m.h5"), group_of(any), {});
    std::ofstream(path("m.json")) << to_json(any);
    for (const char* name : {"m.h5", "m.json"}) {
      const AnyModel loaded = load_model(path(name), 1);
      ASSERT_NE(loaded.as<Model>(), nullptr) << name << ": " << family.name;
      model::expect_same(*loaded.as<Model>(), model);
      EXPECT_EQ(digest_of(loaded), digest_of(any));
    }
  }
  [[nodiscard]] std::string refusal(const std::string& argument) const {
    try {
      (void)load_model(argument, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("models{}", ::getpid());
};

TEST_F(ModelArgument, a_file_of_any_family_is_told_by_what_it_holds) {
  expect_kept(model::anchored_examples::learned_anchored_example());
  expect_kept(some_tree());
  expect_kept(model::linear_examples::learned_linear_example());
  expect_kept(model::categorical_examples::learned_categorical_example());
}

TEST_F(ModelArgument, a_generator_of_any_family_is_told_by_its_name) {
  const auto family_name = [](const std::string& argument) {
    return family_of(load_model(argument, 1)).name;
  };
  EXPECT_EQ(family_name("img"), "noisy_or");
  EXPECT_EQ(family_name("anchored:tree:3,9"), "noisy_or");
  EXPECT_EQ(family_name("tree:chain:4"), "sign_tree");
  EXPECT_EQ(family_name("linear:ternary:3"), "linear");
  EXPECT_EQ(family_name("categorical:1,2,5"), "categorical");
  EXPECT_TRUE(is_generator("tree:chain:4"));
  EXPECT_EQ(model_file("tree:chain:4"), "");
  EXPECT_FALSE(is_generator(path("m.h5")));
}

TEST_F(ModelArgument, neither_a_file_nor_a_generator_is_told_which_there_are) {
  const std::string said = refusal(path("none"));
  for (const Family* family : families()) expect_part(said, family->generators);
}

TEST_F(ModelArgument, a_format_of_no_family_is_told_which_there_are) {
  std::ofstream(path("m.json")) << R"({"format": "orrery-anchored-2"})";
  const std::string said = refusal(path("m.json"));
  expect_part(said, "format = \"orrery-anchored-2\"");
  expect_part(said, R"("orrery-network-1", "orrery-tree-1", "orrery-linear-1")");
}

TEST_F(ModelArgument, a_file_of_two_families_is_refused) {
  const model::LearnedTree tree = some_tree();
  store::write_group(path("m.h5"), group_of(tree), {});
  store::EditedHdf5(path("m.h5")).put_group("/linear");
  expect_part(refusal(path("m.h5")), "more than one of /model, /anchored, /tree, /linear");
}

TEST_F(ModelArgument, one_network_of_a_file_of_one_cannot_be_asked_for) {
  std::ofstream(path("m.json")) << to_json(some_tree());
  expect_part(refusal(path("m.json") + ":NAME"), "NAME");
}

}  // namespace
}  // namespace orrery::family
