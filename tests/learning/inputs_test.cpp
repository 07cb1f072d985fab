// What every learner does with a data set first.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "learning/load.hpp"
#include "learning/run_learner.hpp"
#include "moments/pair_counts.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::learning {
namespace {

data::SampleMatrix random_samples(std::size_t m, std::size_t n_rows) {
  std::mt19937_64 random(m + n_rows);
  data::SampleMatrix samples;
  samples.values = data::BitPanels(m, n_rows);
  samples.digest = 77;
  for (std::size_t x = 0; x < m; ++x) {
    samples.names.push_back(fmt::format("v{}", x));
    for (std::size_t row = 0; row < n_rows; ++row) samples.values.set(row, x, random() % 2 == 0);
  }
  return samples;
}

/// Through a file, as on the command line.
class Inputs : public testing::Test {
 protected:
  struct Usable {
    Samples samples;
    std::string warnings;
  };

  std::string write(const data::SampleMatrix& samples) {
    store::SampleWriter writer(path_);
    writer.begin(samples.names);
    const std::size_t rows = data::block_rows(samples.n_observed());
    for (std::size_t row = 0; row < samples.n_samples(); row += rows) {
      const std::size_t n = std::min(rows, samples.n_samples() - row);
      const data::BitColumns values = samples.values.extract(row, n);
      if (samples.missing) {
        const data::BitColumns missing = samples.missing->extract(row, n);
        writer.append(values, &missing);
      } else {
        writer.append(values, nullptr);
      }
    }
    writer.finish({});
    return path_.string();
  }
  Usable usable(const data::SampleMatrix& samples, std::size_t memory_bytes = 0) {
    const std::string path = write(samples);
    log::configure(log::Level::normal, true);
    testing::internal::CaptureStderr();
    Checkpoints none;
    std::vector<Stage> stages;
    Usable result{load_samples(lone_team(), 1, path, memory_bytes, {}, none, stages), ""};
    result.warnings = testing::internal::GetCapturedStderr();
    log::configure(log::Level::quiet, true);
    return result;
  }

  std::string refusal(const data::SampleMatrix& samples) {
    const std::string path = write(samples);
    log::configure(log::Level::quiet, true);
    try {
      Checkpoints none;
      std::vector<Stage> stages;
      (void)load_samples(lone_team(), 1, path, 0, {}, none, stages);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  ~Inputs() override { std::filesystem::remove(path_); }

 private:
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("patients{}.h5", ::getpid());
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Inputs, fifty_rows_and_four_columns_are_enough_and_pass_silently) {
  const data::SampleMatrix samples = random_samples(4, 50);
  const Usable result = usable(samples);
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.samples.matrix->n_samples(), 50U);
  EXPECT_EQ(result.samples.names, samples.names);
  EXPECT_EQ(result.samples.digest, store::read_sample_header(write(samples)).digest);
  EXPECT_EQ(result.samples.matrix->values, samples.values);
}

TEST_F(Inputs, fewer_are_refused_with_file_numbers_and_remedy) {
  const std::string rows = refusal(random_samples(5, 49));
  EXPECT_TRUE(contains(rows, "patients") && contains(rows, "49") && contains(rows, "50") &&
              contains(rows, "add rows"))
      << rows;
  const std::string columns = refusal(random_samples(3, 100));
  EXPECT_TRUE(contains(columns, "patients") && contains(columns, "3 column") &&
              contains(columns, "4") && contains(columns, "add variables"))
      << columns;
}

/// Sets some values of a column missing.
void lose(data::SampleMatrix& samples, std::size_t row, std::size_t x) {
  if (!samples.missing) {
    samples.missing = data::BitPanels(samples.n_observed(), samples.n_samples());
  }
  samples.missing->set(row, x, true);
  samples.values.set(row, x, false);
}

TEST_F(Inputs, missing_values_are_kept_as_a_mask_and_said) {
  data::SampleMatrix samples = random_samples(6, 130);
  for (std::size_t row = 5; row < 130; row += 13) {
    lose(samples, row, 1);
    if (row > 80) lose(samples, row, 4);
  }
  const Usable result = usable(samples);
  EXPECT_TRUE(contains(result.warnings, ": 14 of 780 values (1.8 %) are missing, in 10 rows and 2"))
      << result.warnings;
  EXPECT_FALSE(contains(result.warnings, "never observed together")) << result.warnings;
  ASSERT_EQ(result.samples.matrix->n_samples(), 130U);
  EXPECT_EQ(*result.samples.matrix->missing, *samples.missing);
  EXPECT_EQ(result.samples.complete(), nullptr);
  EXPECT_EQ(result.samples.moments->n_samples(), 130U);
  EXPECT_DOUBLE_EQ(result.samples.moments->observed_share(1), 120.0 / 130);
  EXPECT_DOUBLE_EQ(result.samples.moments->observed_share(0), 1);
}

TEST_F(Inputs, a_mask_without_a_missing_value_changes_no_moment) {
  data::SampleMatrix samples = random_samples(5, 90);
  const Usable without = usable(samples);
  EXPECT_EQ(without.samples.complete(), without.samples.matrix.get());
  lose(samples, 3, 2);
  samples.missing->set(3, 2, false);
  samples.values.set(3, 2, without.samples.matrix->values.at(3, 2));
  const Usable with = usable(samples);
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b < 5; ++b) {
      EXPECT_DOUBLE_EQ(with.samples.moments->pair(a, b), without.samples.moments->pair(a, b));
    }
  }
  EXPECT_DOUBLE_EQ(with.samples.moments->quartet(0, 2, 3, 4),
                   without.samples.moments->quartet(0, 2, 3, 4));
}

TEST_F(Inputs, columns_that_are_hardly_observed_are_refused_by_name) {
  data::SampleMatrix samples = random_samples(4, 60);
  for (std::size_t row = 0; row < 10; ++row) lose(samples, row, 2);
  EXPECT_EQ(refusal(samples), "");
  lose(samples, 59, 2);
  const std::string message = refusal(samples);
  EXPECT_TRUE(contains(message, "patients") && contains(message, "column 'v2'") &&
              contains(message, "49 of 60 rows") && contains(message, "at least 50") &&
              contains(message, "--drop"))
      << message;
}

TEST_F(Inputs, pairs_never_observed_together_are_said) {
  data::SampleMatrix samples = random_samples(4, 200);
  for (std::size_t row = 0; row < 200; ++row) lose(samples, row, row % 2);
  EXPECT_TRUE(
      contains(usable(samples).warnings, "1 pair(s) of columns are never observed together"));
}

TEST_F(Inputs, constant_and_duplicate_columns_are_named) {
  data::SampleMatrix samples = random_samples(12, 80);
  for (std::size_t row = 0; row < 80; ++row) {
    samples.values.set(row, 2, true);
    samples.values.set(row, 7, false);
    samples.values.set(row, 9, samples.values.at(row, 4));
  }
  const std::string warnings = usable(samples).warnings;
  EXPECT_TRUE(contains(warnings, "2 constant column(s) (v2, v7)")) << warnings;
  EXPECT_TRUE(contains(warnings, "1 column(s) repeat an earlier one (v9)")) << warnings;
}

TEST_F(Inputs, long_lists_of_odd_columns_are_cut) {
  data::SampleMatrix samples = random_samples(20, 80);
  for (std::size_t row = 0; row < 80; ++row) {
    for (std::size_t x = 8; x < 20; ++x) samples.values.set(row, x, false);
  }
  const std::string warnings = usable(samples).warnings;
  EXPECT_TRUE(contains(warnings, "12 constant column(s) (v8, v9, v10, v11, v12 and 7 more)"))
      << warnings;
}

TEST_F(Inputs, constant_where_it_is_observed_counts_as_constant) {
  data::SampleMatrix samples = random_samples(6, 200);
  for (std::size_t row = 0; row < 200; ++row) {
    samples.values.set(row, 1, true);
    samples.values.set(row, 2, false);
    samples.values.set(row, 5, samples.values.at(row, 4));
    if (row >= 20) continue;
    lose(samples, row, 1);
    lose(samples, row + 30, 2);
    lose(samples, row + 60, 4);
    lose(samples, row + 60, 5);
  }
  const std::string warnings = usable(samples).warnings;
  EXPECT_TRUE(contains(warnings, "2 constant column(s) (v1, v2)")) << warnings;
  EXPECT_TRUE(contains(warnings, "1 column(s) repeat an earlier one (v5)")) << warnings;
}

// Missing in other rows: no copy.
TEST_F(Inputs, columns_that_agree_but_are_missing_elsewhere_are_no_duplicates) {
  data::SampleMatrix samples = random_samples(5, 200);
  for (std::size_t row = 0; row < 200; ++row) {
    samples.values.set(row, 3, row % 4 == 0);
    samples.values.set(row, 4, row % 4 == 0);
  }
  lose(samples, 0, 3);
  lose(samples, 4, 4);
  EXPECT_FALSE(contains(usable(samples).warnings, "repeat"));
}

TEST(CountPairs, of_a_lone_rank_are_those_of_all_rows) {
  const data::SampleMatrix samples = random_samples(19, 777);
  Checkpoints none;
  std::vector<Stage> stages;
  const moments::PairCounts counts = count_pairs(lone_team(), 2, samples.values, none, stages);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].name, "pairs");
  EXPECT_EQ(stages[0].units, 1U);
  EXPECT_EQ(counts.n_samples, 777U);
  EXPECT_EQ(counts.n_observed, 19U);
  for (std::size_t a = 0; a < 19; ++a) {
    for (std::size_t b = 0; b < 19; ++b) {
      std::uint64_t expected = 0;
      for (std::size_t row = 0; row < 777; ++row) {
        expected += !samples.values.at(row, a) && !samples.values.at(row, b) ? 1 : 0;
      }
      EXPECT_EQ(counts.at(a, b), expected);
    }
  }
}

}  // namespace
}  // namespace orrery::learning
