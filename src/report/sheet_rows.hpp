// The rows of a sheet's table, as the text and the page lay them out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/sheet.hpp"

namespace orrery::report {

struct ShownColumn {
  std::string label;
  bool is_number = true;  ///< all of its values are: it is set to the right
};

struct ShownRows {
  std::vector<ShownColumn> columns;
  /// A row each, a value for each column; null where the row has none.
  std::vector<std::vector<const Shown*>> rows;
  std::size_t n_rows = 0;  ///< of the table, as far as people read them
};

/// The first `most` rows.
ShownRows shown_rows(const Table& table, std::size_t most);

}  // namespace orrery::report
