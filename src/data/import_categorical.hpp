// Tables of categories in CSV and TSV into memory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "data/categories.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

struct CategoricalImport {
  Format format = Format::automatic;  ///< what was recognised: csv or tsv
  CategoricalTable table;
  std::uint64_t n_missing = 0;
};

/// Reads `path` (.gz read as well): CSV and TSV as import_samples reads them (quoted fields,
/// missing tokens, columns left out), the first line holding names unless options.header is `no`.
/// The categories of a column that none are given for are its values: in the order of numbers if
/// all are finite numbers, else of their bytes. Memory: the table. Throws InputError naming file,
/// row, column, value and remedy, as import_samples does; so too for a column of one category
/// (unless they are given) or of more than max_categories, one number that is written in two ways,
/// a value that is not among the categories given, one that is not UTF-8, a row without any value,
/// and categories given for a column that is not there. Throws UsageError for formats that hold
/// bits.
[[nodiscard]] CategoricalImport import_categorical(const std::filesystem::path& path,
                                                   const ImportOptions& options,
                                                   const GivenCategories& given);

}  // namespace orrery::data
