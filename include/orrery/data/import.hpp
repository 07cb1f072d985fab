// Text and array files into sample rows, streamed in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

enum class Format { automatic, csv, tsv, rows, mtx, npy };
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
  /// Columns left out, by name.
  std::vector<std::string> drop_columns;
  /// MatrixMarket only: bits held in memory at once; a larger matrix is read in several passes.
  std::uint64_t memory_bytes = std::uint64_t{4} << 30U;
};

struct ImportSummary {
  Format format = Format::automatic;  ///< what was recognised; never `automatic`
  std::uint64_t n_samples = 0;
  std::uint64_t n_missing = 0;
  std::vector<std::string> names;
  std::vector<std::uint64_t> ones;     ///< ones of each column
  std::vector<std::uint64_t> missing;  ///< missing values of each column
};

/// Reads `path` (.gz read as well, but for npy) and pushes its rows to `sink` in blocks.
/// Recognised: CSV and TSV (optional header; quoted fields; 0/1, 0.0/1.0, true/false, t/f, yes/no,
/// y/n in any case), rows of 0/1 characters (a missing token of one character may stand among
/// them), MatrixMarket coordinate (pattern, integer, real; general; entries 0 or 1), NPY 1.0-3.0
/// (bool, u1, i1; C or Fortran order; two dimensions).
/// Memory: one block (at most 32 MiB of bits) and one text buffer; time linear in the file.
/// Throws InputError naming file, row, column, value and remedy: an empty file, a header only, one
/// column only, ragged rows, a value that is not binary, a column without any value, a truncated
/// array, duplicate or empty column names, a name in drop_columns that does not exist.
/// Throws UsageError for options the format cannot obey: a header in rows, mtx or npy; missing
/// tokens in mtx, of several characters in rows, that are no number of the array's type in npy; 0
/// and 1; tokens for on and off elsewhere than in CSV and TSV, or one token of two meanings.
ImportSummary import_samples(const std::filesystem::path& path, const ImportOptions& options,
                             SampleSink& sink);

/// "csv" -> Format::csv and so on. Throws UsageError for an unknown name, listing the known ones.
Format parse_format(const std::string& name);
std::string format_name(Format format);

}  // namespace orrery::data
