#include "orrery/data/categorical_table.hpp"

#include <gtest/gtest.h>

#include "orrery/base/error.hpp"

namespace orrery::data {
namespace {

CategoricalTable sound() {
  return {{"pain", "cough"}, {{"no", "yes"}, {"low", "mid", "high"}}, 2, {0, 2, missing_code, 1}};
}

template <class Change>
void expect_refused(const Change& change, const std::string& text) {
  CategoricalTable table = sound();
  change(table);
  try {
    check(table);
    ADD_FAILURE() << "accepted; expected: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(CategoricalTable, sound_tables_pass_and_rows_are_views_of_them) {
  EXPECT_NO_THROW(check(sound()));
  const CategoricalTable table = sound();
  ASSERT_EQ(table.row(1).size(), 2U);
  EXPECT_EQ(table.row(1)[0], missing_code);
  EXPECT_EQ(table.row(1)[1], 1);
  CategoricalTable empty = sound();
  empty.n_rows = 0;
  empty.codes.clear();
  EXPECT_NO_THROW(check(empty));
  CategoricalTable constant = sound();
  constant.categories[0] = {"always"};
  EXPECT_NO_THROW(check(constant));
}

TEST(CategoricalTable, what_does_not_fit_is_refused_with_its_place) {
  using T = CategoricalTable;
  expect_refused([](T& t) { t = {}; }, "without columns");
  expect_refused([](T& t) { t.categories.pop_back(); }, "2 columns have 1 lists");
  expect_refused([](T& t) { t.codes.pop_back(); }, "2 rows of 2 columns have 3 codes");
  // (2^63 + 2) 2 is 4 in 64 bits.
  expect_refused([](T& t) { t.n_rows = (std::uint64_t{1} << 63U) + 2; }, "have 4 codes");
  expect_refused([](T& t) { t.names[1] = ""; }, "columns[1] has 0 bytes");
  expect_refused([](T& t) { t.names[1] = "pain"; }, "columns[1] repeats the name 'pain'");
  expect_refused([](T& t) { t.names[0].push_back('\0'); }, "columns[0] has 5 bytes");
  expect_refused([](T& t) { t.categories[0].clear(); }, "'pain' has 0 categories; 1 to 64");
  expect_refused(
      [](T& t) {
        t.categories[0].clear();
        for (int c = 0; c < 65; ++c) t.categories[0].push_back(std::to_string(c));
      },
      "'pain' has 65 categories");
  expect_refused([](T& t) { t.categories[1][2] = "low"; },
                 "categories of 'cough'[2] repeats the name 'low'");
  expect_refused([](T& t) { t.codes[2] = 2; }, "row 2, column 'pain': code 2; 0 to 1 is needed");
  expect_refused([](T& t) { t.codes[1] = 254; }, "row 1, column 'cough': code 254; 0 to 2");
}

}  // namespace
}  // namespace orrery::data
