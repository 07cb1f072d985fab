// Text and array files into sample rows, streamed in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

enum class Format {
  automatic,
  csv,
  tsv,
  rows,
  mtx,
  npy,
  npz,
  hdf5,
  svmlight,
  arff,
  plink,
  long_table,
  text,
};
enum class Header { automatic, yes, no };

struct ImportOptions {
  Format format = Format::automatic;
  Header header = Header::automatic;
  /// Tokens that mean "missing", beside the built-in ones (empty, ?, NA, N/A, NaN, null, .).
  std::vector<std::string> missing_tokens;
  /// CSV and TSV: tokens that mean 1 and 0, beside the built-in words, over which they win. Where
  /// one of them is itself a built-in word for a value (1 of a column coded 1/2), none of these
  /// words means anything any more.
  std::vector<std::string> on_tokens, off_tokens;
  /// A number above it is 1, any other is 0.
  std::optional<double> threshold;
  /// Columns that are imported, and columns left out: names, or patterns in which * stands for any
  /// characters and ? for one. None to keep: all. A column of both is left out.
  std::vector<std::string> keep_columns, drop_columns;
  /// CSV and TSV: what separates the cells of a row; 0: found out.
  char delimiter = '\0';
  /// CSV and TSV: the column of the rows' names; "none": there is none; empty: a first column
  /// without a name in the header.
  std::string index;
  /// Rows are variables, and columns are samples.
  bool transpose = false;
  /// The variables of a model: other columns are left out, and that some are not there, or have no
  /// value, is fine. Empty: there is no model.
  std::vector<std::string> like_columns;
  /// HDF5: the path of the data set or the group that holds the table; NPZ: the array's name.
  /// Empty: the only one, or the X of AnnData.
  std::string dataset;
  /// Long tables: the names of the columns of rows, of variables, and of values (empty: there is
  /// none, a line says that the value is 1).
  std::string row_column, variable_column, value_column;
  /// Long tables: lines count whose time, in this column, is `from` or later and earlier than
  /// `before`; both are ISO 8601 dates, which compare as text, or numbers. Empty: no limit.
  std::string time_column, from, before;
  /// Documents and long tables: how many variables there are at most, those of most rows (none:
  /// 1,000 words, or all variables), and rows that a variable must be in (none: 20, or 1).
  std::optional<std::uint64_t> vocabulary, min_documents;
  /// Documents: words that are left out: "none", "english", or a file with a word on each line.
  std::string stop_words = "none";
  /// SVMlight: whether the first column has index 0 (none: if 0 occurs), and the name of a column
  /// made of the labels (empty: they are left out).
  std::optional<bool> is_zero_based;
  std::string label;
  /// Tables of which the values come in any order: bits held in memory at once; a larger matrix is
  /// read in several passes.
  std::uint64_t memory_bytes = std::uint64_t{4} << 30U;
};

struct ImportSummary {
  Format format = Format::automatic;  ///< what was recognised; never `automatic`
  std::uint64_t n_samples = 0;
  std::uint64_t n_missing = 0;
  bool has_row_names = false;  ///< a column of the file held them
  std::vector<std::string> names;
  std::vector<std::uint64_t> ones;     ///< ones of each column
  std::vector<std::uint64_t> missing;  ///< missing values of each column
};

/// Reads `path` ("-": standard input) and pushes its rows to `sink` in blocks; .gz is read as well,
/// but for formats that are read in place (npy, npz, plink). The format is that of the options, or
/// is recognised by the file's first bytes, its name, or its first line:
/// - CSV and TSV: a line of names or none; quoted fields; any delimiter, found out; a column of row
///   names; 0/1, 0.0/1.0, true/false, t/f, yes/no, y/n in any case, the tokens of the options, or
///   numbers beside a threshold;
/// - rows of 0/1 characters, among which a missing token of one character may stand;
/// - ARFF, SVMlight; long tables and documents, where options.format says so;
/// - MatrixMarket coordinate (pattern, integer, real; general), NPY 1.0-3.0 of two dimensions, NPZ
///   with such an array or a matrix of scipy.sparse, PLINK 1: numbers that are 0 or 1, or as the
///   options say.
/// HDF5 of other programs is read by the program alone.
/// Memory: one block (at most 32 MiB of bits) and one text buffer, and the rows' names; where
/// values come in any order, options.memory_bytes; of delimited text that is transposed, 8 bytes
/// per value. Time linear in the file, times the passes that this memory takes. Throws InputError
/// naming file, row, column, value and remedy: an empty file, a header only, one column only,
/// ragged rows, a value that is not binary, a column without any value, a truncated or damaged
/// file, duplicate or empty column names, a column to keep or drop that does not exist. Throws
/// UsageError for options that the format cannot obey, and for one token of two meanings.
ImportSummary import_samples(const std::filesystem::path& path, const ImportOptions& options,
                             SampleSink& sink);

/// "csv" -> Format::csv and so on. Throws UsageError for an unknown name, listing the known ones.
Format parse_format(const std::string& name);
std::string format_name(Format format);

}  // namespace orrery::data
