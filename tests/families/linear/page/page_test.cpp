// The page of a linear network: loadings beside the true ones, causes in their order, and nothing
// that is no number.
#include "families/linear/page/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/parts.hpp"
#include "report/read_drawing.hpp"
#include "report/read_page.hpp"

namespace orrery::linear {
using report::cell_place;
using report::column_place;
using report::contains;
using report::lines_between;
using report::path_at;
using report::place_of;
using report::Point;
using report::ReadPage;
using report::Row;
using report::row_place;
using report::shade_at;

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
  const ReadPage page(page_of(example()));
  EXPECT_TRUE(page.says({"T & U"}));
  EXPECT_TRUE(page.says({"2 causes", "4 variables"}));
  EXPECT_TRUE(page.says({"5 edges", "1,000 samples"}));
  EXPECT_TRUE(page.says({"a remark & more"}));
  // .8 of a variable of variance .64 + .36.
  EXPECT_TRUE(page.titled("a<b ← h1").says({"0.800 ± 0.010", ".80 standard deviations"}));
  EXPECT_TRUE(page.titled("x1 ← h0").says({"0.600 ± 0.010", ".71 standard deviations"}));
  EXPECT_TRUE(page.titled("h1 and h0").says({"0.250 ± 0.020"}));
  const std::vector<Row> variables = page.section("Variables").rows();
  ASSERT_EQ(variables.size(), 1U + 4);
  EXPECT_EQ(variables[1].front(), "a<b");
  EXPECT_EQ(variables[1].back(), "0.640");
  page.expect_bars_in_proportion();
  EXPECT_TRUE(page.has_row({"0.360 ± 0.030", "0.640"}));
  EXPECT_TRUE(page.has_row({"2 (chosen)"}));
  EXPECT_TRUE(page.has_row({"38.0"}));  // (40 - 2) / 1
  EXPECT_FALSE(page.says({"true"}));
}

TEST(LinearPage, titles_causes_and_judges) {
  const LearnedLinear learned = example();
  const ReadPage page(page_of(learned));
  // In their own standard deviations: x3 moves most with h1, then a<b.
  EXPECT_TRUE(page.section("Causes").has_row({"h0: x2, x1"}));
  EXPECT_TRUE(page.section("Causes").has_row({"h1: x3, a<b, x2"}));
  // (1.5 - 1) / .5; the remark of the learner.
  EXPECT_TRUE(
      page.says({"What 2 causes leave of the covariance is 1.0 standard errors from noise"}));
  EXPECT_TRUE(page.says({"The learner has 1 remark on this table: see below."}));
  EXPECT_EQ(page.count("div", "amber"), 1U);
  LearnedLinear sure = learned;
  sure.remarks.clear();
  EXPECT_EQ(ReadPage(page_of(sure)).count("div", "good"), 1U);
  sure.rank_test[1].statistic = 5;
  EXPECT_EQ(ReadPage(page_of(sure)).count("div", "amber"), 1U);
}

/// The titles of the example's causes.
constexpr const char* h0 = "h0: x2, x1";
constexpr const char* h1 = "h1: x3, a<b, x2";

TEST(LinearPage, groups_variables_by_their_strongest_cause) {
  const ReadPage map = ReadPage(page_of(example())).titled("Loadings");
  const std::vector<std::string> rows{"x2", "x1", "x3", "a<b"};
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const Point above = row_place(map, rows[r - 1]);
    const Point below = row_place(map, rows[r]);
    EXPECT_LT(above.y, below.y);
    EXPECT_EQ(lines_between(map, above, below), r == 2 ? 1U : 0U);  // x3 begins a group
  }
  // The deeper, the further the cause moves the variable: .80, .71 and 0 standard deviations.
  const double strong = shade_at(map, cell_place(map, "a<b", h1));
  const double weaker = shade_at(map, cell_place(map, "x1", h0));
  EXPECT_GT(strong, weaker);
  EXPECT_GT(weaker, shade_at(map, cell_place(map, "x1", h1)));
  EXPECT_EQ(shade_at(map, cell_place(map, "a<b", h0)), 0);
}

TEST(LinearPage, marks_what_is_wrong_and_what_is_missed) {
  // The truth: causes the other way round and one negated, no (2, h1), a (1, h1), a third cause.
  const MatrixXd loadings{{-.8, 0, 0}, {-.5, .6, 0}, {0, -.8, .5}, {1.2, 0, .4}};
  const ReadPage page(page_of(example(), LinearNetwork(parts_of(loadings))));
  EXPECT_TRUE(page.says({"4 of 7", "right"}));
  EXPECT_TRUE(page.says({"1 wrong", "3 missed"}));
  const ReadPage map = page.titled("Loadings");
  EXPECT_EQ(page.count("path", "wrong"), 1U);
  EXPECT_TRUE(path_at(map, cell_place(map, "x2", h1), "wrong"));
  EXPECT_EQ(page.count("path", "missed"), 3U);
  EXPECT_TRUE(path_at(map, cell_place(map, "x1", h1), "missed"));
  EXPECT_TRUE(path_at(map, cell_place(map, "x2", "(missed)"), "missed"));
  EXPECT_TRUE(path_at(map, cell_place(map, "x3", "(missed)"), "missed"));
  EXPECT_TRUE(page.titled("x2 ← h1").says({"0.100 ± 0.010", ".10 standard", "not true"}));
  EXPECT_TRUE(page.titled("x1 ← h1").says({"missed, true 0.500"}));
  EXPECT_TRUE(page.titled("a<b ← h1").says({"0.800 ± 0.010", "true 0.800"}));
  const ReadPage truth = page.titled("True loadings");
  for (const auto& [learned, real] : {std::pair{h1, "−h0"}, {"(missed)", "h2"}}) {
    EXPECT_EQ(column_place(map, learned).x, column_place(truth, real).x);
  }
  EXPECT_TRUE(page.says({"precision 0.800", "recall 0.571"}));
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
  const ReadPage page(page_of(learned, LinearNetwork(parts)));
  const ReadPage graph = page.titled("Couplings of causes");
  const auto x_of = [&](const char* cause) { return place_of(graph.titled(cause).top()).x; };
  EXPECT_LT(x_of("h2: "), x_of("h0: "));
  EXPECT_LT(x_of("h0: "), x_of("h1: "));
  const auto expect_arrow = [&](const char* arrow, const std::string& kind,
                                std::initializer_list<std::string> parts_of_tooltip) {
    EXPECT_EQ(graph.titled(arrow).top().attribute("class"), kind);
    EXPECT_TRUE(graph.titled(arrow).says(parts_of_tooltip)) << arrow;
  };
  expect_arrow("h2 → h0", "positive", {"0.500 ± 0.010", "true 0.500"});
  expect_arrow("h0 → h1", "negative wrong", {"-0.600 ± 0.010", "not true"});
  expect_arrow("h2 → h1", "positive lacking", {"not learned", "true 0.250"});
  EXPECT_EQ(graph.count("g"), 3U);
  EXPECT_TRUE(page.has_row({"none"}));
  EXPECT_FALSE(page.says({"Covariances of causes"}));
}

TEST(LinearPage, draws_levels_from_the_top) {
  LinearParts parts = parts_of(MatrixXd::Identity(4, 4));
  // The second of the upper level has the first two causes: they change sides on paper.
  parts.upper.push_back({MatrixXd{{0, .6}, {0, .8}, {-.6, 0}, {.6, 0}},
                         VectorXd{{.64, .36, .64, .64}},
                         {"g0", "g1"}});
  parts.covariance = MatrixXd{{1, .5}, {.5, 1}};
  const ReadPage page(page_of(learned_of(parts)));
  const ReadPage graph = page.titled("Levels above the causes");
  EXPECT_TRUE(graph.titled("g1 → h1").says({"0.800"}));
  EXPECT_EQ(graph.count("circle"), 6U);
  const ReadPage covariances = page.section("Covariances of the highest level");
  EXPECT_TRUE(covariances.titled("g1 and g0").says({"0.500"}));
  const auto at = [&](const char* node) { return place_of(graph.titled(node).top()); };
  EXPECT_LT(at("h2: noise").x, at("h0: noise").x);
  EXPECT_LT(at("h3: noise").x, at("h1: noise").x);
  EXPECT_LT(at("g0").y, at("h0: noise").y);
}

TEST(LinearPage, does_not_draw_what_nobody_could_read) {
  MatrixXd loadings = MatrixXd::Zero(501, 2);
  loadings.col(0).setConstant(.8);
  loadings(500, 1) = 3;
  const std::string page = page_of(learned_of(parts_of(loadings)));
  EXPECT_FALSE(contains(page, "Loadings: variables by causes"));
  const ReadPage loadings_read = ReadPage(page).section("Loadings");
  EXPECT_TRUE(loadings_read.says({"501 variables by 2 causes", "502 of 502"}));
  const std::vector<Row> strongest = loadings_read.rows();
  EXPECT_EQ(Row(strongest.at(1).begin(), strongest.at(1).begin() + 3),
            (Row{"x500", "h1: x500", "3.000"}));
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
