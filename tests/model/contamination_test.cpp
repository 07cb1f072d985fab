#include <gtest/gtest.h>

#include <cmath>

#include "model/drawn_rows.hpp"
#include "model/oracle.hpp"

namespace orrery::model {
namespace {

// All off, then contaminated: what is on was flipped.
data::BitColumns flips(const Contamination& contamination, std::uint64_t seed,
                       std::uint64_t first_row, std::size_t n_rows, std::size_t n_columns = 10) {
  data::BitColumns block(n_columns, n_rows);
  contaminate(block, contamination, seed, first_row);
  return block;
}

TEST(Contaminate, every_step_th_variable_of_a_chosen_row_is_flipped_and_no_other) {
  constexpr std::size_t n_rows = 20000;
  const data::BitColumns block = flips({0.1, 4}, 3, 0, n_rows);
  std::size_t n_chosen = 0;
  for (std::size_t r = 0; r < n_rows; ++r) {
    const bool chosen = block.at(r, 0);
    n_chosen += chosen ? 1 : 0;
    for (std::size_t c = 0; c < 10; ++c) ASSERT_EQ(block.at(r, c), chosen && c % 4 == 0);
  }
  const double error = std::sqrt(n_rows * 0.1 * 0.9);
  EXPECT_NEAR(static_cast<double>(n_chosen), n_rows * 0.1, 5 * error);
}

TEST(Contaminate, what_was_on_is_switched_off) {
  data::BitColumns block = flips({1, 1}, 3, 0, 100);
  EXPECT_TRUE(block.at(99, 9));
  contaminate(block, {1, 3}, 4, 0);
  for (std::size_t c = 0; c < 10; ++c) EXPECT_EQ(block.at(50, c), c % 3 != 0);
}

TEST(Contaminate, any_split_of_the_rows_gives_the_same_bits) {
  const data::BitColumns whole = flips({0.3, 2}, 9, 0, 300);
  for (const auto& [first, n_rows] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 63}, {37, 129}, {64, 65}}) {
    const data::BitColumns part = flips({0.3, 2}, 9, first, n_rows);
    for (std::size_t r = 0; r < n_rows; ++r) ASSERT_EQ(part.at(r, 0), whole.at(first + r, 0));
  }
}

TEST(Contaminate, bits_beyond_the_last_row_stay_zero) {
  const data::BitColumns block = flips({1, 1}, 1, 0, 67);
  EXPECT_EQ(block.column(0)[0], ~0ULL);
  EXPECT_EQ(block.column(0)[1], 7U);
}

TEST(Contaminate, seeds_differ) {
  const data::BitColumns one = flips({0.5, 1}, 1, 0, 64);
  const data::BitColumns two = flips({0.5, 1}, 2, 0, 64);
  EXPECT_NE(one.column(0)[0], two.column(0)[0]);
}

TEST(Contaminate, its_text_is_share_and_step) {
  const Contamination parsed = parse_contamination("--flip", ".1:4", 64);
  EXPECT_EQ(parsed.share, 0.1);
  EXPECT_EQ(parsed.step, 4U);
  const auto message = [](const std::string& text) {
    return oracle::message_of<UsageError>([&] { (void)parse_contamination("--flip", text, 64); });
  };
  EXPECT_EQ(message(".1"), "--flip needs SHARE:STEP, such as 0.1:4, got \".1\"");
  EXPECT_EQ(message("2:4"), "--flip SHARE:STEP: SHARE needs a number 0 to 1, got \"2\"");
  EXPECT_EQ(message(".1:0"), "--flip SHARE:STEP: STEP needs a whole number 1 to 64, got \"0\"");
  EXPECT_EQ(message(".1:65"), "--flip SHARE:STEP: STEP needs a whole number 1 to 64, got \"65\"");
}

}  // namespace
}  // namespace orrery::model
