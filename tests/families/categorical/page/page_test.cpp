// The page of a categorical network: the posterior beside the truth, the data in the order of what
// was learned, and nothing that is no number.
#include "families/categorical/page/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "families/categorical/page/category_map.hpp"
#include "orrery/base/error.hpp"
#include "report/parts.hpp"

namespace orrery::categorical {
using report::contains;
using report::count;

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

/// Where each text follows the one before, from `from` on.
void expect_in_order(const std::string& page, const std::string& from,
                     const std::vector<std::string>& texts) {
  std::size_t at = page.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  for (const std::string& text : texts) {
    const std::size_t next = page.find(text, at);
    ASSERT_NE(next, std::string::npos) << text << " after " << from;
    at = next + 1;
  }
}

TEST(CategoricalPage, sums_the_posterior_over_parent_sets) {
  const std::string page = page_of(example());
  EXPECT_TRUE(contains(page, "<h1>T &amp; U</h1>"));
  EXPECT_TRUE(contains(page, "2 causes of 5 variables"));
  EXPECT_TRUE(contains(page, "5 edges, 6 samples, learned by sep"));
  EXPECT_TRUE(contains(page, "<li>one &amp; two</li>"));
  EXPECT_TRUE(contains(page, "<title>x1 \u2190 u0: 0.750</title>"));  // .625 + .125
  EXPECT_TRUE(contains(page, "<title>x1 \u2190 u1: 0.375</title>"));  // .25 + .125
  EXPECT_TRUE(contains(page, "<title>x2 \u2190 u1: 1.000</title>"));
  EXPECT_FALSE(contains(page, "x3 \u2190"));
  EXPECT_FALSE(contains(page, "x0 \u2190 u0"));
  EXPECT_TRUE(contains(page, "<td>-12.50</td><td>expectation propagation</td>"));
  EXPECT_FALSE(contains(page, "true"));
  // u0: x1, x2, x4; expected .75 + .75 + 1.
  EXPECT_TRUE(contains(page,
                       "<tr><td>u0</td><td class=\"n\">3</td><td class=\"n\">2.5</td><td "
                       "class=\"n\">0.750 0.250</td></tr>"));
  EXPECT_TRUE(contains(page, "<span>u1 <i>0.250</i></span> <span>u0, u1 <i>0.125</i></span>"));
}

TEST(CategoricalPage, puts_variables_of_the_same_parents_together_the_certain_ones_first) {
  const std::string page = page_of(example());
  expect_in_order(page, "<h2>Structure",
                  {">x4</text>", ">x1</text>", ">x2</text>", ">x0</text>", ">x3</text>"});
  expect_in_order(page, "<h2>Variables",
                  {"<td>x4</td>", "<td>x1</td>", "<td>x2</td>", "<td>x0</td>", "<td>x3</td>"});
  // Three lines between four groups, of 24 pixels a column behind labels of 25: left of columns 2,
  // 3 and 4.
  EXPECT_EQ(count(page, "<path class=\"group\" d=\"M73.0 25v36M97.0 25v36M121.0 25v36\"/>"), 1U);
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
  const auto cells = [](const char* first, const char* second, const char* third) {
    std::string out;
    for (const char* value : {first, second, third}) {
      out += fmt::format(
          "<td class=\"n bar\" style=\"--v:{:.1f}%\" title=\"2.500 pseudocounts\">{}"
          "</td>",
          100 * std::stod(value), value);
    }
    return out;
  };
  // The first parent's state changes fastest.
  expect_in_order(page, "<td>y</td>",
                  {"u0 = 0, u1 = 0</th>" + cells("0.500", "0.250", "0.250"),
                   "u0 = 1, u1 = 0</th>" + cells("0.250", "0.500", "0.250"),
                   "u0 = 0, u1 = 1</th>" + cells("0.125", "0.125", "0.750"),
                   "u0 = 1, u1 = 1</th>" + cells("0.000", "1.000", "0.000")});
  EXPECT_TRUE(contains(page, "<th scope=\"row\">always</th>"));  // of x3
  EXPECT_TRUE(contains(page, ">a&lt;b</th>"));
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
  const std::string page = categorical_html_report(input);
  EXPECT_TRUE(contains(page, "4 of 6 edges right"));
  EXPECT_TRUE(contains(page, "<span class=\"extra\">1 wrong</span>"));
  EXPECT_TRUE(contains(page, "<span class=\"missed\">2 missed</span>"));
  EXPECT_EQ(count(page, "<path class=\"wrong\""), 1U);
  EXPECT_EQ(count(page, "<path class=\"missed\""), 1U);  // the third cause is in the true map alone
  EXPECT_EQ(count(page, "x1 \u2190 u0: 0.750, not true"), 2U);  // the cell and its outline
  EXPECT_EQ(count(page, "x1 \u2190 u1: 0.375, true"), 2U);
  EXPECT_EQ(count(page, "x0 \u2190 u1: 1.000, true"), 1U);
  // True causes stand in the order of those that they were learned as: u0 is t1.
  expect_in_order(page, "<title>True structure",
                  {">u1</text>", ">u0</text>", ">u2 (missed)<", "<title>Posterior", ">u0</text>",
                   ">u1</text>"});
  EXPECT_TRUE(contains(page, "x2 \u2190 u2: true"));
  EXPECT_TRUE(contains(page, "<td>difference in structure</td><td>3</td>"));
  EXPECT_TRUE(contains(page, "<td>3 of 5</td>"));
  EXPECT_TRUE(contains(page, "<td>u0, u1, u2</td>"));  // true parents of x2

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

data::CategoricalTable table_of(std::size_t n_rows, std::vector<std::uint8_t> codes) {
  data::CategoricalTable table;
  table.names = {"x0", "x1", "x2", "x3", "x4"};
  table.categories.assign(5, grades);
  table.n_rows = n_rows;
  table.codes = std::move(codes);
  return table;
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
  const std::string page = categorical_html_report(input);
  // Columns x4 x1 x2 x0 x3. Row 2: 0 1 0 0 2; row 1: missing 2 2 0 1; row 0: 0 0 1 2 0.
  EXPECT_TRUE(contains(page,
                       "<path class=\"l0\" d=\"M0 0h1v1h-1zM2 0h2v1h-2zM3 1h1v1h-1zM0 2h2v1h-2"
                       "zM4 2h1v1h-1z\"/>"));
  EXPECT_TRUE(contains(page, "<path class=\"l32\" d=\"M1 0h1v1h-1zM4 1h1v1h-1zM2 2h1v1h-1z\"/>"));
  EXPECT_TRUE(contains(page, "<path class=\"l63\" d=\"M4 0h1v1h-1zM1 1h2v1h-2zM3 2h1v1h-1z\"/>"));
  EXPECT_TRUE(contains(page, "<path class=\"lm\" d=\"M0 1h1v1h-1z\"/>"));
  // States: row 1 has u1 on, row 0 has u0.
  EXPECT_TRUE(contains(page, "<path opacity=\"1.00\" d=\"M1 1h1v1h-1zM0 2h1v1h-1z\"/>"));
  for (const char* name : {"no", "a&lt;b", "much", "missing"}) {
    EXPECT_TRUE(contains(page, fmt::format("\"></span>{}</span>", name))) << name;
  }
  EXPECT_FALSE(contains(page, "evenly"));
  EXPECT_TRUE(contains(page, "<td>this model</td><td>-4.2500 \u00b1 0.5</td>"));
  EXPECT_TRUE(contains(page, "<td>2, 1</td>"));  // rows with either state of u0
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
  EXPECT_TRUE(contains(page, "400 of 802 variables are drawn, evenly"));
  EXPECT_TRUE(contains(page, "400 of 1,000, evenly"));
  EXPECT_TRUE(contains(page, "M0 399h400v1h-400z"));
  EXPECT_FALSE(contains(page, "M0 400h"));
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
  EXPECT_TRUE(contains(style, ".l0{fill:#f1eee7;background:#f1eee7}"));
  EXPECT_TRUE(contains(style, ".l63{fill:#541a46;background:#541a46}"));
  EXPECT_EQ(count(style, ".lm{"), 2U);  // light and dark
}

TEST(CategoricalPage, plots_the_numbers_of_causes_that_were_tried) {
  LearnedCategorical learned = example();
  EXPECT_FALSE(contains(page_of(learned), "How many causes"));
  learned.choices = {{4, -53, 1}, {2, -60, 1}, {3, -50, 1}};
  const std::string page = page_of(learned);
  expect_in_order(page, "<h2>How many causes",
                  {"<title>2 causes: -60.000 ± 1.000", "<circle class=\"found\"",
                   "<title>3 causes: -50.000 ± 1.000", "<circle class=\"anchor\"",
                   "<title>4 causes: -53.000 ± 1.000", "<circle class=\"found\""});
  // -61 to -49 and a margin of 8 % are 13.92 units in 190 pixels; -50 is 1.96 below the top.
  EXPECT_TRUE(contains(page, "cy=\"40.8\" r=\"5.5\""));
  EXPECT_EQ(count(page, "class=\"anchor\""), 1U);
}

TEST(CategoricalPage, tells_how_far_other_structures_are_from_the_best) {
  LearnedCategorical learned = example();
  learned.modes = {{1, {0}, -100}, {1, {1}, -101.25}, {2, {0, 1}, -100}};
  const std::string page = page_of(learned);
  EXPECT_TRUE(contains(page,
                       "<tr><td>x1</td><td>u0</td><td class=\"n\">-100.00</td><td "
                       "class=\"n\"></td></tr>\n<tr><td></td><td>u1</td><td "
                       "class=\"n\">-101.25</td><td class=\"n\">-1.25</td></tr>\n"
                       "<tr><td>x2</td><td>u0, u1</td>"));
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
  EXPECT_TRUE(contains(page_of(odd[0]), "There is no cause."));
  EXPECT_TRUE(contains(page_of(odd.back()), "<title>3 causes: -5.000"));
  EXPECT_TRUE(contains(page_of(odd.back()), "<title>5 causes: -6.000"));
}

}  // namespace
}  // namespace orrery::categorical
