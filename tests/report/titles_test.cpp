#include "report/titles.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::report {
namespace {

using model::NoisyOrNetwork;
using Names = std::vector<std::string>;

TEST(title_of_cause, names_the_strongest_children_of_a_counted_cause) {
  EXPECT_EQ(title_of_cause("cause3", Names{"space", "nasa", "orbit", "moon"}),
            "cause 3: space, nasa, orbit");
  EXPECT_EQ(title_of_cause("cause 12", Names{"space"}), "cause 12: space");
  EXPECT_EQ(title_of_cause("h2_1", Names{"x1"}), "h2_1: x1");
  EXPECT_EQ(title_of_cause("cause0", Names{}), "cause 0");
}

TEST(title_of_cause, keeps_a_name_that_somebody_gave) {
  for (const char* name : {"influenza", "cause of death", "because3", "cause3b", "cause_3",
                           "causes3", "cause", "h", "heat1", "", "cause  3", "cause3_", "h2__1"}) {
    EXPECT_EQ(title_of_cause(name, Names{"fever"}), name);
  }
}

TEST(title_of_cause, shortens_long_children) {
  const std::string title = title_of_cause("cause1", Names{std::string(1000, 'x')});
  EXPECT_EQ(title, "cause 1: " + std::string(23, 'x') + "\u2026");
}

TEST(titles_of_causes, goes_by_strength_and_leaves_out_what_is_next_to_nothing) {
  const NoisyOrNetwork network(
      {{"cause0", .1}, {"flu", .2}, {"cause2", .3}},
      {{"a", .01}, {"b", .01}, {"c", .01}, {"d", .01}},
      {{0, 0, .5}, {0, 1, .2}, {0, 2, .5}, {0, 3, .1}, {1, 0, .1}, {2, 1, .97}});
  EXPECT_EQ(titles_of_causes(network), (Names{"cause 0: d, b, a", "flu", "cause 2"}));
}

}  // namespace
}  // namespace orrery::report
