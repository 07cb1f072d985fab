// The benchmark files: their 10,000 samples give back their networks.
#include <gtest/gtest.h>

#include <filesystem>

#include "families/model_files.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/data/import.hpp"

namespace orrery::learning {
namespace {

struct Case {
  const char* network;
  std::vector<std::string> arguments;
};

class ShippedSamples : public testing::TestWithParam<Case> {};

TEST_P(ShippedSamples, give_back_all_eight_causes) {
  const std::filesystem::path folder = std::filesystem::path(ORRERY_SHARED_DATA) / "noisy_or";
  const auto samples_file = folder / (std::string(GetParam().network) + ".samples.txt.gz");
  if (!std::filesystem::exists(samples_file)) {
    GTEST_SKIP() << samples_file << " is not here";
  }
  data::MemorySink sink;
  data::import_samples(samples_file, {}, sink);
  const data::SampleMatrix samples = sink.take();
  const moments::CountedMoments moments(samples.values, moments::count_pairs(samples.values));
  const auto truth = model::read_network_json(folder / "networks.json", GetParam().network).network;
  const auto learned = learn_quartet(moments, samples.names, GetParam().arguments, 2);
  const auto result = noisy_or::score_network(learned, truth);
  EXPECT_EQ(result.recovered, 8U);
  EXPECT_TRUE(result.extra.empty());
  EXPECT_EQ(result.edge_f1, 1);
  // 10,000 samples: sqrt(.25 .75 / 10,000) = .0043 were the cause visible.
  EXPECT_LT(result.mean_prior_error, .01);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, ShippedSamples,
    testing::Values(Case{"IMG", {}}, Case{"CON8", {}},
                    Case{"IMG", {"--test", "rank", "--tau-q", "0.003", "--tau-e", "0.1"}},
                    Case{"CON8", {"--test", "rank", "--tau-e", "0.03"}}),
    [](const auto& test) {
      return std::string(test.param.network) + (test.param.arguments.empty() ? "" : "_by_rank");
    });

}  // namespace
}  // namespace orrery::learning
