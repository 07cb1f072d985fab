// Categorical samples in a file: /categorical, one table of bytes with its names and categories.
//
// Reading and writing throw as store.hpp says.
#pragma once

#include <cstdint>
#include <filesystem>

#include "orrery/data/categorical_table.hpp"
#include "store/archive.hpp"

namespace orrery::store {

/// A new file, checked, synced and renamed. `truth`, if given, stands beside the table.
void write_categorical(const std::filesystem::path& path, const data::CategoricalTable& table,
                       const RunInfo& run, const GroupWriter& truth = {});

struct StoredTable {
  data::CategoricalTable table;
  std::uint64_t digest = 0;
};
/// Verifies the digest. Of a file with /samples or /dense it says what it holds and how to import
/// categories.
StoredTable read_categorical(const std::filesystem::path& path);

}  // namespace orrery::store
