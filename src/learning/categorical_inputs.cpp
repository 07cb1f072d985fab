#include "learning/categorical_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

using data::missing_code;

void require_values_in_rows(const data::CategoricalTable& table, const std::string& source) {
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    if (std::ranges::any_of(table.row(n), [](auto code) { return code != missing_code; })) continue;
    throw InputError(fmt::format(
        "{}: row {} (the first is 0) has no value: it says nothing of any cause; leave it out",
        source, n));
  }
}

void require_values_in_columns(const data::CategoricalTable& table, const std::string& source) {
  std::vector<std::bitset<256>> seen(table.n_columns());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const auto row = table.row(n);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != missing_code) seen[i].set(row[i]);
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].count() >= 2) continue;
    throw InputError(fmt::format(
        "{}: column '{}' {}: it cannot depend on a cause; leave it out", source, table.names[i],
        seen[i].none() ? "has no value in any row" : "has the same value in all rows"));
  }
}

}  // namespace

void require_learnable(const data::CategoricalTable& table, std::size_t n_causes,
                       const std::string& source) {
  if (table.n_rows < 2) {
    throw InputError(fmt::format("{}: {} row{}; 2 at least are needed to learn from", source,
                                 table.n_rows, table.n_rows == 1 ? "" : "s"));
  }
  if (n_causes > table.n_columns()) {
    throw InputError(
        fmt::format("{}: --causes {} of {} columns; causes that have no variable of their own "
                    "cannot be told apart: ask for {} at most",
                    source, n_causes, table.n_columns(), table.n_columns()));
  }
  require_values_in_columns(table, source);
  require_values_in_rows(table, source);
}

}  // namespace orrery::learning
