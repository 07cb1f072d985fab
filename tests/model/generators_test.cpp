#include "orrery/model/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "families/model_files.hpp"
#include "model/oracle.hpp"

namespace orrery::model {
namespace {

std::vector<std::uint32_t> children_of(const NoisyOrNetwork& network, std::size_t cause) {
  std::vector<std::uint32_t> children;
  for (const Edge& edge : network.children(cause)) children.push_back(edge.observed);
  return children;
}

NoisyOrNetwork generate(const std::string& spec, std::uint64_t seed = 1) {
  return generate_network(spec, seed).value();
}

TEST(Generators, img_has_the_eight_images_in_order) {
  const NoisyOrNetwork network = generate("img");
  const std::vector<std::pair<std::string, std::size_t>> expected{
      {"circle", 16},      {"cross", 16}, {"frame", 28}, {"diagonal", 8},
      {"antidiagonal", 8}, {"ring6", 20}, {"ring4", 12}, {"block", 9}};
  ASSERT_EQ(network.n_causes(), expected.size());
  ASSERT_EQ(network.n_observed(), 64U);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    EXPECT_EQ(network.causes()[c].name, expected[c].first);
    EXPECT_EQ(network.causes()[c].prior, 0.25);
    EXPECT_EQ(network.children(c).size(), expected[c].second) << expected[c].first;
  }
  EXPECT_EQ(children_of(network, 3), (std::vector<std::uint32_t>{0, 9, 18, 27, 36, 45, 54, 63}));
  EXPECT_EQ(children_of(network, 7),
            (std::vector<std::uint32_t>{33, 34, 35, 41, 42, 43, 49, 50, 51}));
  for (const Edge& edge : network.edges()) EXPECT_EQ(edge.failure, 0.1);
  for (const Observed& variable : network.observed()) EXPECT_EQ(variable.leak, 0.001);
}

TEST(Generators, img_equals_the_published_network_edge_for_edge) {
  const std::filesystem::path file =
      std::filesystem::path(ORRERY_SHARED_DATA) / "noisy_or" / "networks.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "absent: " << file;
  const NoisyOrNetwork published = read_network_json(file, "IMG").network;
  const NoisyOrNetwork network = generate("img");
  EXPECT_EQ(network.edges(), published.edges());
  ASSERT_EQ(network.n_causes(), published.n_causes());
  ASSERT_EQ(network.n_observed(), published.n_observed());
  for (std::size_t c = 0; c < 8; ++c) {
    EXPECT_EQ(network.causes()[c].prior, published.causes()[c].prior);
  }
  for (std::size_t a = 0; a < 64; ++a) {
    EXPECT_NEAR(network.observed()[a].leak, published.observed()[a].leak, 1e-15);
  }
}

TEST(Generators, con_gives_each_cause_its_number_of_distinct_children) {
  for (const auto& [spec, n_children] : std::vector<std::pair<std::string, std::size_t>>{
           {"con:1", 1}, {"con:24", 24}, {"con:64", 64}}) {
    const NoisyOrNetwork network = generate(spec);
    ASSERT_EQ(network.n_causes(), 8U);
    ASSERT_EQ(network.n_observed(), 64U);
    for (std::size_t c = 0; c < 8; ++c) {
      EXPECT_EQ(network.children(c).size(), n_children) << spec;
      EXPECT_EQ(network.causes()[c].prior, 0.125);
    }
  }
}

TEST(Generators, con_spreads_children_over_all_variables) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const NoisyOrNetwork network = generate("con:4", seed);
    for (const Edge& edge : network.edges()) seen.insert(edge.observed);
  }
  EXPECT_EQ(seen.size(), 64U);  // 1280 draws: one is missed with probability 64 (63/64)^1280 = 1e-7
}

TEST(Generators, unif_draws_edges_and_parameters_within_their_ranges) {
  std::size_t n_edges = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const NoisyOrNetwork network = generate("unif", seed);
    ASSERT_EQ(network.n_causes(), 8U);
    n_edges += network.edges().size();
    for (const Cause& cause : network.causes()) {
      EXPECT_GE(cause.prior, 0.1);
      EXPECT_LT(cause.prior, 0.3);
    }
    for (const Edge& edge : network.edges()) {
      EXPECT_GE(edge.failure, 0.05 - 1e-15);
      EXPECT_LE(edge.failure, 0.2);
    }
  }
  // 25,600 pairs with probability 1/4: standard deviation 69.
  EXPECT_NEAR(static_cast<double>(n_edges), 6400, 5 * 69);
}

TEST(Generators, con_draws_ranges_once_a_network_a_cause_a_variable_and_an_edge) {
  std::set<std::size_t> n_causes;
  std::set<std::size_t> n_children;
  std::set<double> priors;
  std::set<double> leaks;
  std::set<double> failures;
  constexpr std::size_t n_networks = 100;
  for (std::uint64_t seed = 0; seed < n_networks; ++seed) {
    const NoisyOrNetwork network =
        generate("con:8-24,causes=4-16,prior=.3-.45,leak=.001-.1,failure=.1-.2,observed=70", seed);
    ASSERT_EQ(network.n_observed(), 70U);
    n_causes.insert(network.n_causes());
    for (std::size_t c = 0; c < network.n_causes(); ++c) {
      n_children.insert(network.children(c).size());
      priors.insert(network.causes()[c].prior);
    }
    for (const Observed& variable : network.observed()) leaks.insert(variable.leak);
    for (const Edge& edge : network.edges()) failures.insert(edge.failure);
  }
  // 100 draws of 13 values, 1,000 of 17: one is missed with probability 13 (12/13)^100 = .004, and
  // for this seed none is.
  EXPECT_EQ(n_causes.size(), 13U);
  EXPECT_EQ(std::pair(*n_causes.begin(), *n_causes.rbegin()), std::pair(4UL, 16UL));
  EXPECT_EQ(n_children.size(), 17U);
  EXPECT_EQ(std::pair(*n_children.begin(), *n_children.rbegin()), std::pair(8UL, 24UL));
  EXPECT_EQ(leaks.size(), 70 * n_networks);  // each its own
  const auto spans = [](const std::set<double>& values, double low, double high) {
    const double margin = 0.02 * (high - low);
    return *values.begin() >= low &&
           *values.begin()<low + margin&& * values.rbegin() < high&& * values.rbegin()> high -
               margin;
  };
  EXPECT_TRUE(spans(priors, 0.3, 0.45));
  EXPECT_TRUE(spans(leaks, 0.001, 0.1));
  EXPECT_TRUE(spans(failures, 0.1, 0.2));
}

TEST(Generators, a_range_of_one_part_leaves_the_others_as_they_were) {
  const NoisyOrNetwork plain = generate("con:8", 5);
  EXPECT_EQ(generate("con:8-8,causes=8,prior=.125,leak=.001,failure=.1,observed=64", 5).edges(),
            plain.edges());
  EXPECT_EQ(generate("con:8,prior=.3-.45,leak=0-.1", 5).edges(), plain.edges());
  const NoisyOrNetwork more = generate("con:8,causes=12", 5);
  ASSERT_EQ(more.n_causes(), 12U);
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(children_of(more, c), children_of(plain, c));
}

TEST(Generators, img_unif_has_the_images_first) {
  const NoisyOrNetwork network = generate("img-unif", 3);
  const NoisyOrNetwork images = generate("img");
  const NoisyOrNetwork uniform = generate("unif", 3);
  ASSERT_EQ(network.n_causes(), 16U);
  for (std::size_t c = 0; c < 8; ++c) {
    EXPECT_EQ(network.causes()[c].name, images.causes()[c].name);
    EXPECT_EQ(network.causes()[c].prior, 0.25);
    EXPECT_EQ(children_of(network, c), children_of(images, c));
    EXPECT_EQ(network.causes()[8 + c].name, "unif" + std::to_string(c));
    EXPECT_EQ(network.causes()[8 + c].prior, 0.05);
    EXPECT_EQ(network.dense_failures(8 + c), uniform.dense_failures(c));
  }
  for (const Observed& variable : network.observed()) EXPECT_EQ(variable.leak, 0.001);
}

TEST(Generators, plnt_resembles_the_published_network) {
  std::size_t n_orphans = 0;
  std::size_t n_only = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const NoisyOrNetwork network = generate("plnt", seed);
    ASSERT_EQ(network.n_observed(), 70U);
    ASSERT_EQ(network.n_causes(), 8U);
    std::multiset<std::size_t> degrees;
    std::vector<int> n_parents(70, 0);
    for (std::size_t c = 0; c < 8; ++c) {
      degrees.insert(network.children(c).size());
      EXPECT_GE(network.causes()[c].prior, 0.066);
      EXPECT_LT(network.causes()[c].prior, 0.175);
    }
    EXPECT_EQ(degrees, (std::multiset<std::size_t>{3, 3, 4, 9, 10, 12, 17, 21}));
    for (const Edge& edge : network.edges()) {
      ++n_parents[edge.observed];
      EXPECT_GE(edge.failure, 0.02);
      EXPECT_LT(edge.failure, 0.5);
    }
    for (const Observed& variable : network.observed()) {
      EXPECT_GE(variable.leak, 0.0005 - 1e-15);
      EXPECT_LT(variable.leak, 0.25);
    }
    n_orphans += static_cast<std::size_t>(std::count(n_parents.begin(), n_parents.end(), 0));
    n_only += static_cast<std::size_t>(std::count(n_parents.begin(), n_parents.end(), 1));
  }
  // The published network: 8 of 70 without a parent, 46 with one.
  EXPECT_NEAR(static_cast<double>(n_orphans) / 50, 8, 2);
  EXPECT_NEAR(static_cast<double>(n_only) / 50, 46, 4);
}

TEST(Generators, independent_variables_have_no_cause) {
  const NoisyOrNetwork network = generate("independent:64", 2);
  EXPECT_EQ(network.n_causes(), 0U);
  ASSERT_EQ(network.n_observed(), 64U);
  std::set<double> leaks;
  for (const Observed& variable : network.observed()) leaks.insert(variable.leak);
  EXPECT_EQ(leaks.size(), 64U);
  EXPECT_GE(*leaks.begin(), 0.05);
  EXPECT_LT(*leaks.rbegin(), 0.5);
}

TEST(Generators, random_parts_depend_on_the_seed_alone) {
  for (const std::string spec :
       {"con:8", "con:8-24,failure=.1-.2", "unif", "img-unif", "plnt", "qmr:60,400,2000"}) {
    EXPECT_EQ(generate(spec, 7).edges(), generate(spec, 7).edges());
    EXPECT_NE(generate(spec, 7).edges(), generate(spec, 8).edges());
    const std::size_t last = generate(spec, 7).n_causes() - 1;
    EXPECT_NE(children_of(generate(spec, 7), last), children_of(generate(spec, 7), last - 1));
  }
  EXPECT_EQ(generate("img", 7).edges(), generate("img", 8).edges());
}

TEST(Generators, bars_are_the_rows_and_columns_of_a_grid) {
  const NoisyOrNetwork network = generate("bars:5");
  ASSERT_EQ(network.n_causes(), 10U);
  ASSERT_EQ(network.n_observed(), 25U);
  EXPECT_EQ(network.causes()[0].prior, 0.2);
  EXPECT_EQ(children_of(network, 1), (std::vector<std::uint32_t>{5, 6, 7, 8, 9}));
  EXPECT_EQ(children_of(network, 6), (std::vector<std::uint32_t>{1, 6, 11, 16, 21}));
  EXPECT_EQ(generate("bars:2").causes()[3].prior, 0.25);
  EXPECT_EQ(generate("bars:64").n_observed(), 4096U);
}

TEST(Generators, other_names_are_no_generators) {
  for (const std::string spec : {"", "qmr.json", "con.json", "images", "bars/net.json", "IMG"}) {
    EXPECT_FALSE(generate_network(spec, 1).has_value()) << spec;
  }
}

TEST(Generators, bad_arguments_are_usage_errors) {
  const auto message = [](const std::string& spec) {
    return oracle::message_of<UsageError>([&] { (void)generate_network(spec, 1); });
  };
  const std::string children =
      "con:L needs a whole number 1 to 64, or a rising range of them such as 1-64, got ";
  for (const std::string argument :
       {"abc", "0", "65", "8x", "99999999999", "", "9-8", "8-", "-8"}) {
    EXPECT_EQ(message("con:" + argument), children + '"' + argument + '"');
  }
  EXPECT_EQ(message("con"), children + "\"\"");
  EXPECT_EQ(message("con:65,observed=60"),
            "con:L needs a whole number 1 to 60, or a rising range of them such as 1-60, got "
            "\"65\"");
  EXPECT_EQ(message("con:8,causes=0-4"),
            "con: causes=N needs a whole number 1 to 100000, or a rising range of them such as "
            "1-100000, got \"0-4\"");
  for (const std::string key : {"prior", "leak", "failure"}) {
    for (const std::string value : {"", "1.1", ".4-.3", "1e-3", "x"}) {
      EXPECT_EQ(message("con:8," + key + "=" + value),
                "con: " + key +
                    "=P needs a number 0 to 1, or a rising range of them such as "
                    "0.1-0.3, got \"" +
                    value + '"');
    }
  }
  EXPECT_EQ(message("con:8,observed=8-9"),
            "con: observed=M needs a whole number 1 to 100000, got \"8-9\"");
  EXPECT_EQ(message("con:8,priors=.1"),
            "con:L takes causes=, prior=, leak=, failure= and observed= after L, got "
            "\"priors=.1\"");
  EXPECT_EQ(message("con:8,leak=.1,leak=.2"), "con: a second leak=; one is enough");
  EXPECT_EQ(message("con:prior=.1"),
            "con:L begins with L, a cause's number of children, got \"prior=.1\"");
  EXPECT_EQ(message("independent"), "independent:M needs a whole number 1 to 10000, got \"\"");
  EXPECT_EQ(message("plnt:1"), "plnt takes no argument, got \"1\"; write plnt");
  EXPECT_EQ(message("bars:1"), "bars:H needs a whole number 2 to 64, got \"1\"");
  EXPECT_EQ(message("bars:-8"), "bars:H needs a whole number 2 to 64, got \"-8\"");
  EXPECT_EQ(message("img:8"), "img takes no argument, got \"8\"; write img");
  EXPECT_EQ(message("qmr:60,400"),
            "qmr:causes,observed,edges takes three numbers, as in qmr:60,400,2000, got \"60,400\"");
  EXPECT_EQ(message("qmr:"),
            "qmr:causes,observed,edges takes three numbers, as in qmr:60,400,2000, got \"\"");
  EXPECT_EQ(message("qmr:60,400,edges=2000"),
            "qmr:causes,observed,edges takes three numbers, as in qmr:60,400,2000, got "
            "\"60,400,edges=2000\"");
  EXPECT_EQ(message("qmr:0,400,2000"),
            "qmr:causes,observed,edges: causes needs a whole number 1 to 10000, got \"0\"");
  EXPECT_EQ(message("qmr:60,7,2000"),
            "qmr:causes,observed,edges: observed needs a whole number 8 to 10000, got \"7\"");
  EXPECT_EQ(message("qmr:60,400,399"),
            "qmr:causes,observed,edges: edges needs a whole number 400 to 12000, got \"399\"");
  EXPECT_EQ(message("qmr:1,400,2000"),
            "qmr:causes,observed,edges: 1 causes of at most 200 children each leave some of 400 "
            "variables without a parent; ask for more causes");
  EXPECT_EQ(message("unif:"), "unif takes no argument, got \"\"; write unif");
}

}  // namespace
}  // namespace orrery::model
