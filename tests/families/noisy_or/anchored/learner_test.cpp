// The whole learner on networks whose truth is known: by exact moments to rounding, by samples to
// what their number allows.
#include "learning/learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/arguments.hpp"
#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/options.hpp"
#include "learning/run_learner.hpp"
#include "model/anchored_generators.hpp"
#include "orrery/model/any_model.hpp"

namespace orrery::anchored {
extern const learning::LearnerEntry entry;
}

namespace {

using namespace orrery;

model::NoisyOrNetwork generate(const std::string& spec, std::uint64_t seed,
                               const model::AnchoredChoices& choices = {}) {
  return model::generate_anchored(*model::parse_anchored_spec(spec), choices, seed);
}

/// A file of the test's own.
std::filesystem::path temporary(const std::string& name) {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test->name()) + "_" + name;
  std::ranges::replace(file, '/', '_');
  return std::filesystem::temp_directory_path() / file;
}

void write_anchors(const model::NoisyOrNetwork& network, const std::filesystem::path& path) {
  std::ofstream file(path);
  file.precision(17);
  file << "cause,column,off,on\n";
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const model::Anchor& anchor = network.anchors()[i];
    const auto [off, on] = network.anchor_rates(i);
    file << network.causes()[anchor.cause].name << ',' << network.observed()[anchor.observed].name
         << ',' << off << ',' << on << '\n';
  }
}

model::LearnedModel learn(const std::string& data, const model::AnyModel* exact,
                          const std::vector<std::string>& arguments) {
  const parallel::Team team;
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::DataContext context{.team = team,
                                      .threads = 2,
                                      .seed = 1,
                                      .path = data,
                                      .exact = exact,
                                      .memory_bytes = 0,
                                      .stored = nullptr,
                                      .stages = stages,
                                      .checkpoints = checkpoints};
  return *anchored::entry.learn_data(context, learning::parse_options(anchored::entry, arguments))
              .as<model::LearnedModel>();
}

model::LearnedModel learn_exactly(const model::NoisyOrNetwork& network,
                                  std::vector<std::string> arguments) {
  const auto anchors = temporary("anchors.csv");
  write_anchors(network, anchors);
  model::LearnedModel truth;
  truth.network = network;
  const model::AnyModel exact = truth;
  arguments.insert(arguments.end(), {"--anchors", anchors.string()});
  return learn("", &exact, arguments);
}

double largest_difference(const model::NoisyOrNetwork& a, const model::NoisyOrNetwork& b) {
  double largest = 0;
  for (std::uint32_t j = 0; j < a.n_observed(); ++j) {
    largest = std::max(largest, std::abs(a.observed()[j].leak - b.observed()[j].leak));
    for (std::uint32_t i = 0; i < a.n_causes(); ++i) {
      largest = std::max(largest, std::abs(a.failure(i, j) - b.failure(i, j)));
    }
  }
  const model::SubsetTables left = anchored::exact_tables(a.cause_network(), 3);
  const model::SubsetTables right = anchored::exact_tables(b.cause_network(), 3);
  for (std::size_t c = 0; c < left.cells().size(); ++c) {
    largest = std::max(largest, std::abs(left.cells()[c] - right.cells()[c]));
  }
  return largest;
}

class ExactTree : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(ExactTree, is_learned_to_six_digits) {
  const auto& [estimator, seed] = GetParam();
  const auto network = generate("anchored:tree:10,60", static_cast<std::uint64_t>(seed));
  const auto learned = learn_exactly(network, {"--loadings", estimator});
  EXPECT_LT(largest_difference(network, learned.network), 1e-6);
  EXPECT_EQ(learned.network.cause_network().n_edges(), 9);
}

INSTANTIATE_TEST_SUITE_P(Estimators, ExactTree,
                         testing::Combine(testing::Values("matched", "tree", "blanket"),
                                          testing::Values(1, 2, 3)));

TEST(GapTest, shrinks_with_the_rows_unless_it_is_given) {
  anchored::Options options;
  EXPECT_EQ(anchored::gap_of(options, 0), 1e-6);  // exact moments
  EXPECT_EQ(anchored::gap_of(options, 100), .005);
  EXPECT_EQ(anchored::gap_of(options, 5'000), 1. / 5'000);
  EXPECT_EQ(anchored::gap_of(options, 10'000'000), 1e-6);
  options.gap = .01;
  EXPECT_EQ(anchored::gap_of(options, 5'000), .01);
}

// With a gap of 0.005 nats the tables of pairs were off by some hundredths.
TEST(GapTest, exact_moments_come_back_within_the_marginal_polytope) {
  const auto network = generate("anchored:tree:5,15", 1);
  const auto learned =
      learn_exactly(network, {"--polytope", "marginal", "--integer-program", "cbc"});
  EXPECT_LT(largest_difference(network, learned.network), .005);
}

}  // namespace
