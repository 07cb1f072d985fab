// Tables whose rows are variables and whose columns are samples, the other way round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/row_names.hpp"
#include "data/table_source.hpp"

namespace orrery::data {

/// The columns of a table become rows. Its rows' names are those of the columns then, or x0, x1,
/// ... Memory: 8 bytes per value of the table, which is read at once.
class TransposedRows final : public RowSource {
 public:
  /// Throws InputError as the table does, and for more rows than a table may have columns.
  explicit TransposedRows(RowSource& table);

  [[nodiscard]] const std::string& file() const override { return table_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool has_row_names() const override { return true; }
  [[nodiscard]] bool nan_is_missing() const override { return table_.nan_is_missing(); }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string_view row_name() const override { return table_.names()[next_ - 1]; }
  [[nodiscard]] std::string where() const override;

 private:
  RowSource& table_;
  std::vector<std::string> names_;
  std::vector<double> values_;  // row after row of the table
  std::size_t next_ = 0;        // the row that comes
};

/// The same of entries in any order, of which none is held.
class TransposedEntries final : public EntrySource {
 public:
  /// Throws InputError for more rows than a table may have columns.
  explicit TransposedEntries(EntrySource& table);

  [[nodiscard]] const std::string& file() const override { return table_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::uint64_t n_rows() const override { return table_.names().size(); }
  [[nodiscard]] bool has_row_names() const override { return true; }
  [[nodiscard]] std::string row_name(std::uint64_t row) const override {
    return table_.names()[row];
  }
  [[nodiscard]] bool nan_is_missing() const override { return table_.nan_is_missing(); }
  void restart(std::uint64_t pass, std::uint64_t n_passes) override {
    table_.restart(pass, n_passes);
  }
  [[nodiscard]] bool next(TableEntry& entry) override;
  [[nodiscard]] std::string where() const override { return table_.where(); }

 private:
  EntrySource& table_;
  std::vector<std::string> names_;
};

}  // namespace orrery::data
