#include "data/transposed.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/columns.hpp"

namespace orrery::data {

TransposedRows::TransposedRows(RowSource& table) : table_(table) {
  const std::size_t width = table_.names().size();
  std::vector<RowValue> row;
  while (table_.next_row(row)) {
    require_column_count(table_.file(), names_.size() + 1, true);
    const std::size_t begin = values_.size();
    values_.resize(begin + width, 0);
    for (const auto& [column, value] : row) values_[begin + column] = value;
    names_.push_back(table_.has_row_names() ? std::string(table_.row_name())
                                            : fmt::format("x{}", names_.size()));
  }
}

bool TransposedRows::next_row(std::vector<RowValue>& values) {
  const std::size_t width = table_.names().size();
  values.clear();
  if (next_ == width) return false;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (const double value = values_[c * width + next_]; is_listed(value))
      values.push_back({c, value});
  }
  ++next_;
  return true;
}

std::string TransposedRows::where() const {
  return fmt::format("{}: column {} of the file", file(), next_);
}

TransposedEntries::TransposedEntries(EntrySource& table) : table_(table) {
  require_column_count(table_.file(), table_.n_rows());
  for (std::uint64_t row = 0; row < table_.n_rows(); ++row) {
    names_.push_back(table_.has_row_names() ? table_.row_name(row) : fmt::format("x{}", row));
  }
}

bool TransposedEntries::next(TableEntry& entry) {
  TableEntry found;
  if (!table_.next(found)) return false;
  entry = {found.column, static_cast<std::size_t>(found.row), found.value};
  return true;
}

}  // namespace orrery::data
