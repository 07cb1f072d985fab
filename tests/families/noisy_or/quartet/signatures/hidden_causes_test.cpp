// Causes in what is attributed to others, on rows drawn from known ones.
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/random.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/attribution.hpp"
#include "families/noisy_or/quartet/signatures/dependent_variables.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t n_variables = 40;

/// Each row is of the second class with probability `share`; each class has its own probabilities.
Attribution drawn(std::uint64_t seed, std::size_t n, double share, const std::vector<double>& first,
                  const std::vector<double>& second) {
  Attribution rows;
  for (std::size_t r = 0; r < n; ++r) {
    RowRandom random(seed, Stream::check, r);
    const std::vector<double>& on = random.bernoulli(share) ? second : first;
    std::vector<std::uint32_t> variables;
    for (std::uint32_t a = 0; a < n_variables; ++a) {
      if (random.bernoulli(on[a])) variables.push_back(a);
    }
    rows.add_row(variables);
  }
  return rows;
}

std::vector<double> between(std::uint32_t begin, std::uint32_t end, double on) {
  std::vector<double> share(n_variables, .002);
  for (std::uint32_t a = begin; a < end; ++a) share[a] = on;
  return share;
}

CausesWithin found_within(const Attribution& rows, int threads) {
  const auto variables = dependent_variables(rows, n_variables, parallel::Team(), threads);
  return causes_within(rows, variables, n_variables, threads);
}

std::vector<Elected> searched(const Attribution& rows, int threads) {
  CausesWithin found = found_within(rows, threads);
  EXPECT_TRUE(found.by_pairs.empty()) << "signatures say more";
  return std::move(found.by_signatures);
}

TEST(HiddenCauses, one_that_nobody_stands_for_is_found_in_the_leaks) {
  const auto nothing = between(0, 0, 0);
  const Attribution rows = drawn(1, 100'000, .003, nothing, between(5, 15, .5));
  const auto found = searched(rows, 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].prior, .003, .0006);
  for (std::uint32_t a = 0; a < n_variables; ++a) {
    if (a >= 5 && a < 15) {
      EXPECT_NEAR(found[0].failures[a], .5, .2) << a;
    } else {
      EXPECT_EQ(found[0].failures[a], 1) << a;
    }
  }
  for (const std::uint32_t a : found[0].quartet) EXPECT_TRUE(a >= 5 && a < 15);
}

// Of sixty rows no signature of a pair can be told from another one.
TEST(HiddenCauses, one_of_few_rows_is_seen_in_pairs) {
  const auto nothing = between(0, 0, 0);
  const CausesWithin found = found_within(drawn(2, 100'000, .0006, nothing, between(5, 8, .45)), 1);
  EXPECT_TRUE(found.by_signatures.empty());
  ASSERT_EQ(found.by_pairs.size(), 1U);
  const Elected& cause = found.by_pairs[0];
  EXPECT_EQ(cause.quartet, (std::array<std::uint32_t, 4>{5, 6, 7, moments::no_variable}));
  EXPECT_NEAR(cause.prior, .0006 * .45 * .45 / .64, .0001);
  EXPECT_GT(cause.statistic, 5);
  for (std::uint32_t a = 0; a < n_variables; ++a) {
    EXPECT_EQ(cause.failures[a] < 1, a >= 5 && a < 8) << a;
  }
}

/// Of these causes how many with_parts puts into a network of one, and learns.
std::size_t n_taken(const std::vector<bool>& by_pairs) {
  const std::vector<model::Observed> observed(n_variables, {"x", .1});
  const model::NoisyOrNetwork network({{"*", .1}}, observed, {{0, 0, .5}, {0, 1, .5}, {0, 2, .5}});
  std::vector<Part> parts;
  for (std::size_t i = 0; i < by_pairs.size(); ++i) {
    Part part;
    part.behind = 1;  // the leaks
    part.by_pairs = by_pairs[i];
    part.cause.prior = .01;
    part.cause.failures = between(0, 0, 0);
    for (double& failure : part.cause.failures) failure = 1;
    for (std::size_t a = 0; a < 3; ++a) part.cause.failures[3 * i + 3 + a] = .2;
    part.cause.failure_errors.assign(n_variables, 0);
    parts.push_back(part);
  }
  State state;
  const std::size_t n = with_parts(network, parts, found_range, state).n_causes() - 1;
  EXPECT_EQ(state.causes.size(), n);
  return n;
}

TEST(HiddenCauses, those_seen_in_pairs_wait_for_those_that_signatures_show) {
  EXPECT_EQ(n_taken({true, true}), 2U);
  EXPECT_EQ(n_taken({false, true}), 1U);
  EXPECT_EQ(n_taken({false, false}), 2U);
}

TEST(HiddenCauses, nothing_is_found_where_there_is_nothing) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto children = between(0, 20, .4);
    EXPECT_TRUE(searched(drawn(seed, 3000, 0, children, children), 1).empty());
  }
  EXPECT_TRUE(searched(Attribution{}, 1).empty());
}

// One cause was learned with the rows of two, which share children 15 to 20.
TEST(HiddenCauses, a_cause_that_stands_for_two_is_separated) {
  const auto first = between(0, 20, .5);
  const auto second = between(15, 32, .5);
  const Attribution rows = drawn(3, 4000, .25, first, second);
  const auto found = separate(rows, n_variables);
  ASSERT_TRUE(found);
  const TwoCauses& two = *found;
  EXPECT_GT(two.gain, 500);
  const bool swapped = two.share > .5;  // whichever was found
  EXPECT_NEAR(swapped ? 1 - two.share : two.share, .25, .04);
  for (std::uint32_t a = 0; a < n_variables; ++a) {
    const double of_first = swapped ? two.second[a] : two.first[a];
    const double of_second = swapped ? two.first[a] : two.second[a];
    EXPECT_NEAR(of_first, a < 20 ? .5 : 1, .08) << a;
    EXPECT_NEAR(of_second, a >= 15 && a < 32 ? .5 : 1, .12) << a;
  }
}

TEST(HiddenCauses, one_cause_is_hardly_better_as_two) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto children = between(0, 20, .4);
    const auto two = separate(drawn(seed, 3000, 0, children, children), n_variables);
    EXPECT_LT(two ? two->gain : 0, 30);
  }
  EXPECT_FALSE(separate(Attribution{}, n_variables));
}

// Eighty rows: no pair of variables depends beyond chance, all of them together do.
TEST(HiddenCauses, two_classes_of_few_rows_and_many_variables_are_separated) {
  const auto first = between(0, 20, .6);
  const auto second = between(20, 40, .6);
  const Attribution rows = drawn(5, 80, .5, first, second);
  const auto two = separate(rows, n_variables);
  ASSERT_TRUE(two);
  EXPECT_GT(two->gain, 200);
  EXPECT_NEAR(two->share, .5, .15);
  const bool swapped = two->second[0] < 1;  // whichever was found
  for (std::uint32_t a = 0; a < n_variables; ++a) {
    EXPECT_EQ(swapped ? two->second[a] < 1 : two->first[a] < 1, a < 20) << a;
    EXPECT_EQ(swapped ? two->first[a] < 1 : two->second[a] < 1, a >= 20) << a;
  }
}

// A cause of four children seems present where two are on: then each is on where others are off.
TEST(HiddenCauses, rows_that_were_chosen_by_their_children_are_not_two) {
  const auto children = between(0, 4, .5);
  const Attribution all = drawn(6, 5000, 0, children, children);
  Attribution chosen;
  all.for_each_row([&](std::span<const std::uint32_t> variables) {
    if (std::ranges::count_if(variables, [](std::uint32_t a) { return a < 4; }) == 2) {
      chosen.add_row(variables);
    }
  });
  ASSERT_GT(chosen.n_rows(), 1500U);
  const auto two = separate(chosen, n_variables);
  EXPECT_LT(two ? two->gain : 0, 30);
}

TEST(HiddenCauses, the_order_of_rows_changes_nothing) {
  const auto first = between(0, 20, .5);
  const auto second = between(15, 32, .5);
  const Attribution one = drawn(3, 1000, .25, first, second);
  const Attribution other = drawn(4, 1000, .25, first, second);
  Attribution forth = one;
  forth.add(other);
  Attribution back = other;
  back.add(one);
  EXPECT_EQ(separate(forth, n_variables)->gain, separate(back, n_variables)->gain);
  EXPECT_EQ(separate(forth, n_variables)->first, separate(back, n_variables)->first);
  const auto found = searched(forth, 1);
  const auto again = searched(back, 2);
  ASSERT_EQ(found.size(), again.size());
  ASSERT_GE(found.size(), 1U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].prior, again[i].prior);
    EXPECT_EQ(found[i].failures, again[i].failures);
  }
}

/// One pair after the other.
std::vector<std::uint32_t> slow_dependent_variables(const Attribution& rows) {
  std::map<std::uint32_t, double> on;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;
  rows.for_each_row([&](std::span<const std::uint32_t> variables) {
    for (const std::uint32_t a : variables) {
      ++on[a];
      for (const std::uint32_t b : variables) {
        if (a < b) ++both[{a, b}];
      }
    }
  });
  std::set<std::uint32_t> found;
  for (const auto& [pair, count] : both) {
    const double expected = on[pair.first] * on[pair.second] / static_cast<double>(rows.n_rows());
    if (count < constants::signatures::least_pair_rows ||
        excess_z(count, expected) < constants::signatures::least_excess_z)
      continue;
    found.insert({pair.first, pair.second});
  }
  return {found.begin(), found.end()};
}

// So many variables that their pairs are counted in several tables, each in several bands.
TEST(DependentVariables, are_those_of_any_pair_that_comes_together) {
  constexpr std::uint32_t m = 4000;
  Attribution rows;
  for (std::size_t r = 0; r < 4000; ++r) {
    RowRandom random(7, Stream::check, r);
    std::set<std::uint32_t> on;
    for (int i = 0; i < 6; ++i) on.insert(static_cast<std::uint32_t>(random.below(m)));
    for (const std::uint32_t a : {10U, 1990U, 2950U, 3990U}) {
      if (random.bernoulli(.02)) on.insert({a, a + 7});
    }
    rows.add_row(std::vector<std::uint32_t>(on.begin(), on.end()));
  }
  const std::vector<std::uint32_t> slow = slow_dependent_variables(rows);
  EXPECT_EQ(slow, (std::vector<std::uint32_t>{10, 17, 1990, 1997, 2950, 2957, 3990, 3997}));
  for (const int threads : {1, 3}) {
    EXPECT_EQ(dependent_variables(rows, m, parallel::Team(), threads), slow) << threads;
  }
  const Attribution few = rows.of(slow, m);
  EXPECT_EQ(few.n_rows(), rows.n_rows());
  EXPECT_LT(few.n_bytes(), rows.n_bytes());
  EXPECT_EQ(dependent_variables(few, m, parallel::Team(), 2), slow);
}

TEST(DependentVariables, of_rows_in_which_nothing_is_on_are_none) {
  Attribution rows;
  for (int r = 0; r < 10; ++r) rows.add_row({});
  EXPECT_TRUE(dependent_variables(rows, n_variables, parallel::Team(), 2).empty());
}

TEST(Attribution, travels_as_words) {
  Attribution rows;
  rows.add_row(std::vector<std::uint32_t>{3, 7});
  rows.add_row({});
  rows.add_row(std::vector<std::uint32_t>{1});
  std::vector<std::uint32_t> words{99};
  rows.save(words);
  Attribution back;
  EXPECT_EQ(back.add(words, 1), words.size());
  EXPECT_EQ(back.n_rows(), 3U);
  std::vector<std::uint32_t> seen;
  back.for_each_row([&](std::span<const std::uint32_t> row) {
    seen.insert(seen.end(), row.begin(), row.end());
    seen.push_back(100);
  });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{3, 7, 100, 1, 100}));
}

}  // namespace
}  // namespace orrery::quartet
