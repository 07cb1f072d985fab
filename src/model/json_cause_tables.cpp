#include "model/json_cause_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/json_layout.hpp"

namespace orrery::model {

std::vector<CauseTable> read_cause_tables(const JsonEntry& list) {
  std::vector<CauseTable> tables;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const JsonEntry entry = list.element(i);
    tables.push_back({read_indices(entry.member("parents")), entry.member("on").probabilities()});
  }
  return tables;
}

std::vector<std::string> json_cause_tables(const CauseNetwork& causes) {
  std::vector<std::string> items;
  for (const CauseTable& table : causes.tables()) {
    items.push_back(fmt::format("{{\"parents\": [{}], \"on\": [{}]}}",
                                fmt::join(table.parents, ", "), fmt::join(table.on, ", ")));
  }
  return items;
}

}  // namespace orrery::model
