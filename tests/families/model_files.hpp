// Models into and out of files of either kind, as the commands read and write them. Who includes
// this is linked with the table of families (orrery_test's FAMILIES).
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/linear_network.hpp"
#include "orrery/model/sign_tree.hpp"
#include "store/archive.hpp"
#include "store/store.hpp"

namespace orrery::store {

inline GroupWriter group_of(const family::AnyModel& model) { return family::group_of(model); }

inline void write_model(const std::filesystem::path& path, const family::AnyModel& model,
                        const RunInfo& run) {
  write_group(path, family::group_of(model), run);
}

/// The model of a group, whatever else the file holds.
template <class Model>
Model read_group_of(const std::filesystem::path& path, const std::string& group) {
  const family::Family& family = family::family_of(family::AnyModel(Model()));
  Model model;
  read_group(path, group,
             [&](Archive& archive) { model = *family.fields.read(archive).template as<Model>(); });
  return model;
}
inline model::LearnedModel read_model(const std::filesystem::path& path) {
  const bool older = inspect(path).has("anchored");
  return read_group_of<model::LearnedModel>(path, older ? "anchored" : "model");
}
inline model::LearnedTree read_tree(const std::filesystem::path& path) {
  return read_group_of<model::LearnedTree>(path, "tree");
}
inline model::LearnedLinear read_linear(const std::filesystem::path& path) {
  return read_group_of<model::LearnedLinear>(path, "linear");
}
inline model::LearnedCategorical read_categorical_network(const std::filesystem::path& path) {
  return read_group_of<model::LearnedCategorical>(path, "categorical_network");
}

}  // namespace orrery::store

namespace orrery::model {

template <class Model>
Model read_json_of(const std::filesystem::path& path, const std::string& entry = "") {
  const std::string argument = entry.empty() ? path.string() : path.string() + ":" + entry;
  return family::require<Model>(family::load_model(argument, 1), argument, "another is needed");
}
inline LearnedModel read_network_json(const std::filesystem::path& path,
                                      const std::string& entry = "") {
  return read_json_of<LearnedModel>(path, entry);
}
inline LearnedTree read_tree_json(const std::filesystem::path& path) {
  return read_json_of<LearnedTree>(path);
}
inline LearnedLinear read_linear_json(const std::filesystem::path& path) {
  return read_json_of<LearnedLinear>(path);
}
inline std::string to_network_json(const LearnedModel& model) { return family::to_json(model); }
inline std::string to_tree_json(const LearnedTree& model) { return family::to_json(model); }
inline std::string to_linear_json(const LearnedLinear& model) { return family::to_json(model); }
inline std::string categorical_to_json(const LearnedCategorical& model) {
  return family::to_json(model);
}

}  // namespace orrery::model
