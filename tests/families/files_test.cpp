// Models of every family in files of either kind: what was written is read again, the same model
// gives the same bytes, and a value of JSON that is none of its field's is refused where it stands.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "families/model_examples.hpp"
#include "family/table.hpp"
#include "model/oracle.hpp"
#include "model/same_model.hpp"
#include "store/store_fixture.hpp"

namespace orrery::family {
namespace {

using model::LearnedModel;
using store::bytes_of;
using store::put_bytes;
using store::some_run;

class ModelFiles : public store::StoreTest {
 protected:
  AnyModel of_json(const std::string& text) {
    put_bytes(path("m.json"), text);
    return load_model(path("m.json").string(), 1);
  }
  std::string write(const std::string& name, const AnyModel& model,
                    const store::RunInfo& run = some_run()) {
    store::write_group(path(name), group_of(model), run);
    return path(name).string();
  }
};

TEST_F(ModelFiles, hdf5_and_json_are_read_as_they_were_written) {
  std::vector<AnyModel> all = examples();
  const std::size_t n_examples = all.size();
  // HDF5 alone may be without variables, or names.
  all.insert(all.end(), {LearnedModel(), store::some_model(), store::some_tree()});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const AnyModel& model = all[i];
    expect_same(load_model(write("m.h5", model), 1), model);
    const store::FileContents contents = store::inspect(path("m.h5"));
    for (const Family* family : families()) {
      for (const std::string& group : family->groups) {
        EXPECT_EQ(contents.has(group), group == family_of(model).groups[0]) << group;
      }
    }
    if (i >= n_examples) continue;
    const AnyModel again = of_json(to_json(model));
    expect_same(again, model);
    EXPECT_EQ(to_json(again), to_json(model));
  }
}

TEST_F(ModelFiles, two_writes_differ_in_the_run_only) {
  for (const AnyModel& model : examples()) {
    const std::string bytes = bytes_of(write("1.h5", model));
    EXPECT_EQ(bytes_of(write("2.h5", model)), bytes);
    EXPECT_NE(bytes_of(write("3.h5", model, store::RunInfo())), bytes);
  }
}

TEST_F(ModelFiles, another_group_is_said_to_be_there) {
  const std::vector<AnyModel> all = examples();
  for (std::size_t held = 0; held < 5; ++held) {
    write("m.h5", all[held]);
    const std::string& there = family_of(all[held]).groups[0];
    for (const Family* family : families()) {
      const std::string& wanted = family->groups[0];
      if (wanted == there) continue;
      const std::string said = store::message_of<InputError>([&] {
        store::read_group(path("m.h5"), wanted,
                          [&](store::Archive& archive) { (void)family->fields.read(archive); });
      });
      EXPECT_NE(said.find("no /" + wanted + ", but /" + there), std::string::npos) << said;
    }
  }
}

/// Every value of a document, by the path to it: those that hold others too.
void add_paths(const nlohmann::json& value, const nlohmann::json::json_pointer& at,
               std::vector<nlohmann::json::json_pointer>& paths) {
  if (!value.is_structured()) return;
  for (const auto& [key, inside] : value.items()) {
    const auto path = value.is_array() ? at / std::stoul(key) : at / key;
    paths.push_back(path);
    add_paths(inside, path, paths);
  }
}

/// What a field of this value cannot hold.
nlohmann::json of_another_kind(const nlohmann::json& value) {
  if (value.is_string()) return 7;
  if (value.is_array()) return nlohmann::json::object();
  return value.is_object() ? nlohmann::json(.375) : nlohmann::json("0.5");
}

TEST_F(ModelFiles, no_field_of_json_takes_a_value_of_another_kind) {
  for (const AnyModel& model : examples()) {
    const nlohmann::json document = nlohmann::json::parse(to_json(model));
    std::vector<nlohmann::json::json_pointer> paths;
    add_paths(document, nlohmann::json::json_pointer(), paths);
    if (paths.size() > 200) continue;  // a large network: no other fields
    for (const auto& at : paths) {
      std::string field = at.to_string();
      field.erase(field.find_last_not_of("/0123456789") + 1);
      const std::string key = field.substr(field.rfind('/') + 1);
      for (const nlohmann::json& other : {nlohmann::json(true), of_another_kind(document[at])}) {
        nlohmann::json odd = document;
        odd[at] = other;
        const std::string said =
            model::oracle::message_of<InputError>([&] { expect_same(of_json(odd.dump()), model); });
        if (said.empty()) continue;  // nobody reads it: it follows from other fields
        EXPECT_NE(said.find("m.json: "), std::string::npos) << said;
        EXPECT_NE(said.find(key), std::string::npos) << at << ": " << said;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::family
