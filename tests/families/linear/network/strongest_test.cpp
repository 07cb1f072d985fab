#include "families/linear/network/strongest.hpp"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

TEST(strongest, is_sorted_by_size_and_leaves_zeros_out) {
  const Eigen::MatrixXd matrix{{.5, 0}, {-2, -.5}, {0, 1}};
  const auto entries = strongest(matrix);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].row, 1);
  EXPECT_EQ(entries[0].column, 0);
  EXPECT_EQ(entries[0].value, -2);
  EXPECT_EQ(entries[1].value, 1);
  EXPECT_EQ(entries[2].value, .5);  // of equal ones the earlier column
  EXPECT_EQ(entries[3].value, -.5);
  EXPECT_TRUE(strongest(Eigen::MatrixXd(0, 3)).empty());
}

}  // namespace
}  // namespace orrery::model
