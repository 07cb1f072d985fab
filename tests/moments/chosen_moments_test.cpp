// Moments of some variables against those of a table that has no others.
#include "moments/chosen_moments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <vector>

#include "moments/counted_moments.hpp"

namespace orrery::moments {
namespace {

constexpr std::size_t n_drawn = 700;
constexpr std::size_t n_all = 75;  // two words

struct Table {
  data::BitPanels values;  // a missing one is on
  data::BitPanels missing;
};

Table random_table() {
  std::mt19937 random(5);
  Table table{data::BitPanels(n_all, n_drawn), data::BitPanels(n_all, n_drawn)};
  for (std::size_t row = 0; row < n_drawn; ++row) {
    const bool shared = std::bernoulli_distribution(.3)(random);
    for (std::size_t c = 0; c < n_all; ++c) {
      const bool on =
          std::bernoulli_distribution(.02 * double(c % 40))(random) || (shared && c % 3 == 0);
      const bool missing = std::bernoulli_distribution(c % 5 == 0 ? .1 : 0)(random);
      table.values.set(row, c, on || missing);
      table.missing.set(row, c, missing);
    }
  }
  return table;
}

/// All but 0, 8, 16 to 18, 40 and 63 to 65: beginning, middle and ends of words.
std::vector<std::uint32_t> chosen_variables() {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t a = 1; a < n_all; ++a) {
    if (a != 8 && (a < 16 || a > 18) && a != 40 && (a < 63 || a > 65)) chosen.push_back(a);
  }
  return chosen;
}

data::BitPanels columns_of(const data::BitPanels& all, const std::vector<std::uint32_t>& chosen) {
  data::BitPanels picked(chosen.size(), n_drawn);
  for (std::size_t row = 0; row < n_drawn; ++row) {
    for (std::size_t c = 0; c < chosen.size(); ++c) picked.set(row, c, all.at(row, chosen[c]));
  }
  return picked;
}

/// Counted in a table, without and with its mask.
std::unique_ptr<MomentSource> source_of(const Table& table, bool may_miss) {
  auto off = std::make_unique<CountedMoments>(table.values, count_pairs(table.values));
  if (!may_miss) return off;
  return std::make_unique<PairwiseDeleted>(
      std::move(off), std::make_unique<CountedMoments>(table.missing, count_pairs(table.missing)));
}

class Chosen : public testing::TestWithParam<bool> {
 protected:
  const Table table_ = random_table();
  const std::vector<std::uint32_t> chosen_ = chosen_variables();
  const std::size_t m_ = chosen_.size();
  const Table picked_{columns_of(table_.values, chosen_), columns_of(table_.missing, chosen_)};
  const std::unique_ptr<MomentSource> all_ = source_of(table_, GetParam());
  const ChosenMoments source_{*all_, chosen_};
  const std::unique_ptr<MomentSource> expected_ = source_of(picked_, GetParam());
};
INSTANTIATE_TEST_SUITE_P(Missing, Chosen, testing::Bool(),
                         [](const auto& run) { return run.param ? "some" : "none"; });

TEST_P(Chosen, sets_are_those_of_a_table_without_the_others) {
  EXPECT_EQ(source_.n_observed(), m_);
  EXPECT_EQ(source_.n_samples(), n_drawn);
  EXPECT_EQ(source_.counts_ahead(), nullptr);
  EXPECT_EQ(source_.pairs(), expected_->pairs());
  for (std::size_t a = 0; a < m_; ++a) {
    EXPECT_EQ(source_.observed_pair_share(a, m_ - 1), expected_->observed_pair_share(a, m_ - 1));
    if (a < 2 || a + 2 > m_) continue;
    EXPECT_EQ(source_.triple(0, 1, a), expected_->triple(0, 1, a));
    EXPECT_EQ(source_.quartet(0, 1, a, m_ - 1), expected_->quartet(0, 1, a, m_ - 1));
  }
}

TEST_P(Chosen, what_comes_with_pairs_is_that_of_a_table_without_the_others) {
  const std::vector<std::array<std::uint32_t, 2>> pairs{
      {0, 1}, {5, static_cast<std::uint32_t>(m_ - 1)}, {20, 41}};
  for (const auto& [first, last] : {std::pair<std::size_t, std::size_t>{0, m_}, {6, 60}, {9, 9}}) {
    const auto found = source_.triples_of_pairs(pairs, first, last);
    const auto expected = expected_->triples_of_pairs(pairs, first, last);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      ASSERT_EQ(found[k].size(), last - first);
      for (std::size_t x = first; x < last; ++x) {
        if (x == pairs[k][0] || x == pairs[k][1]) continue;
        EXPECT_EQ(found[k][x - first], expected[k][x - first]) << k << ' ' << x;
      }
    }
  }
  const auto found = source_.on_with_pairs(pairs);
  const auto expected = expected_->on_with_pairs(pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    EXPECT_EQ(found[k].thinning, expected[k].thinning);
    ASSERT_EQ(found[k].share.size(), m_);
    for (std::size_t x = 0; x < m_; ++x) {
      if (x == pairs[k][0] || x == pairs[k][1]) continue;
      EXPECT_EQ(found[k].share[x], expected[k].share[x]) << k << ' ' << x;
    }
  }
}

TEST_P(Chosen, walkers_go_as_in_a_table_without_the_others) {
  const std::vector<std::uint64_t> any(2, ~std::uint64_t{0});
  std::vector<std::uint64_t> some(2, 0);
  for (const std::size_t x : {9U, 12U, 30U, 55U, 62U, 65U}) {
    some[x / 64] |= std::uint64_t{1} << (x % 64);
  }
  const auto walker = source_.walker();
  const auto expected = expected_->walker();
  TripleSlab slab_2;
  TripleSlab slab_7;
  TripleSlab expected_2;
  TripleSlab expected_7;
  walker->triples(2, any, slab_2);
  walker->triples(7, some, slab_7);
  expected->triples(2, any, expected_2);
  expected->triples(7, some, expected_7);
  EXPECT_EQ(slab_7.wanted(), expected_7.wanted());
  for (std::size_t x = 3; x < m_; ++x) {
    for (std::size_t y = x + 1; y < m_; ++y) {
      EXPECT_EQ(slab_2.moments(x)[y], expected_2.moments(x)[y]);
      if (slab_7.wants(x) && slab_7.wants(y)) {
        EXPECT_EQ(slab_7.moments(x)[y], expected_7.moments(x)[y]);
      }
    }
  }
  walker->select_pair(2, 7, slab_2, slab_7, some);
  expected->select_pair(2, 7, expected_2, expected_7, some);
  for (const std::size_t c : {9, 12, 30, 55, 62}) {
    const double* found_row = walker->quartets(c);
    const double* expected_row = expected->quartets(c);
    for (const std::size_t d : {12, 30, 55, 62, 65}) {
      if (d > c) {
        EXPECT_EQ(found_row[d], expected_row[d]) << c << " " << d;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::moments
