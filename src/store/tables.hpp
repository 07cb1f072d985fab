// Samples that are not bits in a file: /dense, blocks of rows of doubles, each with a digest of its
// own; and /categorical, one table of bytes with its names and categories.
//
// Reading and writing throw as store.hpp says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/row_names.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/dense_block.hpp"
#include "store/archive.hpp"

namespace orrery::store {

/// Of the values of a column that are there. Sums go through the rows in order, so that they are a
/// function of the data alone.
struct DenseColumn {
  std::uint64_t n_present = 0;
  double mean = 0;
  double sd = 0;  ///< root of the mean squared distance from the mean
  double min = 0;
  double max = 0;
};

/// Streams /dense into a new file; one block is held at a time.
class DenseWriter final : public data::DenseSink {
 public:
  explicit DenseWriter(const std::filesystem::path& path);
  ~DenseWriter() override;
  void begin(const std::vector<std::string>& names) override;
  void append(const data::DenseBlock& block) override;
  void name_rows(const data::RowNames& names) override;
  /// Writes the columns' means and so on, and /run, checks and renames. Without it no file appears.
  /// `truth`, if given, stands beside the samples.
  void finish(const RunInfo& run, const GroupWriter& truth = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct DenseHeader {
  std::uint64_t n_samples = 0;
  std::uint64_t n_columns = 0;
  std::uint64_t digest = 0;
  std::uint64_t n_missing = 0;
};

class DenseReader {
 public:
  /// Reads the header, names, columns and digests, not the values. Throws InputError; of a file
  /// with /samples it says that it holds bits and how to import numbers.
  explicit DenseReader(const std::filesystem::path& path);
  DenseReader(const DenseReader&) = delete;
  DenseReader& operator=(const DenseReader&) = delete;
  ~DenseReader();

  [[nodiscard]] const DenseHeader& header() const;
  [[nodiscard]] const std::vector<std::string>& names() const;
  [[nodiscard]] const std::vector<DenseColumn>& columns() const;

  /// Calls `use` with rows [first_row, first_row + n_rows) in order, in pieces that do not cross
  /// the file's blocks: a piece's first value and its number of rows. Each block is read and
  /// verified once a call, one is held at a time. Thread-safe. Throws InputError naming the file,
  /// the block and both digests if it is damaged.
  using Use = std::function<void(const double* rows, std::size_t n_rows)>;
  void visit(std::uint64_t first_row, std::uint64_t n_rows, const Use& use) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Categorical samples.

/// A new file, checked, synced and renamed. `truth`, if given, stands beside the table. `row_names`
/// are of each row, or none.
void write_categorical(const std::filesystem::path& path, const data::CategoricalTable& table,
                       const RunInfo& run, const GroupWriter& truth = {},
                       const data::RowNames& row_names = {});

struct StoredTable {
  data::CategoricalTable table;
  std::uint64_t digest = 0;
};
/// Verifies the digest. Of a file with /samples or /dense it says what it holds and how to import
/// categories.
StoredTable read_categorical(const std::filesystem::path& path);
/// A table in memory instead, with the digest that its file would have. Throws InputError as
/// data::check does.
StoredTable as_stored(data::CategoricalTable table);

}  // namespace orrery::store
