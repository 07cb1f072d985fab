// The columns of a table to be imported: their names, and which of them are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/data/import.hpp"

namespace orrery::data {

struct Columns {
  std::vector<std::string> names;     ///< every column of the file
  std::vector<std::size_t> kept;      ///< indices of those that are imported, ascending
  std::vector<std::uint8_t> is_kept;  ///< a flag for every column of the file
  std::size_t index = no_index;       ///< the column that holds the rows' names, if one does

  bool may_lack_values = false;  ///< a column without any value is fine

  static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] bool has_index() const noexcept { return index != no_index; }

  [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
  [[nodiscard]] std::vector<std::string> kept_names() const;
  /// Of every column of the file, its place among the kept ones; of a dropped one, any number.
  [[nodiscard]] std::vector<std::size_t> places() const;
  /// "3 ('fever')": the column's number, from 1, and its name, for a message.
  [[nodiscard]] std::string describe(std::size_t column) const;
};

/// What messages and --drop call a first column without a name, which may hold the rows' names.
inline constexpr const char* unnamed_index = "row names";

/// The widest table: a block of 32 MiB holds 64 rows of it.
inline constexpr std::uint64_t most_columns = std::uint64_t{1} << 22U;

/// Throws InputError for a table of no column, of one unless `may_be_one`, or of more than
/// most_columns.
void require_column_count(const std::string& file, std::uint64_t n_columns,
                          bool may_be_one = false);

/// x0, x1, ...
[[nodiscard]] std::vector<std::string> default_names(std::size_t n_columns);

[[nodiscard]] bool is_utf8(std::string_view text);
[[nodiscard]] bool has_control_character(std::string_view text);

/// True if `name` is `pattern`, in which * stands for any characters and ? for one byte.
[[nodiscard]] bool matches(std::string_view name, std::string_view pattern);

/// The columns that options.keep_columns and drop_columns leave; `index` is never one of them.
/// Throws InputError for a name that is empty, used twice, not UTF-8 or holds a control character,
/// for a column to keep or to drop that does not exist, and if fewer than two columns remain
/// (one, where options.like_columns).
[[nodiscard]] Columns select_columns(const std::string& file, std::vector<std::string> names,
                                     const ImportOptions& options,
                                     std::size_t index = Columns::no_index);

/// Throws InputError if a table that was read has no row, or a column without any value unless it
/// may have none. `names` and `missing` (values that are) are of the columns that were kept.
void require_some_values(const std::string& file, const std::vector<std::string>& names,
                         std::uint64_t n_samples, const std::vector<std::uint64_t>& missing,
                         bool may_lack_values = false);

}  // namespace orrery::data
