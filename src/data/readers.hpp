// Which format a file has, the reader of each format (import.cpp and import_dense.cpp choose one),
// and the blocks of rows that every reader ends in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/import_tables.hpp"
#include "data/row_names.hpp"
#include "data/text_table.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

/// The format of a file: that of the options, or found out; never `automatic`, and rows only if
/// they may be. `text` is `path`, opened, before its first line. Throws InputError for an empty
/// file, a binary file of another kind, a format that is not recognised, and a compressed NPY.
[[nodiscard]] Format recognise(const std::filesystem::path& path, TextReader& text,
                               const ImportOptions& options, bool may_be_rows);

/// `format` is csv or tsv.
ImportSummary import_delimited(TextReader& text, Format format, const ImportOptions& options,
                               SampleSink& sink);
ImportSummary import_rows(TextReader& text, const ImportOptions& options, SampleSink& sink);
ImportSummary import_mtx(TextReader& text, const ImportOptions& options, SampleSink& sink);
ImportSummary import_npy(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink);
/// Of numbers.
DenseImportSummary import_dense_mtx(TextReader& text, const ImportOptions& options,
                                    DenseSink& sink);
DenseImportSummary import_dense_npy(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink);
/// False in a build without libzip, where the next two throw InputError.
bool reads_npz() noexcept;
/// Archives of NPY arrays, and sparse matrices of SciPy in such an archive.
ImportSummary import_npz(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink);
DenseImportSummary import_dense_npz(const std::filesystem::path& path, const ImportOptions& options,
                                    DenseSink& sink);
/// PLINK 1: `path` is the .bed file. Bits: carriers of A1, unless the options say otherwise.
ImportSummary import_plink(const std::filesystem::path& path, const ImportOptions& options,
                           SampleSink& sink);
DenseImportSummary import_dense_plink(const std::filesystem::path& path,
                                      const ImportOptions& options, DenseSink& sink);

/// What to say of a value that is neither 0 nor 1: the place, the value, and the remedies that do
/// not ruin the column. Its values are counted in the first 100,000 rows of `text`, from the
/// beginning: a column of two values can be read with --on and --off, and neither of them is
/// advised to be named as missing. Where --on and --off took the meaning from the built-in words,
/// it says so.
[[nodiscard]] std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                                     const CellReader& cells, const std::string& place,
                                     const std::string& value, std::size_t column,
                                     const std::string& name);

// The end of every import: rows are gathered into blocks, which go to the sink, are counted, and
// are judged as a whole. Of bits, and of numbers.

class SampleBlocks {
 public:
  /// Begins the sink's stream with the names of the kept columns.
  SampleBlocks(std::string file, const Columns& columns, SampleSink& sink);

  /// Columns of a block: the kept ones.
  [[nodiscard]] std::size_t n_columns() const noexcept { return summary_.names.size(); }
  /// Rows of every block but the last.
  [[nodiscard]] std::size_t rows_per_block() const noexcept { return rows_per_block_; }

  /// `missing` is null if the block has no missing value.
  void push(const BitColumns& values, const BitColumns* missing);

  /// The names of the rows, if they have any, go to the sink; names that are not one for each row,
  /// all different, are left out with a warning. Throws InputError if there was no row, or a column
  /// without any value, unless it may lack them.
  [[nodiscard]] ImportSummary finish(Format format, const RowNames& row_names = {});

 private:
  std::string file_;
  bool may_lack_values_;
  SampleSink& sink_;
  std::size_t rows_per_block_;
  ImportSummary summary_;
};

/// Rows into blocks of bit columns. 64 rows are staged as rows of bits, then transposed in tiles of
/// 64 x 64 bits: a column is touched once in 64 rows instead of once a row, which matters because
/// the columns of a block lie a power of two apart and share cache sets.
class RowStage {
 public:
  /// Both must outlive the stage.
  RowStage(const Columns& columns, SampleBlocks& blocks);

  /// The current row: bit j of word w is column 64 w + j of the file (dropped ones included). Every
  /// word must be written; a missing or dropped value's bit may be anything.
  [[nodiscard]] std::uint64_t* values() noexcept { return values_.data() + row_ * words_per_row_; }
  /// Marks a value of the current row as missing.
  void set_missing(std::size_t column);
  /// The current row is complete.
  void finish_row();
  /// The table is complete: pushes the last block. Call once, after the last row.
  void finish();

 private:
  void flush_stripe();
  void flush_tile(std::size_t tile);
  void push_block();

  const Columns& columns_;
  SampleBlocks& blocks_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> values_;   // 64 rows
  std::vector<std::uint64_t> missing_;  // 64 rows, or none before the first missing value
  std::size_t row_ = 0;                 // in the stripe
  std::size_t stripe_ = 0;              // in the block
  std::size_t kept_before_tile_ = 0;
  bool stripe_has_missing_ = false;
  bool block_has_missing_ = false;
  BitColumns block_;
  std::optional<BitColumns> missing_block_;
};

class DenseBlocks {
 public:
  /// Begins the sink's stream with the names of the kept columns.
  DenseBlocks(std::string file, const Columns& columns, DenseSink& sink);

  /// Columns of a block: the kept ones.
  [[nodiscard]] std::size_t n_columns() const noexcept { return summary_.names.size(); }
  /// The current row of n_columns() values; every one must be written, NaN: missing.
  [[nodiscard]] double* row() noexcept { return block_.values.data() + n_rows_ * n_columns(); }
  /// The current row is complete.
  void finish_row();
  /// As of SampleBlocks.
  [[nodiscard]] DenseImportSummary finish(Format format, const RowNames& row_names = {});

 private:
  void push();

  std::string file_;
  bool may_lack_values_;
  DenseSink& sink_;
  DenseBlock block_;
  std::size_t n_rows_ = 0;  // complete in the block
  DenseImportSummary summary_;
};

}  // namespace orrery::data
