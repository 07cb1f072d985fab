// A model as a group of a file: alone, or beside the samples that were drawn from it.
#pragma once

#include <filesystem>
#include <functional>

#include "orrery/store/run_info.hpp"

namespace orrery::model {
struct LearnedModel;
struct LearnedTree;
struct LearnedLinear;
struct LearnedCategorical;
}  // namespace orrery::model

namespace orrery::store {

namespace hdf5 {
class Handle;
}

/// Writes one group below the root of a file that is being made.
using GroupWriter = std::function<void(const hdf5::Handle& root)>;

/// The group of a model: /model, /tree, /linear, /categorical_network. The model must outlive it.
/// Writing throws InputError if a name cannot be stored.
GroupWriter group_of(const model::LearnedModel& model);
GroupWriter group_of(const model::LearnedTree& model);
GroupWriter group_of(const model::LearnedLinear& model);
GroupWriter group_of(const model::LearnedCategorical& model);

/// A new file with that group and /run, checked, synced and renamed.
void write_group(const std::filesystem::path& path, const GroupWriter& group, const RunInfo& run);

template <class Model>
void write_model(const std::filesystem::path& path, const Model& model, const RunInfo& run) {
  write_group(path, group_of(model), run);
}

}  // namespace orrery::store
