// Categorical samples in a file: /categorical, one table of bytes with its names and categories;
// and categorical networks: /categorical_network.
//
// Reading and writing throw as store.hpp says.
#pragma once

#include <cstdint>
#include <filesystem>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/any_model_fwd.hpp"
#include "orrery/store/run_info.hpp"

namespace orrery::store {

/// A new file, checked, synced and renamed. `truth`, if given, is stored as /categorical_network.
void write_categorical(const std::filesystem::path& path, const data::CategoricalTable& table,
                       const RunInfo& run, const model::LearnedCategorical* truth = nullptr);

struct StoredTable {
  data::CategoricalTable table;
  std::uint64_t digest = 0;
};
/// Verifies the digest. Of a file with /samples or /dense it says what it holds and how to import
/// categories.
StoredTable read_categorical(const std::filesystem::path& path);

void write_categorical_network(const std::filesystem::path& path,
                               const model::LearnedCategorical& learned, const RunInfo& run);
model::LearnedCategorical read_categorical_network(const std::filesystem::path& path);

}  // namespace orrery::store
