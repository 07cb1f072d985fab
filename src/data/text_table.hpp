// A small table of texts: names and numbers, not samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery::data {

struct TextRow {
  std::uint64_t line = 0;  ///< where it begins in the file, from 1
  std::vector<std::string> cells;
};

/// The rows of a CSV or TSV file (.gz too): tabs separate if the first line has one, else commas.
/// Quoted cells, blanks around cells and blank lines as RFC 4180 and import_samples have them.
/// `n_columns` 0: as many as the first row has. Throws InputError naming file and line: no row at
/// all, or a row that has not `n_columns` cells.
std::vector<TextRow> read_text_table(const std::filesystem::path& path, std::size_t n_columns);

}  // namespace orrery::data
