// CSV and TSV (text_table.hpp) as a table of numbers, in memory no more than a row: slower than the
// readers of bits and of numbers, and what is wanted where the table is turned round.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/cells.hpp"
#include "data/table_source.hpp"
#include "data/text_table.hpp"

namespace orrery::data {

class DelimitedRows final : public RowSource {
 public:
  /// Of bits, a cell is 0 or 1 by its word, by options.on_tokens and off_tokens, or by
  /// options.threshold; of numbers, it is a number. Columns are all kept.
  DelimitedRows(TextReader& text, Format format, const ImportOptions& options, bool are_bits);

  [[nodiscard]] const std::string& file() const override { return text_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool has_row_names() const override { return table_.columns().has_index(); }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string_view row_name() const override {
    return table_.row_names().at(table_.row_names().size() - 1);
  }
  [[nodiscard]] std::string where() const override { return table_.where(); }

 private:
  [[nodiscard]] bool are_names(const std::vector<std::string>& first) const;
  [[nodiscard]] double read_value(std::size_t column) const;

  TextReader& text_;
  bool are_bits_;
  CellReader cells_;
  NumberReader numbers_;
  DelimitedTable table_;
  CellSplitter cell_;
  std::vector<std::string> names_;
};

}  // namespace orrery::data
