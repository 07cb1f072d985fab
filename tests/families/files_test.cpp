// Models of every family in files of either kind: what was written is read again, the same model
// gives the same bytes, and a value of JSON that is none of its field's is refused where it stands.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "families/categorical/network/examples.hpp"
#include "families/linear/network/examples.hpp"
#include "family/table.hpp"
#include "model/anchored_examples.hpp"
#include "model/anchored_generators.hpp"
#include "model/cause_elimination.hpp"
#include "model/oracle.hpp"
#include "model/same_model.hpp"
#include "store/store_fixture.hpp"

namespace orrery::family {
namespace {

using model::LearnedModel;
using model::LearnedTree;
using store::bytes_of;
using store::put_bytes;
using store::some_run;

LearnedModel of(model::NoisyOrNetwork network) {
  LearnedModel learned;
  learned.network = std::move(network);
  return learned;
}

/// Names to be escaped, parameters next to 0 and 1, and all that a learner may tell.
LearnedModel awkward_model() {
  LearnedModel model = of({{{"u \"1\"\\\n", 1.0 / 3}, {"caf\xC3\xA9", 5e-324}},
                           {{"a", 0.1 + 0.2}, {"b", 1}, {"c", 1e-17}, {"d", 0}},
                           {{0, 0, 0}, {0, 3, std::nextafter(1.0, 0.0)}, {1, 2, 1e-300}}});
  model.provenance = {{0, {0, 1, 2, 3}, 0.0123, 0, 12}, {2, {3, 2, 1, -1}, -1, 0, 0}};
  model.errors = {{1.0 / 7, std::nan("")}, {0, 1e-300, std::nan(""), 0.5}, {0.1, 0.2, 0.3}};
  model.stability = {30, {29.0 / 30, 1}, {1.0 / 3, 0, 1}};
  model.learner = "quartet";
  model.n_samples = 10000;
  model.data_digest = 0x00FEDCBA98765432U;
  model.remarks = {"the time was \"over\"", "caf\xC3\xA9"};
  return model;
}

LearnedTree awkward_tree() {
  LearnedTree learned = store::some_tree();
  learned.tree = model::SignTree({"left", "a \"quoted\" name", "右", "alone"}, {.25, 0, -.5, .1},
                                 {{0, 2, -.625}, {1, 2, 1 / 3.0}}, .0625);
  learned.remarks = {"the time was over"};
  return learned;
}

std::vector<AnyModel> examples() {
  std::vector<AnyModel> all{awkward_model(), awkward_tree(),
                            model::anchored_examples::learned_anchored_example(),
                            model::linear_examples::learned_linear_example(),
                            model::categorical_examples::learned_categorical_example()};
  // What a learner may leave out.
  LearnedModel bare = awkward_model();
  bare.provenance.clear();
  bare.learner.clear();
  bare.errors = {};
  bare.stability = {};
  all.emplace_back(bare);
  LearnedModel alone = of({{}, {{"x", .5}}, {}});
  alone.errors.leak = {.25};
  all.emplace_back(alone);
  LearnedTree single;
  single.tree = model::SignTree({"x"}, {}, {}, 0);
  all.emplace_back(single);
  model::LearnedCategorical categories;
  categories.network = model::categorical_examples::small();
  all.emplace_back(categories);
  categories.network = model::CategoricalNetwork({}, {{"x", {"a", "b"}, {}, {.5, .5}, {}}});
  all.emplace_back(categories);
  all.emplace_back(model::LearnedLinear());
  // Networks of each kind.
  for (model::LinearParts parts :
       {model::linear_examples::independent(), model::linear_examples::dependent(),
        model::linear_examples::coupled(), model::linear_examples::levelled()}) {
    parts.names = {"left", "a \"quoted\" name", "右"};
    parts.law = model::CauseLaw::heavy_tailed;
    parts.loadings(0, 0) = 1 / 3.;
    model::LearnedLinear learned;
    learned.network = model::LinearNetwork(parts);
    all.emplace_back(learned);
  }
  LearnedModel recovered = model::anchored_examples::learned_anchored_example();
  recovered.moments = model::CauseElimination(recovered.network.cause_network()).tables(4);
  all.emplace_back(recovered);
  all.emplace_back(of(model::anchored_examples::three_causes()));
  for (const char* spec : {"anchored:tree:9,30", "anchored:indegree:3,9,30"}) {
    all.emplace_back(
        of(model::generate_anchored(model::parse_anchored_spec(spec).value(), {{}, .5}, 3)));
  }
  std::mt19937_64 random(8);
  for (int i = 0; i < 10; ++i) {
    all.emplace_back(of(model::oracle::random_network(random, 5, 9, 0.5)));
  }
  return all;
}

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
