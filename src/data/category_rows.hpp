// Tables of categories, whatever text they are written in, and the one way to read them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns.hpp"
#include "data/import_tables.hpp"

namespace orrery::data {

/// A table that is read from its first row to its last.
class CategoryRows {
 public:
  /// The column is that of the file; `token` is valid during the call.
  using Use = std::function<void(std::size_t column, std::string_view token, bool is_missing)>;

  CategoryRows() = default;
  CategoryRows(const CategoryRows&) = delete;
  CategoryRows& operator=(const CategoryRows&) = delete;
  virtual ~CategoryRows() = default;

  /// The file's name, for messages.
  [[nodiscard]] virtual const std::string& file() const = 0;
  [[nodiscard]] virtual const Columns& columns() const = 0;
  /// The categories of a column that the file itself declares, in their order; empty: none.
  [[nodiscard]] virtual const std::vector<std::string>& declared(std::size_t column) const = 0;

  /// Goes to the next row; false after the last. Throws InputError.
  [[nodiscard]] virtual bool next_row() = 0;
  /// Calls use() for each value of the row that is kept, by columns.
  virtual void for_each_kept(const Use& use) = 0;
  /// Of the rows so far, if the file has them.
  [[nodiscard]] virtual RowNames take_row_names() { return {}; }
  /// "t.csv: row 7 (line 8)"
  [[nodiscard]] virtual std::string where() const = 0;
  /// "t.csv: row 7 (line 8), column 3 ('fever')"
  [[nodiscard]] virtual std::string where(std::size_t column) const = 0;
};

/// Throws InputError as import_categorical does.
[[nodiscard]] CategoricalImport read_categories(CategoryRows& table, Format format,
                                                const GivenCategories& given);

}  // namespace orrery::data
