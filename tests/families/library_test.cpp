// What a program that links orrery can call: files, and learners of samples in memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "families/noisy_or/known_structure/known_structure.hpp"
#include "family/table.hpp"
#include "learning/load.hpp"
#include "orrery/base/error.hpp"
#include "orrery/family/files.hpp"
#include "orrery/learning/parameters.hpp"
#include "orrery/learning/quartet.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::quartet {
extern const learning::LearnerEntry entry;
}

namespace {

using orrery::InputError;
using orrery::UsageError;
using orrery::data::BitPanels;
using orrery::data::SampleMatrix;
using orrery::model::LearnedModel;
using orrery::model::NoisyOrNetwork;

constexpr std::size_t n_rows = 2000;

NoisyOrNetwork images() { return *orrery::model::generate_network("img", 1); }

SampleMatrix drawn_from(const NoisyOrNetwork& network) {
  SampleMatrix samples;
  samples.values = BitPanels(network.n_observed(), n_rows);
  samples.values.insert(0, orrery::model::sample_rows(network, 1, 0, n_rows));
  samples.names = network.observed_names();
  return samples;
}

SampleMatrix with_missing(SampleMatrix samples) {
  samples.missing = BitPanels(samples.n_observed(), n_rows);
  for (std::size_t row = 0; row < n_rows; row += 7) {
    const std::size_t column = row % samples.n_observed();
    samples.missing->set(row, column, true);
    samples.values.set(row, column, false);
  }
  return samples;
}

std::string json(const LearnedModel& model) { return orrery::family::to_json(model); }

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("orrery_library_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// As the commands learn, from a file.
template <class Learn>
LearnedModel from_file(const std::string& path, const Learn& learn) {
  const orrery::parallel::Team team;
  orrery::learning::Checkpoints checkpoints;
  std::vector<orrery::Stage> stages;
  const auto samples = orrery::learning::load_samples(team, 1, path, 0, {}, checkpoints, stages);
  LearnedModel learned = learn(orrery::learning::LearnContext{
      team, 1, 1, *samples.moments, samples.names, samples.complete(), samples.rows.get(),
      samples.memory_left, stages, checkpoints});
  learned.data_digest = samples.digest;
  return learned;
}

/// `orrery learn quartet` without options.
LearnedModel by_command(const std::string& path) {
  namespace po = boost::program_options;
  po::options_description options;
  orrery::quartet::entry.add_options(options);
  const char* const program = "orrery";
  po::variables_map values;
  po::store(po::parse_command_line(1, &program, options), values);
  return from_file(path, [&](const auto& context) {
    return *orrery::quartet::entry.learn(context, values).template as<LearnedModel>();
  });
}

TEST_F(Files, samples_come_back) {
  for (const SampleMatrix& samples : {drawn_from(images()), with_missing(drawn_from(images()))}) {
    const std::string file = path(samples.missing ? "missing.h5" : "whole.h5");
    orrery::write_samples(file, samples);
    const SampleMatrix read = orrery::read_samples(file);
    EXPECT_EQ(read.names, samples.names);
    EXPECT_EQ(read.values, samples.values);
    EXPECT_EQ(read.missing, samples.missing);
    EXPECT_NE(read.digest, 0U);
  }
  EXPECT_THROW((void)orrery::read_samples(path("none.h5")), InputError);
}

TEST_F(Files, models_of_every_family_come_back) {
  for (const char* network : {"img", "anchored:tree:3,10", "tree:recursive:6", "linear:ternary:2",
                              "categorical:1,3,10"}) {
    const orrery::model::AnyModel model = orrery::read_model(network, 3);
    orrery::write_model(path("model.h5"), model);
    EXPECT_EQ(orrery::family::to_json(orrery::read_model(path("model.h5"))),
              orrery::family::to_json(model))
        << network;
  }
  EXPECT_THROW((void)orrery::read_model(path("none.h5")), InputError);
}

TEST_F(Files, the_quartet_learner_learns_what_its_command_learns) {
  for (SampleMatrix samples : {drawn_from(images()), with_missing(drawn_from(images()))}) {
    orrery::write_samples(path("data.h5"), samples);
    samples = orrery::read_samples(path("data.h5"));
    const LearnedModel learned = orrery::learn::quartet(samples, {}, {.threads = 1, .seed = 1});
    EXPECT_EQ(learned.network.n_causes(), 8U);
    EXPECT_EQ(json(learned), json(by_command(path("data.h5"))));
    EXPECT_EQ(json(learned), json(orrery::learn::quartet(samples, {}, {.threads = 2, .seed = 1})));
  }
}

TEST_F(Files, parameters_are_those_of_the_command) {
  const NoisyOrNetwork truth = images();
  orrery::write_samples(path("data.h5"), drawn_from(truth));
  const LearnedModel expected = from_file(path("data.h5"), [&](const auto& context) {
    return orrery::known_structure::learn_parameters(context, truth);
  });
  const SampleMatrix samples = orrery::read_samples(path("data.h5"));
  EXPECT_EQ(json(orrery::learn::parameters(samples, truth)), json(expected));
  EXPECT_EQ(expected.network.n_causes(), truth.n_causes());
}

TEST_F(Files, values_under_the_mask_do_not_matter) {
  const SampleMatrix clean = with_missing(drawn_from(images()));
  SampleMatrix dirty = clean;
  for (std::size_t row = 0; row < n_rows; row += 7) {
    dirty.values.set(row, row % dirty.n_observed(), true);
  }
  orrery::write_samples(path("data.h5"), dirty);
  EXPECT_EQ(orrery::read_samples(path("data.h5")).values, clean.values);
  EXPECT_EQ(json(orrery::learn::quartet(dirty)), json(orrery::learn::quartet(clean)));
}

TEST_F(Files, what_does_not_fit_is_refused) {
  const NoisyOrNetwork truth = images();
  const SampleMatrix samples = drawn_from(truth);
  SampleMatrix unnamed = samples;
  unnamed.names.pop_back();
  EXPECT_THROW((void)orrery::learn::quartet(unnamed), InputError);
  EXPECT_THROW(orrery::write_samples(path("data.h5"), unnamed), InputError);
  SampleMatrix twice = samples;
  twice.names[1] = twice.names[0];
  EXPECT_THROW((void)orrery::learn::quartet(twice), InputError);
  EXPECT_THROW(orrery::write_samples(path("data.h5"), twice), InputError);
  SampleMatrix masked = samples;
  masked.missing = BitPanels(samples.n_observed(), n_rows - 1);
  EXPECT_THROW((void)orrery::learn::quartet(masked), InputError);
  EXPECT_THROW(orrery::write_samples(path("data.h5"), masked), InputError);
  SampleMatrix renamed = samples;
  std::swap(renamed.names[0], renamed.names[1]);
  EXPECT_THROW((void)orrery::learn::parameters(renamed, truth), InputError);
  EXPECT_THROW((void)orrery::learn::quartet({}), InputError);
  EXPECT_THROW(orrery::write_samples(path("data.h5"), {}), InputError);
  EXPECT_FALSE(std::filesystem::exists(path("data.h5")));
}

TEST(Learners, options_out_of_range_are_refused) {
  const SampleMatrix samples = drawn_from(images());
  const auto refused = [&](auto change) {
    orrery::learn::QuartetOptions options;
    change(options);
    EXPECT_THROW((void)orrery::learn::quartet(samples, options), UsageError);
  };
  refused([](auto& options) { options.alpha = 1; });
  refused([](auto& options) { options.tau_q = 0; });
  refused([](auto& options) { options.tau_q2 = -1; });
  refused([](auto& options) { options.tau_e = std::nan(""); });
  refused([](auto& options) { options.max_depth = -1; });
  refused([](auto& options) { options.max_candidates = 0; });
  refused([](auto& options) { options.stability = 1'000'000; });
  EXPECT_THROW((void)orrery::learn::quartet(samples, {}, {.threads = -1, .seed = 1}), UsageError);
}

}  // namespace
