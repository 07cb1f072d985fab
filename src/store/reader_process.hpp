// HDF5 files of other programs, read in a process of their own. Their metadata has no checksums,
// and HDF5 believes it: a damaged byte can end the process that reads it. Then it is this one that
// ends, and the command says that the file is damaged.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "data/stream_tables.hpp"

namespace orrery::store {

/// A table and the arrays that its values lie in.
struct ArraysOfTable {
  enum class Layout : std::uint8_t { dense, sparse_by_rows, sparse_by_columns };

  data::TableFrame frame;
  Layout layout = Layout::dense;
  /// The values; of a sparse one data, indices, pointers.
  std::vector<std::unique_ptr<data::NumberStream>> arrays;
};

/// What `open` gives, whose arrays and names are read by another process, in which `open` is
/// called. Throws what it throws: here, and in that process while the arrays are read; InputError
/// if the process is ended by a signal. `path` is for messages.
[[nodiscard]] ArraysOfTable open_in_process(const std::filesystem::path& path,
                                            const std::function<ArraysOfTable()>& open);

}  // namespace orrery::store
