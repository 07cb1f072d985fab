#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "families/model_files.hpp"
#include "model/oracle.hpp"
#include "model/same_model.hpp"
#include "model/temporary_file.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

LearnedModel model_of(const std::string& text, const std::string& entry = "") {
  const TemporaryFile file(text);
  return read_network_json(file.path(), entry);
}

LearnedModel learned() {
  LearnedModel model;
  model.network = {{{"u", .5}}, {{"a", 0}, {"b", 0}}, {{0, 0, 0}, {0, 1, .5}}};
  model.provenance = {{.depth = 0, .statistic = .0123}};
  model.errors = {{.1}, {.1, .1}, {.1, .2}};
  return model;
}

TEST(NetworkJson, text_is_one_item_a_line) {
  LearnedModel model;
  model.network = {{{"u", 0.25}}, {{"a", 0.001}, {"b", 0}}, {{0, 0, 0.1}, {0, 1, 0.5}}};
  EXPECT_EQ(to_network_json(model),
            "{\n"
            "  \"format\": \"orrery-network-1\",\n"
            "  \"causes\": [\n"
            "    {\"name\": \"u\", \"prior\": 0.25}\n"
            "  ],\n"
            "  \"observed\": [\n"
            "    {\"name\": \"a\", \"leak\": 0.001},\n"
            "    {\"name\": \"b\", \"leak\": 0}\n"
            "  ],\n"
            "  \"edges\": [\n"
            "    [0, 0, 0.1],\n"
            "    [0, 1, 0.5]\n"
            "  ]\n"
            "}\n");
}

TEST(NetworkJson, names_that_are_not_utf8_stay_distinct) {
  LearnedModel model;
  model.network = {{}, {{"\xE8", 0.5}, {"\xE9", 0.5}}, {}};
  const LearnedModel back = model_of(to_network_json(model));
  EXPECT_EQ(back.network.observed()[0].name, "\xC3\xA8");
  EXPECT_EQ(back.network.observed()[1].name, "\xC3\xA9");
}

TEST(NetworkJson, a_statistic_that_is_no_number_is_left_out) {
  LearnedModel model = learned();
  model.provenance[0].statistic = std::nan("");
  EXPECT_EQ(model_of(to_network_json(model)).provenance[0].statistic, -1);
}

TEST(NetworkJson, an_edge_stays_a_triple_whatever_is_known_of_it) {
  const std::string text = to_network_json(learned());
  EXPECT_NE(text.find("    [0, 0, 0],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"failure_errors\": [\n    0.1,\n    0.2\n  ]"), std::string::npos) << text;
}

TEST(NetworkJson, values_of_edges_follow_the_order_of_the_file) {
  const LearnedModel model = model_of(
      R"({"format":"orrery-network-1","resamples":4,
          "causes":[{"prior":0.5,"stability":1},{"prior":0.25,"stability":0.75}],
          "observed":[{"leak":0},{"leak":0.5,"leak_error":0.125}],
          "edges":[[1,0,0.5],[0,1,1.0],[0,0,0.25]],
          "failure_errors":[0.1,0.2,null],"edge_stability":[0.25,0.5,0.75]})");
  EXPECT_EQ(model.network.edges(), (std::vector<Edge>{{0, 0, 0.25}, {1, 0, 0.5}}));
  expect_same(model.errors.prior, {std::nan(""), std::nan("")});
  expect_same(model.errors.leak, {std::nan(""), 0.125});
  expect_same(model.errors.failure, {std::nan(""), 0.1});
  EXPECT_EQ(model.stability, (Stability{4, {1, 0.75}, {0.75, 0.25}}));
}

TEST(NetworkJson, names_are_optional_and_unknown_keys_are_passed_over) {
  const LearnedModel model = model_of(
      R"({"format":"orrery-network-1","note":[1,{"x":null}],
          "causes":[{"prior":0.5,"standard_error":0.1},{"prior":1,"name":"v"}],
          "observed":[{"leak":0},{"leak":1e-3}],"edges":[[1,0,0.5],[0,1,1.0]]})");
  EXPECT_EQ(model.network.causes()[0].name, "cause0");
  EXPECT_EQ(model.network.causes()[1].name, "v");
  EXPECT_EQ(model.network.observed()[1].name, "x1");
  EXPECT_EQ(model.network.edges(), (std::vector<Edge>{{1, 0, 0.5}}));
  EXPECT_TRUE(model.provenance.empty());
}

constexpr const char* benchmark =
    R"({"A":{"n_latent":1,"n_observed":2,"priors":[0.25],"noise_failure":[0.75,1],
             "failures":[[1.0,0.5]]},
        "B":{"priors":[0.5,0.125],"noise_failure":[1],"failures":[[0],[0.25]]}})";

TEST(NetworkJson, a_network_of_a_benchmark_file_is_chosen_by_name) {
  const NoisyOrNetwork a = model_of(benchmark, "A").network;
  EXPECT_EQ(a.causes()[0].prior, 0.25);
  EXPECT_EQ(a.observed()[0].leak, 0.25);
  EXPECT_EQ(a.observed()[1].leak, 0);
  EXPECT_EQ(a.edges(), (std::vector<Edge>{{0, 1, 0.5}}));
  EXPECT_EQ(a.causes()[0].name, "cause0");
  EXPECT_EQ(a.observed()[1].name, "x1");
  EXPECT_EQ(model_of(benchmark, "B").network.edges(), (std::vector<Edge>{{0, 0, 0}, {1, 0, 0.25}}));
}

TEST(NetworkJson, the_only_network_of_a_benchmark_file_needs_no_name) {
  EXPECT_EQ(model_of(R"({"only":{"priors":[],"noise_failure":[0.5],"failures":[]}})")
                .network.n_observed(),
            1U);
}

TEST(NetworkJson, published_benchmarks_are_read) {
  const std::filesystem::path file =
      std::filesystem::path(ORRERY_SHARED_DATA) / "noisy_or" / "networks.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "absent: " << file;
  const NoisyOrNetwork con = read_network_json(file, "CON8").network;
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(con.children(c).size(), 8U);
  const NoisyOrNetwork plants = read_network_json(file, "PLNT").network;
  EXPECT_EQ(plants.n_observed(), 70U);
  EXPECT_EQ(plants.n_causes(), 8U);
  const std::string message =
      oracle::message_of<InputError>([&] { (void)read_network_json(file, "UNIF"); });
  EXPECT_NE(message.find("has no network \"UNIF\"; name one of \"CON8\", \"IMG\", \"PLNT\""),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace orrery::model
