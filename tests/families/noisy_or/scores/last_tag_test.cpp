#include "families/noisy_or/scores/last_tag.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/random.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseNetwork;
using model::NoisyOrNetwork;

data::SampleMatrix labels_of(const std::vector<std::vector<int>>& rows) {
  data::SampleMatrix labels;
  labels.values = data::BitPanels(rows[0].size(), rows.size());
  labels.missing = labels.values;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      labels.values.set(r, i, rows[r][i] == 1);
      labels.missing->set(r, i, rows[r][i] < 0);
    }
  }
  return labels;
}

TEST(LastTag, rows_with_two_causes_and_all_labels_ask) {
  const auto tags =
      last_tags(labels_of({{1, 0, 0}, {1, 0, 1}, {0, 0, 0}, {1, 1, -1}, {1, 1, 1}}), 7);
  ASSERT_EQ(tags.size(), 2U);
  EXPECT_EQ(tags[0].row, 1U);
  EXPECT_EQ(tags[0].given.size(), 1U);
  EXPECT_EQ(tags[0].given[0] + tags[0].last, 2U);
  EXPECT_EQ(tags[1].row, 4U);
  std::vector<std::uint32_t> all = tags[1].given;
  all.push_back(tags[1].last);
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(LastTag, every_cause_that_is_on_may_be_the_last) {
  const std::size_t n = 3000;
  const auto labels = labels_of(std::vector<std::vector<int>>(n, {1, 0, 1, 1}));
  std::map<std::uint32_t, double> times;
  for (const LastTag& tag : last_tags(labels, 1)) ++times[tag.last];
  EXPECT_EQ(times.size(), 3U);
  // Four standard errors of a share of a third.
  for (const auto& [cause, count] : times) EXPECT_NEAR(count / n, 1. / 3, 4 * .4714 / std::sqrt(n));
  EXPECT_EQ(last_tags(labels, 1), last_tags(labels, 1));
  EXPECT_NE(last_tags(labels, 1), last_tags(labels, 2));
}

TEST(LastTag, the_largest_score_of_the_others_answers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<LastTag> tags{{0, 1, {0}}, {1, 2, {0}}, {2, 1, {0}}, {3, 3, {0}}};
  const std::vector<std::vector<double>> table{
      {9, 2, 1, nan},       // 1: right; the given is not looked at
      {9, 2, 1, nan},       // 1: wrong
      {9, 2, 2, 2},         // 1, the lowest: right
      {9, nan, nan, -1e9},  // 3, the only score: right
  };
  for (const int threads : {1, 3}) {
    const LastTagAccuracy accuracy =
        judge_last_tags(tags, 4, threads, [&](const LastTag& tag, int, std::span<double> scores) {
          std::ranges::copy(table[tag.row], scores.begin());
        });
    EXPECT_EQ(accuracy.n, 4U);
    EXPECT_EQ(accuracy.n_right, 3U);
    EXPECT_DOUBLE_EQ(accuracy.share(), .75);
    EXPECT_DOUBLE_EQ(accuracy.standard_error(), std::sqrt(.75 * .25 / 4));
  }
  const LastTagAccuracy none =
      judge_last_tags(std::vector{tags[0]}, 4, 1, [](const LastTag&, int, std::span<double>) {});
  EXPECT_EQ(none.n_right, 0U);
}

/// 0 -> 1 -> 2, and five findings; that of 0 has no leak.
NoisyOrNetwork three_causes() {
  return {NoisyOrNetwork({{"a", .3}, {"b", .4}, {"c", .2}},
                         {{"p", 0}, {"q", .1}, {"r", .2}, {"s", .05}, {"t", .1}},
                         {{0, 0, .2}, {1, 1, .3}, {2, 2, .4}, {0, 3, .5}, {1, 3, .6}, {2, 4, .7}}),
          CauseNetwork({{{}, {.3}}, {{0}, {.2, .6}}, {{1}, {.4, .1}}}),
          {{0, 0}, {1, 1}, {2, 2}}};
}

double log_joint(const NoisyOrNetwork& network, const std::vector<std::uint8_t>& causes,
                 std::size_t row) {
  double sum = network.cause_network().log_probability(causes);
  for (std::size_t j = 0; j < network.n_observed(); ++j) {
    double off = 1 - network.observed()[j].leak;
    for (std::size_t i = 0; i < causes.size(); ++i) {
      if (causes[i] != 0) off *= network.failure(i, j);
    }
    sum += std::log((row >> j & 1U) != 0 ? 1 - off : off);
  }
  return sum;
}

TEST(LastTag, completions_are_compared_by_their_joint_probability) {
  const NoisyOrNetwork network = three_causes();
  data::BitPanels values(5, 32);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t j = 0; j < 5; ++j) values.set(r, j, (r >> j & 1U) != 0);
  }
  const data::RowLists rows(values, 1);
  const LastTagScores scores = completion_scores(network, rows);
  for (std::uint32_t given = 0; given < 3; ++given) {
    for (std::size_t r = 0; r < 32; ++r) {
      std::vector<double> found(3, 0);
      scores({r, 0, {given}}, 0, found);
      const std::uint32_t a = given == 0 ? 1 : 0;
      const std::uint32_t b = given == 2 ? 1 : 2;
      std::vector<std::uint8_t> with_a(3, 0);
      std::vector<std::uint8_t> with_b(3, 0);
      with_a[given] = with_a[a] = 1;
      with_b[given] = with_b[b] = 1;
      const double left = log_joint(network, with_a, r);
      const double right = log_joint(network, with_b, r);
      if (std::isinf(left) || std::isinf(right)) {
        // p is on without a leak: only cause 0 explains it.
        EXPECT_EQ(a, 0U);
        EXPECT_GT(found[a], found[b] + 500);
        continue;
      }
      EXPECT_NEAR(found[a] - found[b], left - right, 1e-9) << given << ' ' << r;
    }
  }
}

}  // namespace
}  // namespace orrery::noisy_or
