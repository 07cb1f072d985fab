// Rows of categories as text, such as `import --categorical` reads.
#include "orrery/report/export.hpp"
#include "report/export_text.hpp"

namespace orrery::report {

std::string export_rows(const data::CategoricalTable& table) {
  std::string out;
  const auto end_field = [&](std::size_t column) {
    out += column + 1 < table.n_columns() ? ',' : '\n';
  };
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    out += csv_field(table.names[i]);
    end_field(i);
  }
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    for (std::size_t i = 0; i < table.n_columns(); ++i) {
      const std::uint8_t code = table.row(n)[i];
      if (code != data::missing_code) out += csv_field(table.categories[i][code]);
      end_field(i);
    }
  }
  return out;
}

}  // namespace orrery::report
