// Rows of orrery's own files of samples, taken out and put together, whatever they hold: bits,
// numbers or categories. A block is held at a time, but of categories, which are held whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "learning/learner.hpp"
#include "store/archive.hpp"
#include "store/run.hpp"

namespace orrery::commands {

/// What the rows of a file hold. Throws InputError for a file without samples.
[[nodiscard]] learning::Input kind_of_rows(const std::string& path);
[[nodiscard]] std::uint64_t count_rows(const std::string& path);

/// A new file of samples.
class RowsFile {
 public:
  virtual ~RowsFile() = default;
  /// Adds the rows of `path` whose place in `is_taken` is true; all if it is empty. Columns are
  /// matched by name. Throws InputError for other columns, and for a file of another kind.
  virtual void add(const std::string& path, const std::vector<bool>& is_taken = {}) = 0;
  /// The file appears. `truth`, if given, stands beside the samples.
  virtual void finish(const store::RunInfo& run, const store::GroupWriter& truth = {}) = 0;

  [[nodiscard]] std::uint64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }

 protected:
  std::uint64_t n_rows_ = 0;
  std::size_t n_columns_ = 0;
};
[[nodiscard]] std::unique_ptr<RowsFile> open_rows_file(const std::string& path,
                                                       learning::Input kind);

}  // namespace orrery::commands
