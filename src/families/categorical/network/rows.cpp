#include "families/categorical/network/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <string_view>

#include "base/log.hpp"
#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

// Neither a category of the network nor missing; codes stay below data::max_categories.
constexpr std::uint8_t unknown_code = 254;
static_assert(unknown_code >= data::max_categories && unknown_code != data::missing_code);

using Places = std::map<std::string_view, std::size_t>;

Places places_of(const std::vector<std::string>& names) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
  return places;
}

/// The first few of `names` that `places` lacks, "'a', 'b' and 7 more"; empty if there are none.
std::string lacking(const std::vector<std::string>& names, const Places& places) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> first;
  std::size_t n = 0;
  for (const std::string& name : names) {
    if (places.contains(name)) continue;
    if (++n <= most_named) first.push_back(shown(name));
  }
  return fmt::format("{}{}", fmt::join(first, ", "),
                     n > most_named ? fmt::format(" and {} more", n - most_named) : "");
}

void require_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& given,
                     const std::string& source) {
  const std::string missing = lacking(wanted, places_of(given));
  const std::string extra = lacking(given, places_of(wanted));
  if (!missing.empty()) {
    throw InputError(fmt::format(
        "{}: no column is named {}, and the model has such variables; columns are matched by name: "
        "rename them, or add them with missing values",
        source, missing));
  }
  if (!extra.empty()) {
    log::warning("{}: columns that the model does not have are not used: {}", source, extra);
  }
}

/// The network's code of each of the table's.
using Recoding = std::array<std::uint8_t, 256>;

Recoding recode(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  Recoding codes;
  codes.fill(unknown_code);
  codes[data::missing_code] = data::missing_code;
  const Places places = places_of(to);
  for (std::size_t code = 0; code < from.size(); ++code) {
    const auto found = places.find(from[code]);
    if (found != places.end()) codes[code] = static_cast<std::uint8_t>(found->second);
  }
  return codes;
}

[[noreturn]] void refuse_category(const CategoricalVariable& variable, const std::string& category,
                                  std::uint64_t row, const std::string& source) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> known;
  for (const std::string& name : variable.categories) {
    if (known.size() == most_shown) {
      known.emplace_back("...");
      break;
    }
    known.push_back(shown(name));
  }
  throw InputError(fmt::format(
      "{}: row {} (the first is 0), column {}: the model does not know the category {}; it knows "
      "{}: correct the value, declare it missing, or learn from data that have it",
      source, row, shown(variable.name), shown(category), fmt::join(known, ", ")));
}

}  // namespace

data::CategoricalTable in_order_of(const CategoricalNetwork& network,
                                   const data::CategoricalTable& table, const std::string& source) {
  data::CategoricalTable sorted;
  sorted.names = network.names();
  sorted.n_rows = table.n_rows;
  require_columns(sorted.names, table.names, source);
  const Places places = places_of(table.names);
  std::vector<std::size_t> column;
  std::vector<Recoding> recoding;
  for (const CategoricalVariable& variable : network.variables()) {
    sorted.categories.push_back(variable.categories);
    column.push_back(places.at(variable.name));
    recoding.push_back(recode(table.categories[column.back()], variable.categories));
  }
  sorted.codes.reserve(table.codes.size());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const auto row = table.row(n);
    for (std::size_t i = 0; i < column.size(); ++i) {
      const std::uint8_t code = row[column[i]];
      sorted.codes.push_back(recoding[i][code]);
      if (sorted.codes.back() != unknown_code) continue;
      refuse_category(network.variables()[i], table.categories[column[i]][code], n, source);
    }
  }
  return sorted;
}

}  // namespace orrery::model
