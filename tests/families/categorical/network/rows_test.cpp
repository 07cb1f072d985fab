#include "families/categorical/network/rows.hpp"

#include <gtest/gtest.h>

#include <string>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

/// Two variables, (no, yes) and (low, middle, high).
CategoricalNetwork categorical_network() {
  return {{{"a", {.5, .5}}},
          {{"rash", {"no", "yes"}, {0}, {.5, .5, .1, .9}, {}},
           {"fever", {"low", "middle", "high"}, {}, {.2, .3, .5}, {}}}};
}

/// The same columns and categories in another order, a value missing.
data::CategoricalTable table() {
  return {{"fever", "rash"},
          {{"high", "low", "extreme", "middle"}, {"yes", "no"}},
          3,
          {0, 1, data::missing_code, 0, 3, 1}};
}

std::string rows_refusal(const data::CategoricalTable& given) {
  try {
    (void)in_order_of(categorical_network(), given, "data.h5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CategoricalRows, columns_and_categories_are_matched_by_name) {
  const data::CategoricalTable sorted = in_order_of(categorical_network(), table(), "data.h5");
  EXPECT_EQ(sorted.names, (std::vector<std::string>{"rash", "fever"}));
  EXPECT_EQ(sorted.categories[1], (std::vector<std::string>{"low", "middle", "high"}));
  EXPECT_EQ(sorted.n_rows, 3U);
  EXPECT_EQ(sorted.codes, (std::vector<std::uint8_t>{0, 2, 1, data::missing_code, 0, 1}));
}

TEST(CategoricalRows, an_unknown_category_is_named_with_its_row_and_column) {
  data::CategoricalTable given = table();
  given.codes[4] = 2;
  const std::string message = rows_refusal(given);
  for (const char* part :
       {"data.h5", "row 2", "fever", "extreme", "\"low\", \"middle\", \"high\""}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(CategoricalRows, columns_that_are_missing_are_named_and_others_left_out) {
  data::CategoricalTable given = table();
  given.names[1] = "itch";
  EXPECT_NE(rows_refusal(given).find("no column is named \"rash\""), std::string::npos)
      << rows_refusal(given);
  given = table();
  given.names.push_back("itch");
  given.categories.push_back({"no"});
  given.codes = {0, 1, 0, data::missing_code, 0, 0, 3, 1, 0};
  EXPECT_EQ(in_order_of(categorical_network(), given, "data.h5").codes,
            in_order_of(categorical_network(), table(), "data.h5").codes);
}

}  // namespace
}  // namespace orrery::model
