#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "learning/baselines.hpp"
#include "learning/sampled.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/import.hpp"

namespace orrery::learning {
namespace {

/// P(row) by the chain of conditional probabilities, summed over all values of what is missing.
double probability(const model::TreeTables& tree, std::string row) {
  const std::size_t hole = row.find('?');
  if (hole != std::string::npos) {
    double sum = 0;
    for (const char value : {'0', '1'}) {
      row[hole] = value;
      sum += probability(tree, row);
    }
    return sum;
  }
  double product = 1;
  for (std::size_t a = 0; a < row.size(); ++a) {
    const auto parent = tree.parents[a];
    const bool parent_on = parent != model::SignTree::none && row[parent] == '1';
    product *= tree.given[a][parent_on ? 1 : 0][row[a] == '1' ? 1 : 0];
  }
  return product;
}

/// a, b, c, d: b agrees with a in 7 of 8 rows, c with a in 6 and with b in 5.
const std::vector<std::string> chain{"0000", "1110", "0001", "1111",
                                     "0010", "1100", "1011", "0000"};

TEST(chow_liu, joins_what_depends_most) {
  const model::TreeTables tree = fit_chow_liu(samples_of(chain));
  EXPECT_EQ(tree.parents[0], model::SignTree::none);
  EXPECT_EQ(tree.parents[1], 0U);
  EXPECT_EQ(tree.parents[2], 0U);
}

TEST(chow_liu, tables_are_smoothed_by_one_row_in_all) {
  const model::TreeTables tree = fit_chow_liu(samples_of(chain));
  EXPECT_DOUBLE_EQ(tree.given[0][0][1], (4 + .5) / (8 + 1));
  EXPECT_DOUBLE_EQ(tree.given[1][1][1], (3 + .25) / (4 + .5));  // a on: b on in 3 of 4
  EXPECT_DOUBLE_EQ(tree.given[1][0][1], .25 / (4 + .5));        // a off: b never on
}

TEST(chow_liu, has_the_greatest_training_likelihood_of_all_trees) {
  // All 16 rooted trees of four variables (parents that lead to variable 0), with the fitted
  // tables.
  const data::SampleMatrix samples = samples_of(chain);
  const model::TreeTables best = fit_chow_liu(samples);
  const double likelihood = mean_log_likelihood(best, samples);
  int n_trees = 0;
  for (int code = 0; code < 64; ++code) {
    model::TreeTables other = best;
    for (std::size_t a = 1; a < 4; ++a)
      other.parents[a] = (static_cast<std::uint32_t>(code) >> (2 * (a - 1))) & 3U;
    const std::function<int(std::size_t, int)> steps_to_root = [&](std::size_t a, int steps) {
      return a == 0 || steps > 4 ? steps : steps_to_root(other.parents[a], steps + 1);
    };
    bool is_tree = true;
    for (std::size_t a = 1; a < 4; ++a) is_tree = is_tree && steps_to_root(a, 0) <= 3;
    if (!is_tree) continue;
    ++n_trees;
    double sum = 0;
    for (std::size_t a = 1; a < 4; ++a) {
      double count[2][2] = {{.25, .25}, {.25, .25}};
      for (const std::string& row : chain) {
        ++count[row[other.parents[a]] - '0'][row[a] - '0'];
      }
      for (std::size_t x = 0; x < 2; ++x)
        for (std::size_t y = 0; y < 2; ++y) {
          other.given[a][x][y] = count[x][y] / (count[x][0] + count[x][1]);
        }
    }
    for (const std::string& row : chain) sum += std::log(probability(other, row));
    EXPECT_LE(sum / 8, likelihood + 1e-12);
  }
  EXPECT_EQ(n_trees, 16);
}

TEST(chow_liu, likelihood_is_the_product_of_the_tables) {
  const model::TreeTables tree = fit_chow_liu(samples_of(chain));
  const std::vector<std::string> rows{"0110", "1001", "1111"};
  double sum = 0;
  for (const std::string& row : rows) sum += std::log(probability(tree, row));
  EXPECT_NEAR(mean_log_likelihood(tree, samples_of(rows)), sum / 3, 1e-14);
}

TEST(chow_liu, missing_values_are_summed_out) {
  const model::TreeTables tree = fit_chow_liu(samples_of(chain));
  const std::vector<std::string> rows{"?110", "1??1", "????", "0?0?"};
  double sum = 0;
  for (const std::string& row : rows) sum += std::log(probability(tree, row));
  EXPECT_NEAR(mean_log_likelihood(tree, samples_of(rows)), sum / 4, 1e-14);
}

TEST(chow_liu, missing_values_are_left_out_pair_by_pair) {
  // a and b are seen together in four rows, where they agree; the others tell of a or b alone.
  const model::TreeTables tree =
      fit_chow_liu(samples_of({"00", "11", "00", "11", "1?", "1?", "?0", "??"}));
  EXPECT_DOUBLE_EQ(tree.given[0][0][1], (4 + .5) / (6 + 1));
  ASSERT_EQ(tree.parents[1], 0U);
  EXPECT_DOUBLE_EQ(tree.given[1][1][1], 2.25 / 2.5);
  EXPECT_DOUBLE_EQ(tree.given[1][0][1], .25 / 2.5);
}

TEST(chow_liu, a_complete_mask_changes_nothing) {
  data::SampleMatrix masked = samples_of(chain);
  masked.missing.emplace(4, chain.size());
  const model::TreeTables plain = fit_chow_liu(samples_of(chain));
  EXPECT_EQ(fit_chow_liu(masked).parents, plain.parents);
  EXPECT_EQ(fit_chow_liu(masked).given, plain.given);
}

TEST(independent, knows_the_marginals_alone) {
  const model::TreeTables tree = fit_independent(samples_of({"01", "11", "1?"}));
  EXPECT_DOUBLE_EQ(tree.given[0][0][1], 2.5 / 4);
  EXPECT_DOUBLE_EQ(tree.given[1][0][1], 2.5 / 3);
  EXPECT_NEAR(mean_log_likelihood(tree, samples_of({"10"})), std::log(2.5 / 4 * .5 / 3), 1e-14);
}

TEST(chow_liu, refuses_data_that_do_not_fit) {
  const model::TreeTables tree = fit_chow_liu(samples_of(chain));
  EXPECT_THROW((void)mean_log_likelihood(tree, samples_of({"01"})), InputError);
  data::SampleMatrix empty;
  empty.values = data::BitPanels(4, 0);
  EXPECT_THROW((void)mean_log_likelihood(tree, empty), InputError);
  EXPECT_THROW((void)fit_chow_liu(empty), InputError);
  EXPECT_THROW((void)fit_independent(empty), InputError);
}

data::SampleMatrix shared_samples(const std::string& name) {
  data::MemorySink sink;
  data::import_samples(std::filesystem::path(ORRERY_SHARED_DATA) / "real" / name, {}, sink);
  return sink.take();
}

/// The rows for which `keep` holds.
data::SampleMatrix rows_where(const data::SampleMatrix& samples,
                              const std::function<bool(std::size_t)>& keep) {
  std::vector<std::string> rows;
  for (std::size_t r = 0; r < samples.n_samples(); ++r) {
    if (!keep(r)) continue;
    std::string& row = rows.emplace_back();
    for (std::size_t a = 0; a < samples.n_observed(); ++a)
      row += samples.values.at(r, a) ? '1' : '0';
  }
  return samples_of(rows);
}

class PublishedFigures : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(std::filesystem::path(ORRERY_SHARED_DATA) / "real")) {
      GTEST_SKIP() << "absent: " << ORRERY_SHARED_DATA << "/real";
    }
  }
  static void expect(const data::SampleMatrix& train, const data::SampleMatrix& test, double tree,
                     double independent) {
    EXPECT_NEAR(mean_log_likelihood(fit_chow_liu(train), test), tree, .0005);
    EXPECT_NEAR(mean_log_likelihood(fit_independent(train), test), independent, .0005);
  }
};

TEST_F(PublishedFigures, nltcs) {
  expect(shared_samples("nltcs.train.txt.gz"), shared_samples("nltcs.test.txt.gz"), -6.759, -9.234);
}
TEST_F(PublishedFigures, plants) {
  expect(shared_samples("plants.train.txt.gz"), shared_samples("plants.test.txt.gz"), -16.524,
         -31.266);
}
TEST_F(PublishedFigures, newsgroups) {
  const data::SampleMatrix all = shared_samples("20news_w100.txt.gz");
  expect(rows_where(all, [](std::size_t r) { return r % 10 < 7; }),
         rows_where(all, [](std::size_t r) { return r % 10 >= 7; }), -14.845, -15.844);
}

}  // namespace
}  // namespace orrery::learning
