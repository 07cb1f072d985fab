#include "orrery/model/generators.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "model/oracle.hpp"
#include "orrery/model/network_json.hpp"

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

TEST(Generators, random_parts_depend_on_the_seed_alone) {
  for (const std::string spec : {"con:8", "unif"}) {
    EXPECT_EQ(generate(spec, 7).edges(), generate(spec, 7).edges());
    EXPECT_NE(generate(spec, 7).edges(), generate(spec, 8).edges());
    EXPECT_NE(children_of(generate(spec, 7), 0), children_of(generate(spec, 7), 1));
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
  for (const std::string spec : {"", "qmr", "con.json", "images", "bars/net.json", "IMG"}) {
    EXPECT_FALSE(generate_network(spec, 1).has_value()) << spec;
  }
}

TEST(Generators, bad_arguments_are_usage_errors) {
  const auto message = [](const std::string& spec) {
    return oracle::message_of<UsageError>([&] { (void)generate_network(spec, 1); });
  };
  EXPECT_EQ(message("con:abc"), "con:L needs a whole number 1 to 64, got \"abc\"");
  EXPECT_EQ(message("con:0"), "con:L needs a whole number 1 to 64, got \"0\"");
  EXPECT_EQ(message("con:65"), "con:L needs a whole number 1 to 64, got \"65\"");
  EXPECT_EQ(message("con:8x"), "con:L needs a whole number 1 to 64, got \"8x\"");
  EXPECT_EQ(message("con:99999999999"), "con:L needs a whole number 1 to 64, got \"99999999999\"");
  EXPECT_EQ(message("con"), "con:L needs a whole number 1 to 64, got \"\"");
  EXPECT_EQ(message("bars:1"), "bars:H needs a whole number 2 to 64, got \"1\"");
  EXPECT_EQ(message("bars:-8"), "bars:H needs a whole number 2 to 64, got \"-8\"");
  EXPECT_EQ(message("img:8"), "img takes no argument, got \"8\"; write img");
  EXPECT_EQ(message("unif:"), "unif takes no argument, got \"\"; write unif");
}

}  // namespace
}  // namespace orrery::model
