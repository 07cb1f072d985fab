#include "families/noisy_or/anchored/structure/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/dags.hpp"
#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/independence_search.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "families/noisy_or/anchored/subsets.hpp"
#include "learning/coin_errors.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

CauseStructure learn(const model::SubsetTables& moments, const StructureOptions& options,
                     int threads = 1) {
  Alone alone;
  return learn_structure(alone.workers(threads), moments, options);
}

std::string message_of(const model::SubsetTables& moments, const StructureOptions& options) {
  try {
    (void)learn(moments, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

StructureOptions options_of(Structure structure, std::size_t limit, double n_samples) {
  StructureOptions options;
  options.structure = structure;
  options.limit = limit;
  options.n_samples = n_samples;
  return options;
}

/// Numbers of causes changed: cause i becomes to[i].
Parents renamed(const Parents& parents, const std::vector<std::uint32_t>& to) {
  Parents other(parents.size());
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const std::uint32_t parent : parents[i]) other[to[i]].push_back(to[parent]);
    std::ranges::sort(other[to[i]]);
  }
  return other;
}

model::CauseNetwork renamed(const model::CauseNetwork& network,
                            const std::vector<std::uint32_t>& to) {
  // One parent each at most: its table is the same whatever its number.
  std::vector<model::CauseTable> tables(network.n_causes());
  for (std::size_t i = 0; i < network.n_causes(); ++i) {
    tables[to[i]] = network.tables()[i];
    for (std::uint32_t& parent : tables[to[i]].parents) parent = to[parent];
  }
  return model::CauseNetwork(std::move(tables));
}

TEST(cause_tree, is_recovered_from_exact_pairs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto network = random_causes(8, 1, seed);
    const CauseStructure found = learn(exact_tables(network, 2), options_of(Structure::tree, 0, 0));
    EXPECT_EQ(n_edges(found.parents), 7U);
    EXPECT_TRUE(found.parents[0].empty());
    EXPECT_EQ(n_shared_edges(found.parents, parents_of(network)), 7U);
    EXPECT_TRUE(found.remarks.empty());
  }
}

TEST(cause_tree, renaming_the_causes_renames_its_edges) {
  const auto network = random_causes(7, 1, 3);
  const std::vector<std::uint32_t> to{3, 0, 6, 1, 5, 2, 4};
  const auto options = options_of(Structure::tree, 0, 0);
  const Parents plain = learn(exact_tables(network, 2), options).parents;
  const Parents other = learn(exact_tables(renamed(network, to), 2), options).parents;
  EXPECT_EQ(n_shared_edges(renamed(plain, to), other), 6U);
}

TEST(cause_tree, says_which_edges_rest_on_nothing) {
  // 0 - 1 depend, 2 does not: of equal pairs, 0 - 2 comes first.
  const model::CauseNetwork network({{{}, {.5}}, {{0}, {.2, .8}}, {{}, {.3}}});
  const CauseStructure found =
      learn(exact_tables(network, 2), options_of(Structure::tree, 0, 1'000));
  EXPECT_EQ(found.parents, (Parents{{}, {0}, {0}}));
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_NE(found.remarks[0].find("1 of its 2 edges"), std::string::npos);
  EXPECT_NE(found.remarks[0].find("0 - 2"), std::string::npos);
}

TEST(cause_tree, names_causes_as_the_anchors_file_does) {
  const model::CauseNetwork network({{{}, {.5}}, {{0}, {.2, .8}}, {{}, {.3}}});
  const std::vector<std::string> names{"flu", "cold", "gout"};
  StructureOptions options = options_of(Structure::tree, 0, 1'000);
  options.names = names;
  const CauseStructure found = learn(exact_tables(network, 2), options);
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_NE(found.remarks[0].find("'flu' - 'gout'"), std::string::npos) << found.remarks[0];
  const std::vector<std::array<double, 2>> rates{{.1, .9}, {.4, .4}, {.1, .9}};
  options.rates = rates;
  EXPECT_NE(message_of(exact_tables(network, 2), options).find("cause 'cold'"), std::string::npos);
  options.names = options.names.first(2);
  EXPECT_NE(message_of(exact_tables(network, 2), options).find("2 names for 3"), std::string::npos);
}

TEST(solvers, errors_of_coin_or_are_told_in_words) {
  const auto solve = [] { throw CoinError("singular basis", "primal", "ClpSimplex"); };
  try {
    learning::with_coin_errors("moments of causes", "use simplex", solve);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "moments of causes: CLP or CBC gives up in ClpSimplex::primal (singular basis); "
                 "use simplex");
  }
  EXPECT_EQ(learning::with_coin_errors("", "", [] { return 7; }), 7);
}

TEST(fit_tables, gives_back_the_tables_of_the_true_graph) {
  const auto network = random_causes(6, 3, 4);
  const auto fitted = fit_tables(exact_tables(network, 4), parents_of(network));
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& expected = network.tables()[i];
    ASSERT_EQ(fitted.tables()[i].parents, expected.parents);
    for (std::size_t state = 0; state < expected.on.size(); ++state) {
      EXPECT_NEAR(fitted.tables()[i].on[state], expected.on[state], 1e-12);
    }
  }
}

TEST(fit_tables, a_state_of_the_parents_without_mass_has_the_own_rate) {
  const model::CauseNetwork network({{{}, {0}}, {{0}, {.3, .9}}});
  const auto fitted = fit_tables(exact_tables(network, 2), {{}, {0}});
  EXPECT_NEAR(fitted.tables()[1].on[0], .3, 1e-15);
  EXPECT_NEAR(fitted.tables()[1].on[1], .3, 1e-15);
}

TEST(fit_tables, refuses_families_larger_than_the_moments) {
  EXPECT_THROW((void)fit_tables(exact_tables(random_causes(3, 0, 1), 2), {{}, {}, {0, 1}}),
               InputError);
}

TEST(parent_scores, are_equation_5) {
  const auto network = random_causes(4, 2, 7);
  const auto moments = exact_tables(network, 3);
  const double n = 5'000;
  const std::vector<std::uint32_t> parents{0, 3};
  // H(2 | 0, 3) by the states of the parents.
  const std::vector<std::uint32_t> family{0, 2, 3};
  const auto table = moments.table(family);
  double conditional_entropy = 0;
  for (const std::size_t state : {0U, 1U, 4U, 5U}) {
    const double all = table[state] + table[state | 2U];
    conditional_entropy += all * entropy(table[state | 2U] / all);
  }
  EXPECT_NEAR(family_score(moments, 2, parents, {n, {}}),
              -n * conditional_entropy - std::log(n) * 4, 1e-8);
}

TEST(parent_scores, drop_a_family_only_for_a_part_that_scores_as_much) {
  const auto moments = exact_tables(random_causes(6, 2, 8), 4);
  const SamplingNoise noise(300, {});
  Alone alone;
  const FamilyLists families = score_families(alone.workers(2), moments, 3, noise);
  for (std::uint32_t child = 0; child < 6; ++child) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < 6; ++i) {
      if (i != child) others.push_back(i);
    }
    std::size_t kept = 0;
    for (std::size_t size = 0; size <= 3; ++size) {
      for_each_subset(others, size, [&](std::span<const std::uint32_t> parents) {
        const double score = family_score(moments, child, parents, noise);
        bool is_needed = true;
        for (std::size_t part = 0; part < size; ++part) {
          for_each_subset(parents, part, [&](std::span<const std::uint32_t> some) {
            is_needed = is_needed && family_score(moments, child, some, noise) < score;
          });
        }
        const auto found = std::ranges::find_if(families[child], [&](const Family& family) {
          return std::ranges::equal(family.parents(), parents);
        });
        EXPECT_EQ(found != families[child].end(), is_needed);
        if (is_needed) {
          EXPECT_EQ(found->score, score);
        }
        kept += is_needed ? 1 : 0;
      });
    }
    EXPECT_EQ(families[child].size(), kept);
    EXPECT_LT(kept, 26U);  // 1 + 5 + 10 + 10 families
  }
}

TEST(in_degree, finds_the_class_of_the_true_network_from_exact_moments) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto network = random_causes(8, 2, seed, .7);
    const auto moments = exact_tables(network, 3);
    auto options = options_of(Structure::in_degree, 2, 1e7);
    const CauseStructure by_sets = learn(moments, options);
    EXPECT_EQ(by_sets.parents, standard_member(parents_of(network))) << seed;
    EXPECT_EQ(by_sets.score, by_sets.bound);
    options.max_exact = 0;
    const CauseStructure by_program = learn(moments, options);
    EXPECT_EQ(by_program.parents, by_sets.parents) << seed;
    EXPECT_NEAR(by_program.score, by_sets.score, 1e-9 * std::abs(by_sets.score));
    EXPECT_EQ(learn(moments, options_of(Structure::in_degree, 2, 0)).parents, by_sets.parents);
  }
}

TEST(in_degree, scores_are_no_less_than_the_true_network_scores) {
  const auto network = random_causes(7, 3, 2);
  const auto moments = sampled_tables(network, {}, 4, 2'000, 1);
  const CauseStructure found = learn(moments, options_of(Structure::in_degree, 3, 2'000));
  double truth = 0;
  for (std::uint32_t i = 0; i < 7; ++i) {
    truth += family_score(moments, i, network.tables()[i].parents, {2'000, {}});
  }
  EXPECT_GE(found.score, truth);
}

TEST(in_degree, behind_noisy_anchors_the_rates_keep_out_edges_of_noise) {
  constexpr std::size_t n_rows = 20'000;
  const AllRates rates(10, {.05, .8});
  std::size_t extra = 0;
  std::size_t extra_unaware = 0;
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto network = random_causes(10, 2, seed, .6);
    const auto moments = recovered_tables(sampled_tables(network, rates, 3, n_rows, seed), rates);
    auto options = options_of(Structure::in_degree, 2, n_rows);
    const Parents unaware = learn(moments, options).parents;
    options.rates = rates;
    const Parents aware = learn(moments, options).parents;
    const Parents truth = parents_of(network);
    extra += n_edges(aware) - n_shared_edges(aware, truth);
    extra_unaware += n_edges(unaware) - n_shared_edges(unaware, truth);
    missed += n_edges(truth) - n_shared_edges(aware, truth);
  }
  // log(N) a parameter makes one edge of noise less likely than 10^-5; 225 pairs in all.
  EXPECT_EQ(extra, 0U);
  EXPECT_GT(extra_unaware, 0U);
  EXPECT_LE(missed, 4U);  // of some 50: what the penalty costs
}

TEST(degree, finds_the_class_of_the_true_network_from_exact_moments) {
  std::size_t n_networks = 0;
  for (std::uint64_t seed = 0; n_networks < 10; ++seed) {
    const auto network = random_causes(7, 2, seed, .5);
    std::size_t degree = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      degree = std::max(degree, network.children(i).size() + network.tables()[i].parents.size());
    }
    if (degree > 3) continue;
    ++n_networks;
    const CauseStructure found =
        learn(exact_tables(network, 5), options_of(Structure::degree, 3, 0));
    EXPECT_EQ(found.parents, standard_member(parents_of(network))) << seed;
    EXPECT_TRUE(found.remarks.empty());
  }
}

TEST(degree, keeps_the_strongest_edges_where_there_are_too_many) {
  // Cause 0 with three children, allowed one neighbour; 3 depends on it most.
  const model::CauseNetwork network(
      {{{}, {.5}}, {{0}, {.3, .7}}, {{0}, {.25, .7}}, {{0}, {.1, .9}}});
  const CauseStructure found =
      learn(exact_tables(network, 3), options_of(Structure::degree, 1, 1e6));
  EXPECT_EQ(found.parents, (Parents{{}, {}, {}, {0}}));
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_NE(found.remarks[0].find("2 edge(s)"), std::string::npos);
}

TEST(structure, is_the_same_with_any_number_of_threads) {
  const auto moments = sampled_tables(random_causes(9, 2, 5), {}, 4, 3'000, 9);
  for (const auto& options :
       {options_of(Structure::in_degree, 2, 3'000), options_of(Structure::degree, 2, 3'000)}) {
    const CauseStructure one = learn(moments, options, 1);
    const CauseStructure three = learn(moments, options, 3);
    EXPECT_EQ(one.parents, three.parents);
    EXPECT_EQ(one.score, three.score);
  }
}

TEST(structure, independent_causes_have_no_parents) {
  const auto moments = exact_tables(random_causes(3, 2, 1), 1);
  EXPECT_EQ(learn(moments, options_of(Structure::independent, 0, 0)).parents, Parents(3));
}

TEST(structure, one_cause_is_a_network_of_every_kind) {
  const auto moments = exact_tables(model::CauseNetwork({{{}, {.3}}}), 1);
  for (const Structure kind : {Structure::tree, Structure::in_degree, Structure::degree}) {
    EXPECT_EQ(learn(moments, options_of(kind, 2, 100)).parents, Parents(1));
  }
}

TEST(structure, says_what_it_cannot_take) {
  const auto moments = exact_tables(random_causes(5, 2, 1), 2);
  EXPECT_NE(message_of(moments, options_of(Structure::in_degree, 2, 100)).find("order 3, not 2"),
            std::string::npos);
  EXPECT_NE(message_of(moments, options_of(Structure::in_degree, 5, 100)).find("indegree:4"),
            std::string::npos);
  EXPECT_NE(message_of(moments, options_of(Structure::degree, 0, 100)).find("degree:3"),
            std::string::npos);
  auto options = options_of(Structure::tree, 0, 100);
  options.alpha = 1;
  EXPECT_NE(message_of(moments, options).find("--alpha 1"), std::string::npos);
  options.alpha = .01;
  const AllRates few(4, {.1, .9});
  options.rates = few;
  EXPECT_NE(message_of(moments, options).find("one per cause"), std::string::npos);
  AllRates blind(5, {.1, .9});
  blind[3] = {.4, .4};
  options.rates = blind;
  EXPECT_NE(message_of(moments, options).find("the anchor of cause 3"), std::string::npos);
}

}  // namespace
}  // namespace orrery::anchored
