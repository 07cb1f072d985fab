// What `info` tells of stored rows: of bits, of numbers, of categories; a section of a sheet each.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "report/sheet.hpp"
#include "store/categorical.hpp"
#include "store/dense.hpp"

namespace orrery::commands {

// `every_column`: the text has them all, not the first 20.
void add_samples(report::Sheet& sheet, const data::SampleMatrix& samples, bool every_column);
/// Goes over the rows, so that their digest is checked.
void add_numbers(report::Sheet& sheet, const store::DenseReader& samples, bool every_column);
void add_categories(report::Sheet& sheet, const store::StoredTable& stored, bool every_column);

/// A table with a row per column of the data.
report::Table& columns_table(report::Section& section, bool every_column);
/// Names of columns in JSON; for people the first ten and how many there are, if any.
void add_names(report::Section& section, const char* key, const char* label,
               const std::vector<std::string>& names);

}  // namespace orrery::commands
