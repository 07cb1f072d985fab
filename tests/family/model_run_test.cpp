// What a learner that counts for itself is given, and what becomes of what it returns.
#include "family/model_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/program_options/options_description.hpp>
#include <filesystem>

#include "base/message_parts.hpp"
#include "cli/arguments.hpp"
#include "families/categorical/network/examples.hpp"
#include "families/linear/network/examples.hpp"
#include "families/linear/network/generators.hpp"
#include "families/model_files.hpp"
#include "family/shared_options.hpp"
#include "learning/run_learner.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::family {
namespace {

namespace po = boost::program_options;
using learning::Input;
using learning::lone_team;
using model::LearnedLinear;

class DataModelRun : public testing::Test {
 protected:
  DataModelRun() {
    std::filesystem::create_directory(folder_);
    store::DenseWriter dense(path("numbers.h5"));
    dense.begin({"a", "b"});
    dense.append(data::DenseBlock(7, 2));
    dense.finish({});
    store::SampleWriter bits(path("bits.h5"));
    bits.begin({"a", "b"});
    bits.append(data::BitColumns(2, 70), nullptr);
    bits.finish({});
    store::write_categorical(
        path("answers.h5"),
        {{"a", "b"}, {{"no", "yes"}, {"x", "y"}}, 3, {0, 1, 1, 0, data::missing_code, 0}}, {});
  }
  ~DataModelRun() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  cli::Arguments arguments(std::vector<std::string> words) const {
    po::options_description own("Options");
    add_model_options(own);
    add_checkpoint_options(own);
    own.add_options()("memory", po::value<std::string>());
    words.insert(words.end(), {"-q", "-o", path("out.h5")});
    return {{"learn linear", "", "", "", {"data"}}, own, {words, ""}, lone_team()};
  }
  /// What the learner saw; it returns `result`.
  struct Seen {
    bool called = false;
    std::string path;
    std::uint64_t seed = 0;
    std::optional<model::AnyModel> exact;
    bool stored = false;
    store::Checkpoint state;
  };
  Seen run(const std::vector<std::string>& words, Input input = Input::numbers,
           const model::AnyModel& result = LearnedLinear{}) const {
    Seen seen;
    const cli::Arguments given = arguments(words);
    const MomentInputs inputs = moment_inputs(given);
    run_data_model(given, lone_team(), inputs, input,
                   open_checkpoints(given, lone_team(), inputs, input, "linear", {{"--a", "1"}}),
                   [&](const learning::DataContext& context) -> model::AnyModel {
                     seen = {true,
                             context.path,
                             context.seed,
                             std::nullopt,
                             context.stored != nullptr,
                             context.checkpoints.state()};
                     if (context.exact != nullptr) seen.exact = *context.exact;
                     return result;
                   });
    return seen;
  }
  template <class Expected>
  std::string refusal(const std::vector<std::string>& words, Input input = Input::numbers) const {
    try {
      EXPECT_FALSE(run(words, input).called);
    } catch (const Expected& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("run{}", ::getpid());
};

TEST_F(DataModelRun, without_data_the_network_of_moments_is_given) {
  const Seen seen = run({"--moments", "linear:ternary:3", "--seed", "5"});
  ASSERT_TRUE(seen.called && seen.exact);
  EXPECT_EQ(seen.path, "");
  EXPECT_EQ(seen.seed, 5U);
  EXPECT_FALSE(seen.stored);
  model::expect_same(seen.exact->as<LearnedLinear>()->network,
                     *model::generate_linear("linear:ternary:3", 5));
}

TEST_F(DataModelRun, with_data_its_path_is_given) {
  const Seen seen = run({path("numbers.h5")});
  EXPECT_EQ(seen.path, path("numbers.h5"));
  EXPECT_FALSE(seen.exact || seen.stored);
}

TEST_F(DataModelRun, a_linear_network_is_written) {
  const LearnedLinear learned = model::linear_examples::learned_linear_example();
  run({path("numbers.h5")}, Input::numbers, learned);
  model::expect_same(store::read_linear(path("out.h5")), learned);
}

TEST_F(DataModelRun, learners_of_categories_get_a_file_of_them) {
  const model::LearnedCategorical learned =
      model::categorical_examples::learned_categorical_example();
  const Seen seen =
      run({path("answers.h5"), "--checkpoint", path("c.h5")}, Input::categories, learned);
  EXPECT_EQ(seen.path, path("answers.h5"));
  EXPECT_FALSE(seen.exact || seen.stored);
  EXPECT_EQ(seen.state.data_digest, store::read_categorical(path("answers.h5")).digest);
  EXPECT_EQ(seen.state.n_samples, 3U);
  EXPECT_EQ(seen.state.n_observed, 2U);
  model::expect_same(store::read_categorical_network(path("out.h5")), learned);
}

TEST_F(DataModelRun, learners_of_categories_take_nothing_else) {
  expect_part(refusal<UsageError>({"--moments", "categorical:1,3,9"}, Input::categories),
              "--moments categorical:1,3,9: this learner goes over rows of categories");
  expect_part(
      refusal<UsageError>({"--moments", "img", "--checkpoint", path("c.h5")}, Input::categories),
      "this learner goes over rows of categories");
  expect_part(refusal<UsageError>({path("answers.h5"), "--moments", "img"}, Input::categories),
              "this learner goes over rows of categories");
  expect_part(
      refusal<InputError>({path("bits.h5"), "--checkpoint", path("c.h5")}, Input::categories),
      "the file holds bits (/samples), but this command reads categories");
}

TEST_F(DataModelRun, checkpoints_are_of_the_numbers) {
  const std::vector<std::string> keep{"--checkpoint", path("c.h5")};
  const auto state_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), keep.begin(), keep.end());
    return run(words).state;
  };
  const store::Checkpoint of_data = state_of({path("numbers.h5")});
  const store::DenseHeader header = store::DenseReader(path("numbers.h5")).header();
  EXPECT_EQ(of_data.data_digest, header.digest);
  EXPECT_EQ(of_data.n_samples, 7U);
  EXPECT_EQ(of_data.n_observed, 2U);
  const store::Checkpoint exact = state_of({"--moments", "linear:ternary:3"});
  EXPECT_EQ(exact.n_samples, 0U);
  EXPECT_EQ(exact.n_observed, 9U);
  EXPECT_NE(exact.data_digest,
            state_of({"--moments", "linear:ternary:3", "--seed", "2"}).data_digest);
}

TEST_F(DataModelRun, what_the_learner_cannot_use_is_refused) {
  expect_part(refusal<InputError>({"--moments", "img"}),
              "img: holds a noisy-OR network, but a network of numbers is needed here");
  expect_part(refusal<InputError>({"--moments", "tree:chain:5", "--checkpoint", path("c.h5")}),
              "holds signs on a tree, but a network of numbers is needed here");
  expect_part(refusal<UsageError>({path("numbers.h5"), "--moments", path("bits.h5")}),
              "of which there are no stored counts");
  expect_part(refusal<InputError>({path("bits.h5"), "--checkpoint", path("c.h5")}),
              "the file holds bits (/samples), but this command reads numbers");
  expect_part(refusal<InputError>({path("numbers.h5"), "--checkpoint", path("c.h5")}, Input::bits),
              "the file holds numbers (/dense), but this command reads bits");
  EXPECT_FALSE(std::filesystem::exists(path("out.h5")));
}

TEST_F(DataModelRun, plans_are_given_the_same) {
  const auto exact_of = [&](const std::vector<std::string>& words) {
    bool exact = false;
    const cli::Arguments given = arguments(words);
    (void)plan_data_model(given, lone_team(), moment_inputs(given), Input::numbers,
                          [&](const learning::DataPlanContext& context) {
                            exact = context.exact != nullptr;
                            EXPECT_EQ(context.path.empty(), exact);
                            EXPECT_FALSE(context.stored);
                            return learning::Plan{};
                          });
    return exact;
  };
  EXPECT_TRUE(exact_of({"--moments", "linear:ternary:3"}));
  EXPECT_FALSE(exact_of({path("numbers.h5")}));
}

}  // namespace
}  // namespace orrery::family
