// What every learner does with a data set first.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "learners/run_learner.hpp"
#include "orrery/base/error.hpp"
#include "orrery/learners/load.hpp"
#include "orrery/moments/pair_counts.hpp"
#include "orrery/store/store.hpp"

namespace orrery::learners {
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

TEST_F(Inputs, rows_with_missing_values_are_left_out_in_order_with_a_warning) {
  data::SampleMatrix samples = random_samples(6, 130);
  samples.missing = data::BitPanels(6, 130);
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < 130; ++row) {
    const bool missing = row % 13 == 5;
    if (!missing) kept.push_back(row);
    if (!missing) continue;
    samples.missing->set(row, row % 6, true);
    samples.values.set(row, row % 6, false);
  }
  const Usable result = usable(samples);
  EXPECT_TRUE(contains(result.warnings, ": 10 of 130 rows")) << result.warnings;
  ASSERT_EQ(result.samples.matrix->n_samples(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t x = 0; x < 6; ++x) {
      EXPECT_EQ(result.samples.matrix->values.at(i, x), samples.values.at(kept[i], x));
    }
  }
}

TEST_F(Inputs, too_few_complete_rows_are_refused_with_the_reason) {
  data::SampleMatrix samples = random_samples(4, 60);
  samples.missing = data::BitPanels(4, 60);
  for (std::size_t row = 0; row < 11; ++row) {
    samples.missing->set(row, 2, true);
    samples.values.set(row, 2, false);
  }
  const std::string message = refusal(samples);
  EXPECT_TRUE(contains(message, "49 usable") && contains(message, "11 of 60") &&
              contains(message, "drop the columns"))
      << message;
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

TEST_F(Inputs, constant_among_the_complete_rows_counts_as_constant) {
  data::SampleMatrix samples = random_samples(5, 200);
  samples.missing = data::BitPanels(5, 200);
  for (std::size_t row = 0; row < 200; ++row) {
    // v1 is on only where v3 is missing.
    samples.values.set(row, 1, row < 20);
    if (row >= 20) continue;
    samples.missing->set(row, 3, true);
    samples.values.set(row, 3, false);
  }
  EXPECT_TRUE(contains(usable(samples).warnings, "1 constant column(s) (v1)"));
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
}  // namespace orrery::learners
