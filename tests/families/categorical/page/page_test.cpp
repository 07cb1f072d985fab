// The page of a categorical network: the posterior beside the truth, the data in the order of what
// was learned, and nothing that is no number.
#include "families/categorical/page/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/parts.hpp"
#include "report/read_drawing.hpp"
#include "report/read_page.hpp"

namespace orrery::categorical {
using report::boxes_of;
using report::cell_place;
using report::column_place;
using report::contains;
using report::count;
using report::filled;
using report::lines_between;
using report::path_at;
using report::Pixel;
using report::place_of;
using report::Point;
using report::ReadPage;
using report::Row;
using report::row_place;
using report::shade_at;
using report::shades;

namespace {

using model::CategoricalNetwork;
using model::CategoricalVariable;
using model::LearnedCategorical;

const std::vector<std::string> grades{"no", "a<b", "much"};

/// Tables of one parent: (1/2, 1/4, 1/4) in state 0, (1/4, 1/4, 1/2) in state 1; and so on.
CategoricalVariable variable(const std::string& name, std::vector<std::uint32_t> parents) {
  CategoricalVariable out{name, grades, std::move(parents), {}, {}};
  const std::size_t n_rows = std::size_t{1} << out.parents.size();
  for (std::size_t j = 0; j < n_rows; ++j) {
    const bool odd = j % 2 == 1;
    for (const double value : {odd ? .25 : .5, .25, odd ? .5 : .25}) out.table.push_back(value);
  }
  return out;
}

CategoricalNetwork network_of(const std::vector<std::vector<std::uint32_t>>& parents,
                              std::size_t n_causes = 2) {
  std::vector<model::CategoricalCause> causes;
  for (std::size_t k = 0; k < n_causes; ++k) causes.push_back({fmt::format("u{}", k), {.75, .25}});
  std::vector<CategoricalVariable> variables;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    variables.push_back(variable(fmt::format("x{}", i), parents[i]));
  }
  return {causes, variables};
}

/// x0 has u1; x1 u0, less certainly; x2 both; x3 none; x4 u0, certainly.
LearnedCategorical example() {
  LearnedCategorical learned;
  learned.network = network_of({{1}, {0}, {0, 1}, {}, {0}});
  learned.parent_sets = {{}, {0}, {1}, {0, 1}};
  learned.structure.resize(5, 4);
  learned.structure << 0, 0, 1, 0,  //
      0, .625, .25, .125,           //
      0, 0, .25, .75,               //
      1, 0, 0, 0,                   //
      0, 1, 0, 0;
  learned.learner = "sep";
  learned.n_samples = 6;
  learned.log_evidence = -12.5;
  learned.evidence_kind = "expectation propagation";
  learned.remarks = {"one & two"};
  return learned;
}

CategoricalReportInput input_of(const LearnedCategorical& learned) {
  CategoricalReportInput input;
  input.model = &learned;
  input.title = "T & U";
  return input;
}

std::string page_of(const LearnedCategorical& learned) {
  return categorical_html_report(input_of(learned));
}

data::CategoricalTable table_of(std::size_t n_rows, std::vector<std::uint8_t> codes) {
  data::CategoricalTable table;
  table.names = {"x0", "x1", "x2", "x3", "x4"};
  table.categories.assign(5, grades);
  table.n_rows = n_rows;
  table.codes = std::move(codes);
  return table;
}

TEST(CategoricalPage, titles_causes_by_the_variables_that_say_most_of_them) {
  LearnedCategorical learned = example();
  // x1 says nothing of its cause: its rows are alike; x4 more than x2, which has another cause too.
  std::vector<model::CategoricalCause> causes = learned.network.causes();
  std::vector<CategoricalVariable> variables = learned.network.variables();
  causes[0].name = "cause 1";
  variables[1].table = {.5, .25, .25, .5, .25, .25};
  variables[4].table = {.9, .05, .05, .05, .05, .9};
  learned.network = {causes, variables};
  EXPECT_EQ(titles_of_causes(learned.network),
            (std::vector<std::string>{"cause 1: x4, x2, x1", "u1"}));
  const ReadPage page(page_of(learned));
  EXPECT_TRUE(page.section("Causes").has_row({"cause 1: x4, x2, x1", "3"}));
  EXPECT_TRUE(row_place(page.titled("Posterior"), "cause 1: x4, x2, x1").y > 0);
}

TEST(CategoricalPage, judges_by_how_sure_the_structure_is) {
  LearnedCategorical learned = example();
  learned.remarks.clear();
  learned.choices = {{0, -5, .5}, {2, -4, .5}};
  const ReadPage sure(page_of(learned));
  EXPECT_EQ(sure.count("div", "good"), 1U);
  learned.structure.row(1) << .25, .375, .25, .125;  // x1's parents: .375
  const ReadPage unsure(page_of(learned));
  EXPECT_TRUE(unsure.says({"The parents of 1 variable are less probable"}));
  EXPECT_EQ(unsure.count("div", "amber"), 1U);
}

TEST(CategoricalPage, is_good_only_where_causes_predict_held_out_rows_better_than_none) {
  LearnedCategorical learned = example();
  learned.remarks.clear();
  const ReadPage unknown(page_of(learned));
  EXPECT_EQ(unknown.count("div", "amber"), 1U);
  EXPECT_TRUE(unknown.says({"It is not known whether the network predicts rows"}));
  learned.choices = {{0, -5, .5}, {2, -4.25, .5}, {3, -9, .5}};
  const ReadPage better(page_of(learned));
  EXPECT_EQ(better.count("div", "good"), 1U);
  EXPECT_TRUE(
      better.says({"better than independent variables do, with -4.250 nats per row "
                   "instead of -5.000"}));
  learned.choices[1].held_out = -5;
  const ReadPage no_better(page_of(learned));
  EXPECT_EQ(no_better.count("div", "amber"), 1U);
  EXPECT_TRUE(no_better.says({"no better than independent variables do, with -5.000"}));
}

TEST(CategoricalPage, is_judged_by_rows_that_are_given_if_they_are_held_out) {
  LearnedCategorical learned = example();
  learned.remarks.clear();
  learned.choices = {{0, -5, .5}, {2, -4, .5}};
  const data::CategoricalTable table = table_of(1, {2, 0, 1, 0, 0});
  const CategoricalLikelihood model{-4.25, .5, 1, 0};
  const CategoricalLikelihood independent{-4, .5, 1, 0};
  CategoricalReportInput input = input_of(learned);
  input.data = &table;
  input.states = {0, 0};
  input.likelihood = &model;
  input.independent = &independent;
  const ReadPage page(categorical_html_report(input));
  EXPECT_TRUE(
      page.says({"no better than independent variables do, with -4.250 nats per row "
                 "instead of -4.000"}));
  EXPECT_EQ(page.count("div", "amber"), 1U);
  input.held_out = false;  // rows that were learned from say nothing
  EXPECT_EQ(ReadPage(categorical_html_report(input)).count("div", "good"), 1U);
}

TEST(CategoricalPage, sums_the_posterior_over_parent_sets) {
  const ReadPage page(page_of(example()));
  EXPECT_TRUE(page.says({"T & U"}));
  EXPECT_TRUE(page.says({"2 causes", "5 variables"}));
  EXPECT_TRUE(page.says({"5 edges", "6 samples", "sep"}));
  EXPECT_TRUE(page.says({"one & two"}));
  EXPECT_TRUE(page.says({"x1 ← u0", "0.750"}));  // .625 + .125
  EXPECT_TRUE(page.says({"x1 ← u1", "0.375"}));  // .25 + .125
  EXPECT_TRUE(page.says({"x2 ← u1", "1.000"}));
  EXPECT_FALSE(page.says({"x3 ←"}));
  EXPECT_FALSE(page.says({"x0 ← u0"}));
  EXPECT_TRUE(page.has_row({"-12.50", "expectation propagation"}));
  EXPECT_FALSE(page.says({"true"}));
  // u0: x1, x2, x4; expected .75 + .75 + 1.
  EXPECT_TRUE(page.has_row({"u0", "3", "2.5", "0.750 0.250"}));
  EXPECT_TRUE(page.says({"x1", "u1 0.250", "u0, u1 0.125"}));
  // The deeper, the more probable.
  const ReadPage map = page.titled("Posterior");
  const auto shade = [&](const char* cause, const char* variable) {
    return shade_at(map, cell_place(map, cause, variable));
  };
  EXPECT_GT(shade("u1", "x2"), shade("u0", "x1"));
  EXPECT_GT(shade("u0", "x1"), shade("u1", "x1"));
  EXPECT_GT(shade("u1", "x1"), shade("u0", "x0"));
}

TEST(CategoricalPage, puts_variables_of_the_same_parents_together_the_certain_ones_first) {
  const ReadPage page(page_of(example()));
  const std::vector<std::string> order{"x4", "x1", "x2", "x0", "x3"};
  const ReadPage map = page.titled("Posterior");
  for (std::size_t c = 1; c < order.size(); ++c) {
    const Point before = column_place(map, order[c - 1]);
    const Point after = column_place(map, order[c]);
    EXPECT_LT(before.x, after.x);
    EXPECT_EQ(lines_between(map, before, after), c == 1 ? 0U : 1U);  // x1 goes with x4
  }
  std::vector<std::string> listed;
  for (const Row& row : page.section("Variables").rows()) {
    if (row[0].starts_with("x")) listed.push_back(row[0]);
  }
  EXPECT_EQ(listed, order);
}

TEST(CategoricalPage, writes_conditional_tables_by_the_states_of_the_parents) {
  LearnedCategorical learned = example();
  CategoricalVariable last = variable("y", {0, 1});
  last.table = {.5, .25, .25, .25, .5, .25, .125, .125, .75, 0, 1, 0};
  last.counts = std::vector<double>(12, 2.5);
  std::vector<CategoricalVariable> variables = learned.network.variables();
  variables[2] = last;
  learned.network = {learned.network.causes(), variables};
  const std::string page = page_of(learned);
  const ReadPage read(page);
  // The first parent's state changes fastest.
  for (const Row& row : {Row{"u0 = 0, u1 = 0", "0.500", "0.250", "0.250"},
                         Row{"u0 = 1, u1 = 0", "0.250", "0.500", "0.250"},
                         Row{"u0 = 0, u1 = 1", "0.125", "0.125", "0.750"},
                         Row{"u0 = 1, u1 = 1", "0.000", "1.000", "0.000"}}) {
    EXPECT_TRUE(read.has_row(row)) << row[0];
  }
  read.expect_bars_in_proportion();
  EXPECT_EQ(std::ranges::count_if(read.all("td", "bar"),
                                  [](const report::Element& cell) {
                                    return cell.attribute("title").starts_with("2.500 ");
                                  }),
            12);
  EXPECT_TRUE(read.has_row({"always"}));  // of x3
  EXPECT_TRUE(read.has_row({"no", "a<b", "much"}));
  EXPECT_FALSE(contains(page, "a<b"));
}

TEST(CategoricalPage, marks_edges_that_are_wrong_or_missed) {
  // The truth's causes are the other way round, and there is a third. Learned (u1 -> x0) is true
  // (t0); (u0 -> x1) is not, (t0 -> x1) is; x2 lacks t2; (u0 -> x4) is true as t1.
  const LearnedCategorical learned = example();
  const CategoricalNetwork truth = network_of({{0}, {0}, {0, 1, 2}, {}, {1}}, 3);
  categorical::CategoricalScores scores;
  scores.match = {1, 0, -1};
  scores.difference = 3;
  scores.n_true_edges = 6;
  scores.n_learned_edges = 5;
  scores.n_exact_variables = 3;
  CategoricalReportInput input = input_of(learned);
  input.truth = &truth;
  input.scores = &scores;
  const std::string html = categorical_html_report(input);
  const ReadPage page(html);
  EXPECT_TRUE(page.says({"4 of 6", "right"}));
  EXPECT_TRUE(page.says({"1 wrong", "2 missed"}));
  // The columns of both maps lie below the names above the true one.
  const ReadPage map = page.titled("Posterior");
  const ReadPage real = page.titled("True structure");
  const auto at = [&](const char* cause, const char* variable) {
    return Point{column_place(real, variable).x, row_place(map, cause).y};
  };
  EXPECT_EQ(page.count("path", "wrong"), 1U);
  EXPECT_TRUE(path_at(map, at("u0", "x1"), "wrong"));
  EXPECT_EQ(page.count("path", "missed"), 1U);  // the third cause is in the true map alone
  EXPECT_TRUE(path_at(map, at("u1", "x1"), "missed"));
  EXPECT_EQ(count(html, "x1 ← u0: 0.750, not true"), 2U);  // the cell and its outline
  EXPECT_EQ(count(html, "x1 ← u1: 0.375, true"), 2U);
  EXPECT_EQ(count(html, "x0 ← u1: 1.000, true"), 1U);
  // True causes stand in the order of those that they were learned as: u0 is t1.
  EXPECT_LT(row_place(real, "u1").y, row_place(real, "u0").y);
  EXPECT_LT(row_place(real, "u0").y, row_place(real, "u2 (missed)").y);
  EXPECT_LT(row_place(map, "u0").y, row_place(map, "u1").y);
  EXPECT_EQ(path_at(real, cell_place(real, "u2 (missed)", "x2"), "", "opacity")->title,
            "x2 ← u2: true");
  EXPECT_TRUE(page.has_row({"difference in structure", "3"}));
  EXPECT_TRUE(page.has_row({"3 of 5"}));
  EXPECT_TRUE(page.has_row({"u0, u1, u2"}));  // true parents of x2

  CategoricalReportInput other = input;
  const CategoricalNetwork lacks = network_of({{0}, {0}, {0, 1, 2}, {}}, 3);
  other.truth = &lacks;
  try {
    categorical_html_report(other);
    FAIL() << "a truth without x4 is taken";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "has no variable \"x4\"")) << error.what();
  }
}

TEST(CategoricalPage, sorts_the_data_by_causes_and_parents) {
  const LearnedCategorical learned = example();
  const std::uint8_t none = data::missing_code;
  const data::CategoricalTable table = table_of(3, {2, 0, 1, 0, 0,     //
                                                    0, 2, 2, 1, none,  //
                                                    0, 1, 0, 2, 0});
  CategoricalReportInput input = input_of(learned);
  input.data = &table;
  input.states = {1, 0, 0, 1, 0, 0};  // rows then stand as 2, 1, 0
  categorical::CategoricalLikelihood likelihood;
  likelihood.mean = -4.25;
  likelihood.error = .5;
  likelihood.n_rows = 3;
  input.likelihood = &likelihood;
  input.independent = &likelihood;
  const ReadPage page(categorical_html_report(input));
  std::map<std::string, std::string> meaning;  // of the colours, by the legend
  for (const report::Element& key : page.all("span", "legend")) {
    const auto swatch = page.all("span", "swatch").at(meaning.size());
    meaning[swatch.attribute("class").substr(7)] = key.text;
  }
  // Columns x4 x1 x2 x0 x3. Row 2: 0 1 0 0 2; row 1: missing 2 2 0 1; row 0: 0 0 1 2 0.
  const std::vector<std::vector<std::string>> expected{{"no", "a<b", "no", "no", "much"},
                                                       {"missing", "much", "much", "no", "a<b"},
                                                       {"no", "no", "a<b", "much", "no"}};
  const ReadPage picture = page.titled("Data: samples by variables");
  const ReadPage structure = page.titled("Posterior");
  const double height = (picture.top().number("height") - 1) / 3;
  const std::vector<std::string> columns{"x4", "x1", "x2", "x0", "x3"};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 5; ++c) {
      const double x = column_place(structure, columns[c]).x;
      const auto cell = path_at(picture, {x, (static_cast<double>(r) + .5) * height}, "", "class");
      ASSERT_TRUE(cell) << r << ", " << c;
      EXPECT_EQ(meaning[cell->attribute("class")], expected[r][c]) << r << ", " << c;
    }
  }
  // States: row 1 has u1 on, row 0 has u0.
  EXPECT_EQ(shades(picture), (std::map<Pixel, double>{{{1, 1}, 1}, {{2, 0}, 1}}));
  EXPECT_FALSE(page.says({"evenly"}));
  EXPECT_TRUE(page.has_row({"this model", "-4.2500 ± 0.5"}));
  EXPECT_TRUE(page.has_row({"2, 1"}));  // rows with either state of u0
}

TEST(CategoricalPage, draws_every_so_many_th_of_many_rows_and_variables) {
  std::vector<std::vector<std::uint32_t>> parents(802, {0});
  for (std::size_t i = 401; i < 802; ++i) parents[i] = {1};
  LearnedCategorical learned;
  learned.network = network_of(parents);
  data::CategoricalTable table;
  table.n_rows = 1000;
  for (std::size_t i = 0; i < 802; ++i) table.names.push_back(fmt::format("x{}", i));
  table.categories.assign(802, grades);
  table.codes.assign(table.n_rows * 802, 1);
  CategoricalReportInput input = input_of(learned);
  input.data = &table;
  input.states.assign(2 * table.n_rows, 0);
  const std::string page = categorical_html_report(input);
  const ReadPage read(page);
  EXPECT_TRUE(read.says({"400 of 802 variables"}));
  EXPECT_TRUE(read.says({"400 of 1,000"}));
  const auto cells = filled(read.titled("Data"), "class");
  EXPECT_EQ(cells.size(), 400U * 400);
  EXPECT_EQ(cells.rbegin()->first, Pixel(399, 399));
  EXPECT_FALSE(contains(page, "x1 \u2190"));  // the second is 802 / 400
  EXPECT_TRUE(contains(page, "x2 \u2190 u0"));
  EXPECT_TRUE(contains(page, "x801 \u2190 u1") || contains(page, "x799 \u2190 u1"));
}

TEST(CategoryMap, levels_run_from_the_first_category_to_the_last) {
  EXPECT_EQ(category_level(0, 1), 0);
  EXPECT_EQ(category_level(0, 4), 0);
  EXPECT_EQ(category_level(1, 4), 21);
  EXPECT_EQ(category_level(3, 4), 63);
  for (std::size_t code = 0; code < 64; ++code) EXPECT_EQ(category_level(code, 64), code);
  const std::string style = category_style({0, 63, missing_level});
  EXPECT_EQ(count(style, ".lm{"), 2U);  // light and dark
  // On light paper colours darken from level to level, on dark paper they brighten.
  std::vector<std::uint8_t> levels(64);
  std::iota(levels.begin(), levels.end(), std::uint8_t{0});
  const std::string all = category_style(levels);
  std::vector<double> lightness;
  for (std::size_t at = all.find("fill:#"); at != std::string::npos;
       at = all.find("fill:#", at + 1)) {
    const unsigned long rgb = std::stoul(all.substr(at + 6, 6), nullptr, 16);
    lightness.push_back(.21 * static_cast<double>(rgb >> 16U) +
                        .72 * static_cast<double>((rgb >> 8U) & 255U) +
                        .07 * static_cast<double>(rgb & 255U));
  }
  ASSERT_EQ(lightness.size(), 128U);
  EXPECT_TRUE(std::is_sorted(lightness.rend() - 64, lightness.rend()));
  EXPECT_TRUE(std::is_sorted(lightness.begin() + 64, lightness.end()));
}

TEST(CategoricalPage, plots_the_numbers_of_causes_that_were_tried) {
  LearnedCategorical learned = example();
  EXPECT_FALSE(contains(page_of(learned), "How many causes"));
  learned.choices = {{4, -53, 1}, {2, -60, 1}, {3, -50, 1}};
  const ReadPage plot = ReadPage(page_of(learned)).section("How many causes");
  for (const auto& [n_causes, held_out, error] : learned.choices) {
    const ReadPage choice = plot.titled(fmt::format("{} causes", n_causes));
    EXPECT_TRUE(choice.says({fmt::format("{:.3f} ± 1.000", held_out)}));
    const auto dot = choice.all("circle").at(0);
    EXPECT_EQ(dot.attribute("class"), n_causes == 3 ? "anchor" : "found");
    EXPECT_NEAR(place_of(dot).x, report::on_axis_across(plot, n_causes), .2);
    EXPECT_NEAR(place_of(dot).y, report::on_axis_up(plot, held_out), .3);
    const report::Box bar = boxes_of(choice.all("path").at(0)).at(0);
    EXPECT_NEAR(bar.top, report::on_axis_up(plot, held_out + error), .3);
    EXPECT_NEAR(bar.bottom, report::on_axis_up(plot, held_out - error), .3);
  }
  EXPECT_GT(plot.all("circle", "anchor").at(0).number("r"),
            plot.all("circle", "found").at(0).number("r"));
}

TEST(CategoricalPage, tells_how_far_other_structures_are_from_the_best) {
  LearnedCategorical learned = example();
  learned.modes = {{1, {0}, -100}, {1, {1}, -101.25}, {2, {0, 1}, -100}};
  const std::vector<Row> rows = ReadPage(page_of(learned)).section("Structures that").rows();
  ASSERT_EQ(rows.size(), 1U + 3);
  EXPECT_EQ(rows[1], (Row{"x1", "u0", "-100.00", ""}));
  EXPECT_EQ(rows[2], (Row{"", "u1", "-101.25", "-1.25"}));
  EXPECT_EQ(rows[3], (Row{"x2", "u0, u1", "-100.00", ""}));
}

TEST(CategoricalPage, has_no_values_that_are_none) {
  std::vector<LearnedCategorical> odd(2);
  odd[1] = example();
  odd[1].structure.resize(0, 0);
  odd[1].parent_sets.clear();
  odd.push_back(example());
  odd.back().network = network_of({{}, {}}, 0);
  odd.back().structure = Eigen::MatrixXd::Ones(2, 1);
  odd.back().parent_sets = {{}};
  odd.push_back(example());
  odd.back().choices = {{2, -std::numeric_limits<double>::infinity(), 0},
                        {3, -5, 0},
                        {4, std::numeric_limits<double>::quiet_NaN(), 1},
                        {5, -6, std::numeric_limits<double>::quiet_NaN()}};
  odd.back().modes = {{0, {1}, -2}, {0, {}, std::numeric_limits<double>::quiet_NaN()}};
  for (const LearnedCategorical& learned : odd) {
    const std::string page = page_of(learned);
    EXPECT_FALSE(contains(page, "nan"));
    EXPECT_FALSE(contains(page, ">inf"));
    EXPECT_FALSE(contains(page, ">-inf"));
    EXPECT_TRUE(contains(page, "</html>"));
  }
  EXPECT_TRUE(contains(page_of(odd[1]), "<title>x1 \u2190 u0: 1.000</title>"));
  EXPECT_TRUE(contains(page_of(odd[0]), "There is no cause"));
  EXPECT_TRUE(contains(page_of(odd.back()), "<title>3 causes: -5.000"));
  EXPECT_TRUE(contains(page_of(odd.back()), "<title>5 causes: -6.000"));
}

}  // namespace
}  // namespace orrery::categorical
