// Sums over rows from the table of states, against all 2^n states of each row by the definition.
#include "model/state_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/all_states.hpp"

namespace orrery::model {
namespace {

struct Rows {
  std::vector<std::uint64_t> values, missing;
  std::size_t n = 0;

  Rows(std::uint64_t seed, std::size_t n_rows, std::size_t m, double on, double gone) {
    for (std::uint64_t r = 0; r < n_rows; ++r) add(random_row(1000 * seed + r, m, on, gone));
  }
  void add(const RandomRow& row) {
    values.insert(values.end(), row.values.begin(), row.values.end());
    missing.insert(missing.end(), row.missing.begin(), row.missing.end());
    ++n;
  }
  [[nodiscard]] RandomRow row(std::size_t r) const {
    const auto words = static_cast<std::ptrdiff_t>(values.size() / n);
    const auto first = words * static_cast<std::ptrdiff_t>(r);
    return {{values.begin() + first, values.begin() + first + words},
            {missing.begin() + first, missing.begin() + first + words}};
  }
};

void expect_same_sums(const NoisyOrNetwork& network, const StateSums& sums, const Rows& rows,
                      bool may_miss, double precision) {
  double log_likelihood = 0;
  std::vector<AllStates> all;
  for (std::size_t r = 0; r < rows.n; ++r) {
    all.emplace_back(network, rows.row(r));
    log_likelihood += std::log(all.back().likelihood);
  }
  EXPECT_NEAR(sums.log_likelihood(), log_likelihood, precision * static_cast<double>(rows.n));
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    double inverse = 0;
    for (std::size_t r = 0; r < rows.n; ++r) {
      if (has_bit(rows.row(r).values, a)) inverse += all[r].inverse[a];
    }
    EXPECT_NEAR(sums.inverse(a), inverse, precision * (1 + inverse)) << a;
  }
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    double present = 0;
    for (const AllStates& row : all) present += row.posterior[u];
    EXPECT_NEAR(sums.present(u), present, precision * (1 + present)) << u;
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      double shared = 0;
      double unseen = 0;
      for (std::size_t r = 0; r < rows.n; ++r) {
        if (has_bit(rows.row(r).values, a)) shared += all[r].shared[u][a];
        if (has_bit(rows.row(r).missing, a)) unseen += all[r].posterior[u];
      }
      EXPECT_NEAR(sums.shared(u, a), shared, precision * (1 + sums.inverse(a))) << u << " " << a;
      if (may_miss) {
        EXPECT_NEAR(sums.unseen(u, a), unseen, precision * (1 + unseen));
      }
    }
  }
}

TEST(StateSums, exact_for_random_networks_and_rows) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto n = static_cast<std::uint32_t>(seed % 8);
    const bool may_miss = seed % 3 == 0;
    // 5 to 68 variables: words and fours of them that are not full.
    const NoisyOrNetwork network = random_network(seed, n, 5 + 9 * n, .15 + .015 * double(seed));
    const Rows rows(seed, 12, network.n_observed(), .4, may_miss ? .2 : 0);
    const StateTable table(network, may_miss);
    StateSums sums(table, 0);
    sums.set_rows(rows.values, may_miss ? std::span(rows.missing) : std::span<std::uint64_t>(),
                  rows.n);
    expect_same_sums(network, sums, rows, may_miss, 1e-10);
    if (HasFailure()) return;
  }
}

TEST(StateSums, a_block_knows_nothing_of_the_one_before) {
  const NoisyOrNetwork network = random_network(3, 6, 30, .3);
  const StateTable table(network, true);
  StateSums sums(table, 0);
  const Rows before(1, 50, 30, .7, .1);
  const Rows rows(2, 7, 30, .2, 0);
  sums.set_rows(before.values, before.missing, before.n);
  sums.set_rows(rows.values, {}, rows.n);
  expect_same_sums(network, sums, rows, true, 1e-10);
}

TEST(StateSums, a_row_has_the_sums_of_a_block_of_one) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto n = static_cast<std::uint32_t>(seed % 8);
    const bool may_miss = seed % 3 == 0;
    const NoisyOrNetwork network = random_network(seed, n, 5 + 9 * n, .15 + .015 * double(seed));
    const StateTable table(network, may_miss);
    StateSums block(table, 1e-7);
    StateSums row(table, 1e-7);
    for (std::uint64_t r = 0; r < 12; ++r) {
      const RandomRow one =
          random_row(1000 * seed + r, network.n_observed(), .4, may_miss ? .2 : 0);
      const auto missing = may_miss ? std::span(one.missing) : std::span<const std::uint64_t>();
      block.set_rows(one.values, missing, 1);
      row.set_row(one.values, missing);
      EXPECT_EQ(row.log_likelihood(), block.log_likelihood());
      for (std::size_t u = 0; u < n; ++u) EXPECT_NEAR(row.present(u), block.present(u), 1e-12);
      for (std::size_t a = 0; a < network.n_observed(); ++a) {
        if (!has_bit(one.values, a)) continue;
        const double precision = 1e-12 * block.inverse(a);
        EXPECT_NEAR(row.inverse(a), block.inverse(a), precision);
        for (std::size_t u = 0; u < n; ++u) {
          EXPECT_NEAR(row.shared(u, a), block.shared(u, a), precision) << seed << ' ' << u;
        }
      }
    }
    if (HasFailure()) return;
  }
}

TEST(StateSums, what_a_tolerance_leaves_out_is_as_small_as_it) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NoisyOrNetwork network = random_network(seed, 8, 40, .3);
    const StateTable table(network, false);
    StateSums sums(table, 1e-8);
    const Rows rows(seed, 3, 40, .3, 0);
    sums.set_rows(rows.values, {}, rows.n);
    // A state of weight 1e-8 counts 1 / P(a on) as much in E[1 / P(a on)].
    expect_same_sums(network, sums, rows, false, 1e-3);
    double log_likelihood = 0;
    for (std::size_t r = 0; r < rows.n; ++r) {
      log_likelihood += std::log(AllStates(network, rows.row(r)).likelihood);
    }
    EXPECT_NEAR(sums.log_likelihood(), log_likelihood, 3e-6);
  }
}

TEST(StateSums, rows_that_only_leaks_explain_do_not_underflow) {
  // The cause explains all that is on, but it would have to fail 800 times.
  const std::vector<Observed> observed(1500, {"x", 1e-4});
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 1500; ++a) edges.push_back({0, a, a < 700 ? .5 : 1e-4});
  const NoisyOrNetwork network({{"c", .5}}, observed, edges);
  const StateTable table(network, false);
  StateSums sums(table, 0);
  std::vector<std::uint64_t> values(24, 0);
  std::fill_n(values.begin(), 10, ~std::uint64_t{0});
  values[10] = (std::uint64_t{1} << 60) - 1;
  sums.set_rows(values, {}, 1);
  EXPECT_NEAR(sums.log_likelihood(), std::log(.5) + 700 * std::log(1e-4) + 800 * std::log(1 - 1e-4),
              1e-6);
  EXPECT_EQ(sums.present(0), 0);
}

TEST(StateSums, every_instruction_set_gives_the_same_bytes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const NoisyOrNetwork network = random_network(seed, 7, 45, .4);
    const StateTable table(network, true);
    const Rows rows(seed, 40, 45, .4, .1);
    StateSums first(table, 1e-7, state_sums_kernels_baseline());
    first.set_rows(rows.values, rows.missing, rows.n);
    for (const auto isa : {kernels::Isa::avx2, kernels::Isa::avx512}) {
      if (kernels::find(isa) == nullptr) continue;
      StateSums sums(table, 1e-7, find_state_sums(isa));
      sums.set_rows(rows.values, rows.missing, rows.n);
      EXPECT_EQ(sums.log_likelihood(), first.log_likelihood());
      for (std::size_t a = 0; a < 45; ++a) EXPECT_EQ(sums.inverse(a), first.inverse(a));
      for (std::size_t u = 0; u < 7; ++u) {
        EXPECT_EQ(sums.present(u), first.present(u));
        for (std::size_t a = 0; a < 45; ++a) {
          EXPECT_EQ(sums.shared(u, a), first.shared(u, a));
          EXPECT_EQ(sums.unseen(u, a), first.unseen(u, a));
        }
      }
      const RandomRow row = rows.row(7);
      StateSums first_row(table, 1e-7, state_sums_kernels_baseline());
      first_row.set_row(row.values, row.missing);
      sums.set_row(row.values, row.missing);
      EXPECT_EQ(sums.log_likelihood(), first_row.log_likelihood());
      for (std::size_t u = 0; u < 7; ++u) {
        EXPECT_EQ(sums.present(u), first_row.present(u));
        for (std::size_t a = 0; a < 45; ++a) {
          if (!has_bit(row.values, a)) continue;
          EXPECT_EQ(sums.shared(u, a), first_row.shared(u, a));
        }
      }
    }
  }
}

TEST(StateTable, suits_networks_of_few_causes_on_many_rows) {
  EXPECT_TRUE(StateTable::suits(random_network(1, 8, 64, .2), 10'000));
  EXPECT_FALSE(StateTable::suits(random_network(1, 8, 64, .2), 100));
  EXPECT_FALSE(StateTable::suits(random_network(1, 30, 64, .2), 100'000'000));
  EXPECT_FALSE(StateTable::suits(random_network(1, 8, 4000, .2), 100'000'000));
}

}  // namespace
}  // namespace orrery::model
