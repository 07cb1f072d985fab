// The page of a linear network: loadings beside the true ones, causes in their order, and nothing
// that is no number.
#include "families/linear/page/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "report/parts.hpp"

namespace orrery::linear {
using report::contains;
using report::count;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::LearnedLinear;
using model::LinearNetwork;
using model::LinearParts;

std::vector<std::string> named(const char* stem, std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

LinearParts parts_of(const MatrixXd& loadings) {
  LinearParts parts;
  parts.names = named("x", static_cast<std::size_t>(loadings.rows()));
  parts.cause_names = named("h", static_cast<std::size_t>(loadings.cols()));
  parts.loadings = loadings;
  parts.noise = VectorXd::Constant(loadings.rows(), .36);
  return parts;
}

LearnedLinear learned_of(LinearParts parts) {
  LearnedLinear learned;
  learned.network = LinearNetwork(std::move(parts));
  return learned;
}

std::string page_of(const LearnedLinear& learned) {
  LinearReportInput input;
  input.model = &learned;
  input.title = "T & U";
  return linear_html_report(input);
}

std::string page_of(const LearnedLinear& learned, const LinearNetwork& truth) {
  const linear::LinearScores scores = linear::score_linear(learned, truth);
  LinearReportInput input;
  input.model = &learned;
  input.truth = &truth;
  input.scores = &scores;
  return linear_html_report(input);
}

/// Variables 0 and 3 hang from the second cause most, 1 and 2 from the first.
LearnedLinear example() {
  LinearParts parts = parts_of(MatrixXd{{0, .8}, {.6, 0}, {-.8, .1}, {0, -1.2}});
  parts.names[0] = "a<b";
  parts.covariance = MatrixXd{{1, .25}, {.25, 1}};
  LearnedLinear learned = learned_of(parts);
  learned.loading_errors = MatrixXd::Constant(4, 2, .01);
  learned.covariance_errors = MatrixXd{{0, .02}, {.02, 0}};
  learned.noise_errors = VectorXd::Constant(4, .03);
  learned.rank_test = {{1, 40, 2, 1}, {2, 1.5, 1, .5}};
  learned.remarks = {"a remark & more"};
  learned.n_samples = 1000;
  return learned;
}

TEST(LinearPage, tells_loadings_covariances_noise_and_how_many_causes) {
  const std::string page = page_of(example());
  EXPECT_TRUE(contains(page, "<h1>T &amp; U</h1>"));
  EXPECT_TRUE(contains(page, "2 causes of 4 variables"));
  EXPECT_TRUE(contains(page, "5 edges, 1,000 samples"));
  EXPECT_TRUE(contains(page, "<li>a remark &amp; more</li>"));
  // .8 of a variable of variance .64 + .36.
  EXPECT_TRUE(contains(page, "a&lt;b ← h1: 0.800 ± 0.010 (.80 standard deviations)"));
  EXPECT_TRUE(contains(page, "x1 ← h0: 0.600 ± 0.010 (.71 standard deviations)"));
  EXPECT_TRUE(contains(page, "h1 and h0: 0.250 ± 0.020"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">0.360 ± 0.030</td>"));
  EXPECT_TRUE(contains(page, "--v:64.0%"));  // of a<b
  EXPECT_TRUE(contains(page, ">2 (chosen)</td>"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">38.0</td>"));  // (40 - 2) / 1
  EXPECT_FALSE(contains(page, "true"));
}

TEST(LinearPage, groups_variables_by_their_strongest_cause) {
  const std::string page = page_of(example());
  std::size_t at = page.find("<h2>Loadings");
  for (const char* label : {">x2</text>", ">x1</text>", ">x3</text>", ">a&lt;b</text>"}) {
    const std::size_t next = page.find(label, at);
    ASSERT_NE(next, std::string::npos) << label;
    at = next;
  }
  // The third row begins the second group.
  EXPECT_EQ(count(page, "<path class=\"group\" d=\"M32 59.0h68\"/>"), 1U);
}

TEST(LinearPage, marks_what_is_wrong_and_what_is_missed) {
  // The truth: causes the other way round and one negated, no (2, h1), a (1, h1), a third cause.
  const MatrixXd loadings{{-.8, 0, 0}, {-.5, .6, 0}, {0, -.8, .5}, {1.2, 0, .4}};
  const std::string page = page_of(example(), LinearNetwork(parts_of(loadings)));
  EXPECT_TRUE(contains(page, "4 of 7 edges right"));
  EXPECT_TRUE(contains(page, "<span class=\"extra\">1 wrong</span>"));
  EXPECT_TRUE(contains(page, "<span class=\"missed\">3 missed</span>"));
  EXPECT_EQ(count(page, "<path class=\"wrong\""), 1U);
  EXPECT_EQ(count(page, "<path class=\"missed\""), 3U);
  EXPECT_TRUE(contains(page, "x2 ← h1: 0.100 ± 0.010 (.10 standard deviations), not true"));
  EXPECT_TRUE(contains(page, "x1 ← h1: missed, true 0.500"));
  EXPECT_TRUE(contains(page, "a&lt;b ← h1: 0.800 ± 0.010 (.80 standard deviations), true 0.800"));
  EXPECT_TRUE(contains(page, ">−h0</text>"));
  EXPECT_TRUE(contains(page, ">(missed)</text>"));
  EXPECT_TRUE(contains(page, ">h2</text>"));
  EXPECT_TRUE(contains(page, "precision 0.800, recall 0.571"));
}

TEST(LinearPage, draws_couplings_in_causal_order) {
  LinearParts parts = parts_of(MatrixXd::Identity(3, 3));
  parts.coupling = MatrixXd::Zero(3, 3);
  parts.coupling(0, 2) = .5;   // h2 -> h0
  parts.coupling(1, 0) = -.6;  // h0 -> h1
  LearnedLinear learned = learned_of(parts);
  learned.coupling_errors = MatrixXd::Constant(3, 3, .01);
  parts.loadings(0, 0) = -1;  // the true cause is the negative of the learned one
  parts.coupling(0, 2) = -.5;
  parts.coupling(1, 0) = 0;
  parts.coupling(1, 2) = .25;
  const std::string page = page_of(learned, LinearNetwork(parts));
  const std::size_t graph = page.find("class=\"graph\"");
  ASSERT_NE(graph, std::string::npos);
  EXPECT_LT(page.find(">h2</text>", graph), page.find(">h0</text>", graph));
  EXPECT_LT(page.find(">h0</text>", graph), page.find(">h1</text>", graph));
  EXPECT_EQ(count(page, "<g class=\"positive\"><title>h2 → h0: 0.500 ± 0.010, true 0.500"), 1U);
  EXPECT_EQ(count(page, "<g class=\"negative wrong\"><title>h0 → h1: -0.600 ± 0.010, not true"),
            1U);
  EXPECT_EQ(count(page, "<g class=\"positive lacking\"><title>h2 → h1: not learned, true 0.250"),
            1U);
  EXPECT_TRUE(contains(page, "<td class=\"n\">none</td>"));
  EXPECT_FALSE(contains(page, "Covariances of causes"));
}

TEST(LinearPage, draws_levels_from_the_top) {
  LinearParts parts = parts_of(MatrixXd::Identity(4, 4));
  // The second of the upper level has the first two causes: they change sides on paper.
  parts.upper.push_back({MatrixXd{{0, .6}, {0, .8}, {-.6, 0}, {.6, 0}},
                         VectorXd{{.64, .36, .64, .64}},
                         {"g0", "g1"}});
  parts.covariance = MatrixXd{{1, .5}, {.5, 1}};
  const std::string page = page_of(learned_of(parts));
  const std::size_t graph = page.find("class=\"graph\"");
  ASSERT_NE(graph, std::string::npos);
  EXPECT_EQ(count(page, "<title>g1 → h1: 0.800</title>"), 1U);
  EXPECT_EQ(count(page, "<circle"), 6U);
  EXPECT_TRUE(contains(page, "Covariances of the highest level"));
  EXPECT_TRUE(contains(page, "g1 and g0: 0.500"));
  const auto x_of = [&](const char* tooltip) {
    const std::size_t title = page.find(tooltip, graph);
    return std::stod(page.substr(page.rfind("cx=\"", title) + 4));
  };
  EXPECT_LT(x_of("<title>h2: noise"), x_of("<title>h0: noise"));
  EXPECT_LT(x_of("<title>h3: noise"), x_of("<title>h1: noise"));
}

TEST(LinearPage, does_not_draw_what_nobody_could_read) {
  MatrixXd loadings = MatrixXd::Zero(501, 2);
  loadings.col(0).setConstant(.8);
  loadings(500, 1) = 3;
  const std::string page = page_of(learned_of(parts_of(loadings)));
  EXPECT_FALSE(contains(page, "Loadings: variables by causes"));
  EXPECT_TRUE(contains(page, "501 variables by 2 causes are too many to draw"));
  EXPECT_TRUE(contains(page, "502 of 502"));
  EXPECT_LT(page.find("<td>x500</td><td>h1</td><td class=\"n\">3.000</td>"),
            page.find("<td>x0</td><td>h0</td>"));
  const std::string fine = page_of(learned_of(parts_of(loadings.topRows(500))));
  EXPECT_TRUE(contains(fine, "Loadings: variables by causes"));
  EXPECT_TRUE(contains(fine, ">x3</text>"));  // of four pixels a row every third is named
  EXPECT_FALSE(contains(fine, ">x4</text>"));
}

TEST(LinearPage, has_no_values_that_are_none) {
  std::vector<LearnedLinear> odd;
  odd.push_back(learned_of(parts_of(MatrixXd(0, 0))));
  odd.push_back(learned_of(parts_of(MatrixXd(3, 0))));
  odd.push_back(learned_of(parts_of(MatrixXd::Zero(3, 2))));
  LinearParts silent = parts_of(MatrixXd{{0, 0}, {1, 0}});
  silent.noise.setZero();
  odd.push_back(learned_of(silent));
  const LinearNetwork loud(parts_of(MatrixXd{{1, 0}, {1, .5}}));  // where the other one is silent
  EXPECT_FALSE(contains(page_of(odd.back(), loud), "inf"));
  LearnedLinear unknown = example();
  unknown.loading_errors.setConstant(std::numeric_limits<double>::quiet_NaN());
  unknown.covariance_errors = unknown.loading_errors.topRows(2);
  unknown.noise_errors.setConstant(std::numeric_limits<double>::quiet_NaN());
  unknown.rank_test = {{1, 0, 0, 0}};
  odd.push_back(unknown);
  for (const LearnedLinear& learned : odd) {
    for (const std::string& page : {page_of(learned), page_of(learned, learned.network)}) {
      EXPECT_FALSE(contains(page, "nan"));
      EXPECT_FALSE(contains(page, ">inf"));
      EXPECT_TRUE(contains(page, "</html>"));
    }
  }
}

}  // namespace
}  // namespace orrery::linear
