#include "orrery/model/subset_tables.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Set = std::vector<std::uint32_t>;

TEST(SubsetTables, sets_stand_by_size_then_colexicographic_without_a_gap) {
  const SubsetTables tables(4, 3);
  const std::vector<Set> order{{0},    {1},    {2},    {3},       {0, 1},    {0, 2},    {1, 2},
                               {0, 3}, {1, 3}, {2, 3}, {0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  std::size_t expected = 0;
  for (const Set& set : order) {
    EXPECT_EQ(tables.offset(set), expected);
    EXPECT_EQ(tables.table(set).size(), std::size_t{1} << set.size());
    expected += std::size_t{1} << set.size();
  }
  EXPECT_EQ(tables.cells().size(), expected);
}

TEST(SubsetTables, for_each_set_visits_all_in_the_order_of_their_offsets) {
  const SubsetTables tables(7, 4);
  std::size_t next = 0;
  for (std::size_t size = 1; size <= 4; ++size) {
    std::size_t visited = 0;
    tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
      EXPECT_EQ(tables.offset(set), next);
      next += std::size_t{1} << size;
      ++visited;
    });
    EXPECT_EQ(visited, tables.n_sets(size));
  }
  EXPECT_EQ(next, tables.cells().size());
}

TEST(SubsetTables, there_are_no_sets_larger_than_the_order_or_the_variables) {
  const SubsetTables tables(2, 4);
  EXPECT_EQ(tables.n_sets(0), 0U);
  EXPECT_EQ(tables.n_sets(2), 1U);
  EXPECT_EQ(tables.n_sets(3), 0U);
  EXPECT_EQ(tables.cells().size(), 2U * 2 + 4);
  EXPECT_EQ(SubsetTables(5, 2).n_sets(3), 0U);
  tables.for_each_set(3, [](std::span<const std::uint32_t>) { FAIL(); });
  EXPECT_TRUE(SubsetTables(0, 2).cells().empty());
}

TEST(SubsetTables, on_is_the_second_cell_of_the_variable) {
  SubsetTables tables(3, 2);
  tables.table(Set{1})[1] = .25;
  EXPECT_EQ(tables.on(1), .25);
  EXPECT_EQ(tables.on(0), 0);
}

TEST(SubsetTables, fifty_causes_to_order_three_take_the_numbers_that_are_said) {
  EXPECT_EQ(SubsetTables(50, 3).cells().size(), 50U * 2 + 1225U * 4 + 19600U * 8);
  EXPECT_EQ(SubsetTables::n_cells(50, 3), 50U * 2 + 1225U * 4 + 19600U * 8);
  EXPECT_EQ(SubsetTables::n_cells(2, 6), 2U * 2 + 4);
  EXPECT_EQ(SubsetTables::n_cells(100'000, 2), std::numeric_limits<std::size_t>::max());
}

TEST(SubsetTables, refuses_orders_and_sizes_out_of_range) {
  EXPECT_THROW(SubsetTables(5, 0), InputError);
  EXPECT_THROW(SubsetTables(5, SubsetTables::max_order + 1), InputError);
  EXPECT_THROW(SubsetTables(1'000'000, 2), InputError);
  EXPECT_THROW(SubsetTables(~std::size_t{0}, 6), InputError);
}

}  // namespace
}  // namespace orrery::model
