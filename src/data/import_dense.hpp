// Tables of numbers into dense rows, streamed in bounded memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/data/dense_block.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

struct DenseImportSummary {
  Format format = Format::automatic;  ///< what was recognised: csv, tsv or npy
  std::uint64_t n_samples = 0;
  std::uint64_t n_missing = 0;
  std::vector<std::string> names;
  std::vector<std::uint64_t> missing;  ///< missing values of each column
};

/// Reads `path` (.gz read as well, but for npy) and pushes its rows to `sink` in blocks.
/// CSV and TSV as import_samples reads them (optional header, quoted fields, missing tokens, among
/// them any number), with numbers in cells (C locale, std::from_chars; blanks around and a leading
/// + are fine);
/// NPY 1.0-3.0 of f4, f8, i1-i8, u1-u8 and bool in either byte order, C or Fortran order, two
/// dimensions. A header is recognised by a first line in which no cell is a number or a missing
/// token. Throws InputError naming file, row, column, value and remedy, as import_samples does; so
/// too for a cell that is no number, for an infinite one, one beyond a double's range, and in NPY
/// for a NaN unless a missing token is "nan" in any case (the remedy). Throws UsageError for
/// options the format cannot obey: rows and mtx among them.
DenseImportSummary import_dense(const std::filesystem::path& path, const ImportOptions& options,
                                DenseSink& sink);

}  // namespace orrery::data
