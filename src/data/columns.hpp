// The columns of a table to be imported: their names, and which of them are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::data {

struct Columns {
  std::vector<std::string> names;     ///< every column of the file
  std::vector<std::size_t> kept;      ///< indices of those that are imported, ascending
  std::vector<std::uint8_t> is_kept;  ///< a flag for every column of the file

  [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
  [[nodiscard]] std::vector<std::string> kept_names() const;
  /// "3 ('fever')": the column's number, from 1, and its name, for a message.
  [[nodiscard]] std::string describe(std::size_t column) const;
};

/// The widest table: a block of 32 MiB holds 64 rows of it.
inline constexpr std::uint64_t most_columns = std::uint64_t{1} << 22U;

/// Throws InputError for a table of no column, of one, or of more than most_columns.
void require_column_count(const std::string& file, std::uint64_t n_columns);

/// x0, x1, ...
[[nodiscard]] std::vector<std::string> default_names(std::size_t n_columns);

[[nodiscard]] bool is_utf8(std::string_view text);
[[nodiscard]] bool has_control_character(std::string_view text);

/// Throws InputError for a name that is empty, used twice, not UTF-8 or holds a control character,
/// for a dropped name that does not exist, and if fewer than two columns remain.
[[nodiscard]] Columns select_columns(const std::string& file, std::vector<std::string> names,
                                     const std::vector<std::string>& dropped);

/// Throws InputError if a table that was read has no row, or a column without any value. `names`
/// and `missing` (values that are) are of the columns that were kept.
void require_some_values(const std::string& file, const std::vector<std::string>& names,
                         std::uint64_t n_samples, const std::vector<std::uint64_t>& missing);

}  // namespace orrery::data
