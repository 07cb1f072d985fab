// What the learner says of tables that are no noisy-OR networks.
#include "learners/quartet/verdict.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "learners/sampled.hpp"

namespace orrery::quartet {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

/// 10 columns: 0 to 2 are the answers to one question, 3 and 7 to another, 4 is on with 5 or 6
/// never, which are rare, 8 and 9 are coins.
data::BitPanels answers() {
  data::BitPanels values(10, 5'000);
  std::mt19937_64 random(11);
  for (std::size_t r = 0; r < 5'000; ++r) {
    values.set(r, random() % 3, true);
    values.set(r, random() % 4 == 0 ? 3 : 7, true);
    const std::uint64_t rare = random() % 40;
    if (rare < 3) values.set(r, 4 + rare, true);
    for (const std::size_t a : {8U, 9U}) values.set(r, a, random() % 2 == 0);
  }
  return values;
}

TEST(Verdict, finds_the_answers_to_each_question) {
  const learners::Sampled sampled(answers());
  // That rare columns do not meet says little, and no answer to a question is rare as a whole.
  EXPECT_EQ(exclusive_columns(sampled.moments), (Groups{{0, 1, 2}, {3, 7}}));
}

TEST(Verdict, finds_no_question_in_independent_columns) {
  data::BitPanels values(6, 3'000);
  std::mt19937_64 random(12);
  for (std::size_t r = 0; r < 3'000; ++r) {
    for (std::size_t a = 0; a < 6; ++a) values.set(r, a, random() % 3 == 0);
  }
  const learners::Sampled sampled(std::move(values));
  EXPECT_EQ(exclusive_columns(sampled.moments), Groups{});
}

}  // namespace
}  // namespace orrery::quartet
