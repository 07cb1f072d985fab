// Tables that are not of bits: of numbers into dense rows, streamed in bounded memory, and of
// categories into memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/row_names.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

struct DenseImportSummary {
  Format format = Format::automatic;  ///< what was recognised; never `automatic`
  std::uint64_t n_samples = 0;
  std::uint64_t n_missing = 0;
  bool has_row_names = false;
  std::vector<std::string> names;
  std::vector<std::uint64_t> missing;  ///< missing values of each column
};

/// Reads `path` as import_samples does and pushes its rows to `sink` in blocks.
/// CSV and TSV as import_samples reads them (optional header, quoted fields, missing tokens, among
/// them any number), with numbers in cells (C locale, std::from_chars; blanks around and a leading
/// + are fine);
/// NPY 1.0-3.0 of f4, f8, i1-i8, u1-u8 and bool in either byte order, C or Fortran order, two
/// dimensions; and the other formats of import_samples but rows. A header is recognised by a first
/// line in which no cell is a number or a missing token. Throws InputError naming file, row,
/// column, value and remedy, as import_samples does; so too for a cell that is no number, for an
/// infinite one, one beyond a double's range, and in NPY for a NaN unless a missing token is "nan"
/// in any case (the remedy). Throws UsageError for options the format cannot obey: rows among them.
DenseImportSummary import_dense(const std::filesystem::path& path, const ImportOptions& options,
                                DenseSink& sink);

/// PREFIX.bed where `path` is the prefix of PLINK's files and no file itself; else `path`.
[[nodiscard]] std::filesystem::path plink_file(const std::filesystem::path& path);

// Categories of the columns of a table that is read: those that a user gives, on the command line
// or in a file, and those that are found.

/// What the user says of categories, in order: code 0 is the first.
struct GivenCategories {
  std::vector<std::string> all;                                ///< of every column; may be empty
  std::map<std::string, std::vector<std::string>> of_columns;  ///< of some
  std::string source;                                          ///< for messages
};
/// "negative,low,medium,high", or the name of a CSV file of lines column,category,category,...
/// Throws UsageError for a text that is neither, InputError for a file without such lines; both for
/// fewer than 2 or more than max_categories, for one that is empty or given twice.
[[nodiscard]] GivenCategories parse_categories(const std::string& text);

/// The categories of one column while its values are read: given, or found as they come.
class CategoryCodes {
 public:
  /// Empty: found.
  explicit CategoryCodes(const std::vector<std::string>& given);

  enum class Found : std::uint8_t { known, added, not_given, too_many };
  /// Sets `code` if the category is known or was added.
  Found find(std::string_view token, std::uint8_t& code);

  [[nodiscard]] bool are_given() const noexcept { return are_given_; }
  [[nodiscard]] const std::vector<std::string>& categories() const noexcept { return categories_; }

  /// Two categories that are the same number; empty if there are none.
  [[nodiscard]] std::vector<std::string> same_numbers() const;
  /// Sorts categories that were found: as numbers if all are, else by their bytes. The new code of
  /// each old one.
  [[nodiscard]] std::vector<std::uint8_t> sort();

 private:
  /// Empty if a category is no finite number.
  [[nodiscard]] std::vector<double> numbers() const;

  bool are_given_;
  std::vector<std::string> categories_;
  std::unordered_map<std::string, std::uint8_t> codes_;
  std::string key_;  // of the look-up: kept, so that a known value allocates nothing
};

// Tables of categories in CSV, TSV and ARFF, into memory.

struct CategoricalImport {
  Format format = Format::automatic;  ///< what was recognised: csv, tsv or arff
  CategoricalTable table;
  std::uint64_t n_missing = 0;
  RowNames row_names;  ///< of each row, or none
};

/// Reads `path` (.gz read as well): CSV and TSV as import_samples reads them (quoted fields,
/// missing tokens, columns left out), the first line holding names unless options.header is `no`.
/// The categories of a column that none are given for are those that ARFF declares, or its values:
/// in the order of numbers if all are finite numbers, else of their bytes. Memory: the table.
/// Throws InputError naming file, row, column, value and remedy, as import_samples does; so too for
/// a column of one category (unless they are given) or of more than max_categories, one number that
/// is written in two ways, a value that is not among the categories given, one that is not UTF-8, a
/// row without any value, and categories given for a column that is not there. Throws UsageError
/// for formats that hold bits.
[[nodiscard]] CategoricalImport import_categorical(const std::filesystem::path& path,
                                                   const ImportOptions& options,
                                                   const GivenCategories& given);

}  // namespace orrery::data
