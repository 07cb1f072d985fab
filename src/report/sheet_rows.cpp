#include "report/sheet_rows.hpp"

#include <algorithm>
#include <cctype>

namespace orrery::report {
namespace {

/// "12", "1,234", "-0.5 (+- 0.1)", "0.1 to 0.3", "-": what stands in a column of numbers. A list is
/// none.
bool is_number(const std::string& text) {
  if (text.find(", ") != std::string::npos) return false;
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() == sign) return true;
  return std::isdigit(static_cast<unsigned char>(text[sign])) != 0 || text.substr(sign) == "inf";
}

std::size_t place_of(std::vector<ShownColumn>& columns, const std::string& label) {
  const auto found = std::ranges::find(columns, label, &ShownColumn::label);
  const auto place = static_cast<std::size_t>(found - columns.begin());
  if (found == columns.end()) columns.push_back({label});
  return place;
}

}  // namespace

ShownRows shown_rows(const Table& table, std::size_t most) {
  ShownRows shown;
  for (const Record& record : table.rows) {
    if (record.shown().empty()) continue;
    if (shown.n_rows++ >= most) continue;
    std::vector<const Shown*>& row = shown.rows.emplace_back(shown.columns.size(), nullptr);
    for (const Shown& value : record.shown()) {
      const std::size_t column = place_of(shown.columns, value.label);
      row.resize(shown.columns.size(), nullptr);
      row[column] = &value;
      shown.columns[column].is_number &= value.html.empty() && is_number(value.value);
    }
  }
  for (auto& row : shown.rows) row.resize(shown.columns.size(), nullptr);
  return shown;
}

}  // namespace orrery::report
