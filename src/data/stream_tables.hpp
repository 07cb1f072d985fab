// Tables whose values lie in arrays that are read from the beginning to the end, as in archives of
// arrays and in HDF5: dense ones, and sparse ones by rows (CSR), by columns (CSC) or entry by entry
// (COO). Every claim of such a file is checked as its values come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "data/number_stream.hpp"
#include "data/table_source.hpp"

namespace orrery::data {

/// Row after row from the first to the last; gives the name of each.
using RowNamer = std::function<std::string(std::uint64_t row)>;

/// What a table is called, and its size.
struct TableFrame {
  std::string file;                ///< for messages
  std::vector<std::string> names;  ///< of the columns
  std::uint64_t n_rows = 0;
  RowNamer row_name;  ///< empty: rows have no names
};

/// `pointers` says where in `indices` and `data` each row (CSR) or column (CSC) begins.
struct CompressedArrays {
  std::unique_ptr<NumberStream> data, indices, pointers;
};
struct CoordinateArrays {
  std::unique_ptr<NumberStream> data, rows, columns;
};

using SourceOfTable = std::variant<std::unique_ptr<RowSource>, std::unique_ptr<EntrySource>>;

/// Row after row. Throws InputError, as the others do, if the sizes of the arrays do not fit.
[[nodiscard]] SourceOfTable dense_by_rows(TableFrame frame, std::unique_ptr<NumberStream> values);
/// Column after column.
[[nodiscard]] SourceOfTable dense_by_columns(TableFrame frame,
                                             std::unique_ptr<NumberStream> values);
[[nodiscard]] SourceOfTable sparse_by_rows(TableFrame frame, CompressedArrays arrays);
[[nodiscard]] SourceOfTable sparse_by_columns(TableFrame frame, CompressedArrays arrays);
[[nodiscard]] SourceOfTable sparse_entries(TableFrame frame, CoordinateArrays arrays);

/// import_bits and import_numbers of either kind.
ImportSummary import_bits(const SourceOfTable& table, Format format, const ImportOptions& options,
                          SampleSink& sink);
DenseImportSummary import_numbers(const SourceOfTable& table, Format format,
                                  const ImportOptions& options, DenseSink& sink);

}  // namespace orrery::data
