// Learning where values are missing, from the file on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/random.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "learning/load.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/data/import.hpp"
#include "orrery/model/generators.hpp"
#include "store/store.hpp"

namespace orrery::learning {
namespace {

class MissingValues : public testing::Test {
 protected:
  MissingValues() { log::configure(log::Level::quiet, true); }
  ~MissingValues() override { std::filesystem::remove(path_); }

  /// IMG's samples, each value missing with probability `share`.
  void write_img(std::size_t n_rows, double share) {
    const data::BitColumns complete = model::sample_rows(img_, 3, 0, n_rows);
    data::BitColumns values(complete.n_columns(), n_rows);
    data::BitColumns missing(complete.n_columns(), n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
      RowRandom random(1, Stream::check, row);
      for (std::size_t x = 0; x < complete.n_columns(); ++x) {
        if (random.bernoulli(share)) {
          missing.set(row, x);
        } else if (complete.at(row, x)) {
          values.set(row, x);
        }
      }
    }
    store::SampleWriter writer(path_);
    writer.begin(img_.observed_names());
    writer.append(values, &missing);
    writer.finish({});
  }
  Samples load() {
    Checkpoints none;
    std::vector<Stage> stages;
    return load_samples(lone_team(), 2, path_.string(), 0, {}, none, stages);
  }

  const model::NoisyOrNetwork img_ = *model::generate_network("img", 1);
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("missing{}.h5", ::getpid());
};

// Of 10,000 rows of 64 values some ten have all of them: the complete rows are too few to load. A
// quartet is observed in two rows of three.
TEST_F(MissingValues, a_tenth_missing_leaves_most_causes_to_be_found) {
  write_img(10'000, 0.1);
  const Samples samples = load();
  EXPECT_NEAR(samples.moments->observed_share(5), 0.9, 4 * std::sqrt(0.09 / 10'000));
  const auto learned = learn_quartet(*samples.moments, samples.names,
                                     {"--test", "rank", "--tau-q", "0.01", "--tau-e", "0.1"}, 2);
  const auto result = noisy_or::score_network(learned, img_);
  EXPECT_EQ(learned.n_samples, 10'000U);
  EXPECT_GE(result.recovered, 7U);
  EXPECT_LE(result.extra.size(), 1U);
  // sqrt(.25 .75 / 6,561) = .0053 were the causes visible in every row of a quartet.
  EXPECT_LT(result.mean_prior_error, .015);
}

TEST_F(MissingValues, parameters_of_a_known_structure_are_those_of_all_rows) {
  write_img(10'000, 0.1);
  const Samples samples = load();
  const auto learned = learn_known(*samples.moments, samples.names, img_, 2);
  const auto result = noisy_or::score_network(learned, img_);
  EXPECT_EQ(result.recovered, 8U);
  EXPECT_LT(result.mean_prior_error, .015);
}

// The votes of 1984: 392 of 6,960 values missing, 232 complete rows of 435.
TEST_F(MissingValues, the_votes_of_1984_are_learned_from_all_rows) {
  const auto votes = std::filesystem::path(ORRERY_SHARED_DATA) / "real" / "house-votes-84.data";
  if (!std::filesystem::exists(votes)) GTEST_SKIP() << votes << " is not here";
  store::SampleWriter writer(path_);
  data::ImportOptions options;
  options.drop_columns = {"Class"};
  EXPECT_EQ(data::import_samples(votes, options, writer).n_missing, 392U);
  writer.finish({});
  const Samples samples = load();
  EXPECT_EQ(samples.moments->n_samples(), 435U);
  const auto learned = learn_quartet(*samples.moments, samples.names,
                                     {"--test", "rank", "--tau-q", "0.02", "--tau-e", "0.02"}, 2);
  EXPECT_GE(learned.network.n_causes(), 1U);
}

}  // namespace
}  // namespace orrery::learning
