#include "families/noisy_or/anchored/structure/best_network.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/dags.hpp"
#include "families/noisy_or/anchored/structure/best_network_program.hpp"
#include "families/noisy_or/anchored/structure/cluster_cuts.hpp"
#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

/// A random score for every family, larger ones a little better, as data would have it.
FamilyLists random_families(std::uint32_t n, std::size_t max_parents, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 0);
  FamilyLists families(n);
  for (std::uint32_t child = 0; child < n; ++child) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i != child) others.push_back(i);
    }
    for (std::size_t size = 0; size <= max_parents; ++size) {
      for_each_subset(others, size, [&](std::span<const std::uint32_t> parents) {
        families[child].emplace_back(10 * random.uniform() + 4 * static_cast<double>(size),
                                     parents);
      });
    }
    std::sort(families[child].begin(), families[child].end());
  }
  return families;
}

double score_in_lists(const FamilyLists& families, const Parents& parents) {
  double sum = 0;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const Family& family : families[i]) {
      if (std::ranges::equal(family.parents(), parents[i])) sum += family.score;
    }
  }
  return sum;
}

double best_of_all(const FamilyLists& families, int max_parents) {
  double best = -std::numeric_limits<double>::infinity();
  for_each_dag(
      static_cast<std::uint32_t>(families.size()), max_parents,
      [&](const Parents& parents) { best = std::max(best, score_in_lists(families, parents)); });
  return best;
}

void expect_network(const FamilyLists& families, const Choice& choice) {
  EXPECT_NO_THROW(model::CauseNetwork(tables_of(parents_of(families, choice))));
}

TEST(best_network, is_the_best_of_all_networks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const FamilyLists families = random_families(4, 3, seed);
    const BestNetwork best = best_network(families);
    expect_network(families, best.choice);
    EXPECT_NEAR(score_of(families, best.choice), best_of_all(families, 3), 1e-12);
    EXPECT_EQ(best.bound, score_of(families, best.choice));
  }
  const FamilyLists five = random_families(5, 2, 99);
  EXPECT_NEAR(best_network(five).bound, best_of_all(five, 2), 1e-12);
}

TEST(best_network, takes_no_more_causes_than_its_memory) {
  try {
    (void)best_network(FamilyLists(29));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("integer program"), std::string::npos);
  }
}

TEST(best_network_program, agrees_with_sums_over_sets) {
  for (const auto& [n, most, seeds] :
       {std::tuple{4U, 3U, 10U}, {6U, 2U, 10U}, {8U, 3U, 5U}, {10U, 2U, 5U}, {12U, 2U, 2U}}) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const FamilyLists families = random_families(n, most, 100 * n + seed);
      const BestNetwork exact = best_network(families);
      const BestNetwork program = best_network_program(families);
      expect_network(families, program.choice);
      EXPECT_TRUE(program.is_proved);
      EXPECT_NEAR(score_of(families, program.choice), exact.bound, 1e-6) << n << " " << seed;
      EXPECT_GE(program.bound, exact.bound - 1e-6);
    }
  }
}

TEST(best_network_program, splits_nodes_where_clusters_are_not_enough) {
  const FamilyLists families = random_families(12, 3, 0);
  const BestNetwork program = best_network_program(families);
  EXPECT_GT(program.n_nodes, 1U);
  EXPECT_TRUE(program.is_proved);
  EXPECT_NEAR(score_of(families, program.choice), best_network(families).bound, 1e-6);
}

TEST(best_network_program, bounds_what_it_has_not_proved) {
  std::size_t n_open = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const FamilyLists families = random_families(12, 3, 1'000 + seed);
    const BestNetwork program = best_network_program(families, {.nodes = 100, .pivots = 10});
    const double best = best_network(families).bound;
    expect_network(families, program.choice);
    EXPECT_GE(program.bound, best - 1e-6);
    EXPECT_LE(score_of(families, program.choice), best + 1e-9);
    n_open += program.is_proved ? 0 : 1;
  }
  EXPECT_GT(n_open, 0U);
}

TEST(order_search, finds_the_best_network_of_an_order) {
  const FamilyLists families = random_families(4, 3, 5);
  std::vector<std::uint32_t> order{2, 0, 3, 1};
  double best = -1;
  for_each_dag(4, 3, [&](const Parents& parents) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (const std::uint32_t parent : parents[order[i]]) {
        if (std::find(order.begin(), order.begin() + static_cast<long>(i), parent) ==
            order.begin() + static_cast<long>(i)) {
          return;
        }
      }
    }
    best = std::max(best, score_in_lists(families, parents));
  });
  EXPECT_NEAR(best_of_order(families, order).score, best, 1e-12);
}

TEST(order_search, climbs_and_is_never_better_than_the_best) {
  std::size_t n_best = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const FamilyLists families = random_families(8, 2, seed);
    std::vector<std::uint32_t> order(8);
    std::iota(order.begin(), order.end(), 0U);
    const OrderSearch found = search_orders(families, order, 50);
    const double best = best_network(families).bound;
    expect_network(families, found.choice);
    EXPECT_EQ(found.score, score_of(families, found.choice));
    EXPECT_GE(found.score, best_of_order(families, order).score);
    EXPECT_LE(found.score, best + 1e-9);
    n_best += found.score > best - 1e-9 ? 1 : 0;
  }
  EXPECT_GE(n_best, 8U);  // 10 when this was written
}

/// Shares of two families a cause, halves and other fractions.
FractionalNetwork random_shares(const FamilyLists& families, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 1);
  std::vector<std::vector<FractionalNetwork::Share>> shares(families.size());
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto one = static_cast<std::uint32_t>(random.below(families[i].size()));
    const auto other = static_cast<std::uint32_t>(random.below(families[i].size()));
    const double weight = .1 * static_cast<double>(1 + random.below(9));
    shares[i] = {{one, weight}};
    if (other != one) shares[i].push_back({other, 1 - weight});
    if (other == one) shares[i][0].weight = 1;
  }
  return {families, shares};
}

TEST(cluster_cuts, hold_for_every_network) {
  FamilyLists families = random_families(4, 3, 1);
  const std::vector<std::uint32_t> all{0, 1, 2, 3};
  for_each_dag(4, 3, [&](const Parents& parents) {
    std::vector<std::vector<FractionalNetwork::Share>> shares(4);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto at = std::ranges::find_if(families[i], [&](const Family& family) {
        return std::ranges::equal(family.parents(), parents[i]);
      });
      shares[i] = {{static_cast<std::uint32_t>(at - families[i].begin()), 1}};
    }
    const FractionalNetwork whole(families, shares);
    EXPECT_TRUE(whole.is_whole());
    for (std::uint32_t rank = 1; rank <= 3; ++rank) {
      for (std::size_t size = rank + 1; size <= 4; ++size) {
        for_each_subset(all, size, [&](std::span<const std::uint32_t> cluster) {
          EXPECT_LE(violation_of(families, whole, cluster, rank), 1e-12);
        });
      }
    }
    EXPECT_TRUE(find_clusters(families, whole).empty());
  });
}

TEST(cluster_cuts, the_program_finds_the_most_violated_of_all) {
  const FamilyLists families = random_families(6, 3, 3);
  const std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5};
  std::size_t n_violated = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const FractionalNetwork network = random_shares(families, seed);
    for (std::uint32_t rank = 1; rank <= 3; ++rank) {
      double most = 0;
      for (std::size_t size = rank + 1; size <= 6; ++size) {
        for_each_subset(all, size, [&](std::span<const std::uint32_t> cluster) {
          most = std::max(most, violation_of(families, network, cluster, rank));
        });
      }
      const std::vector<Cluster> found = find_clusters_exactly(families, network, rank);
      EXPECT_EQ(found.empty(), most <= least_violation);
      if (!found.empty()) {
        EXPECT_NEAR(found[0].violation, most, 1e-6);
      }
      for (const Cluster& cluster : found) {
        EXPECT_NEAR(cluster.violation, violation_of(families, network, cluster.causes, rank), 1e-9);
      }
      n_violated += most > least_violation ? 1 : 0;
    }
  }
  EXPECT_GT(n_violated, 20U);
}

TEST(cluster_cuts, a_cycle_of_whole_families_is_found_without_the_program) {
  FamilyLists families(4);
  const std::vector<std::vector<std::uint32_t>> parents{{2}, {0}, {1}, {0}};
  std::vector<std::vector<FractionalNetwork::Share>> shares(4);
  for (std::size_t i = 0; i < 4; ++i) {
    families[i].emplace_back(1, parents[i]);
    shares[i] = {{0, 1}};
  }
  const auto clusters = find_clusters(families, {families, shares});
  ASSERT_FALSE(clusters.empty());
  EXPECT_EQ(clusters[0].causes, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(clusters[0].rank, 1U);
  EXPECT_NEAR(clusters[0].violation, 1, 1e-12);
}

}  // namespace
}  // namespace orrery::anchored
