#include "families/noisy_or/page/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/parts.hpp"

namespace {

using orrery::UsageError;
using orrery::model::Cause;
using orrery::model::Edge;
using orrery::model::LearnedModel;
using orrery::model::NoisyOrNetwork;
using orrery::model::Observed;
using orrery::model::Provenance;
using orrery::noisy_or::html_report;
using orrery::noisy_or::parse_grid;
using orrery::noisy_or::ReportInput;
using orrery::report::contains;
using orrery::report::count;

std::vector<Observed> pixels(std::size_t m) {
  std::vector<Observed> result;
  for (std::size_t a = 0; a < m; ++a) result.push_back({"px" + std::to_string(a), .001});
  return result;
}

/// Three causes on a 2x4 grid; learned: two of them, in rounds 0 and 1, and one that is not there.
struct Example {
  NoisyOrNetwork truth{
      {{"true_left", .2}, {"true_middle", .3}, {"true_right", .25}},
      pixels(8),
      {{0, 0, .1}, {0, 4, .1}, {1, 1, .1}, {1, 2, .1}, {1, 5, .1}, {2, 3, .1}, {2, 7, .1}}};
  LearnedModel model;
  orrery::noisy_or::Evaluation evaluation;

  Example() {
    model.network =
        NoisyOrNetwork({{"alpha", .24}, {"beta", .21}, {"gamma", .05}}, pixels(8),
                       {{0, 3, .1}, {0, 7, .12}, {1, 0, .1}, {1, 4, .1}, {2, 6, .5}, {2, 5, .5}});
    model.provenance = {
        {1, {3, 7, 0, 4}, .002}, {0, {0, 4, 3, -1}, .001}, {0, {-1, -1, -1, -1}, .003}};
    model.learner = "quartet";
    model.n_samples = 10000;
    evaluation = orrery::noisy_or::score_network(model, truth);
  }

  /// What a learner may know beside the parameters.
  void add_evidence() {
    model.provenance[0].support = 1234;
    model.errors = {
        {.01, std::nan(""), .02}, std::vector<double>(8, .001), {.02, .02, .01, .01, .2, .1}};
    model.stability = {200, {.97, 1, .41}, {.9, .9, 1, 1, .33, .4}};
    evaluation = orrery::noisy_or::score_network(model, truth);
  }

  [[nodiscard]] ReportInput input(bool with_truth, bool with_grid) const {
    ReportInput result;
    result.model = &model;
    result.title = "A title";
    result.source = "model.h5";
    if (with_truth) {
      result.truth = &truth;
      result.evaluation = &evaluation;
    }
    if (with_grid) result.grid = orrery::report::Grid{2, 4};
    return result;
  }
};

class html_report_of_every_kind : public testing::TestWithParam<std::pair<bool, bool>> {
 protected:
  html_report_of_every_kind() {
    example.add_evidence();
    scores.n_samples = 10;
    scores.model = -1;
    scores.check.pairs = {{{0, 7}, 5, 10, 2.5, 3.5}};
  }
  [[nodiscard]] ReportInput input() const {
    ReportInput result = example.input(GetParam().first, GetParam().second);
    result.scores = &scores;
    return result;
  }
  Example example;
  orrery::noisy_or::DataScores scores;
};

TEST_P(html_report_of_every_kind, names_every_cause) {
  const std::string page = html_report(input());
  for (const Cause& cause : example.model.network.causes()) {
    EXPECT_TRUE(contains(page, cause.name)) << cause.name;
  }
  for (const Cause& cause : example.truth.causes()) {
    EXPECT_EQ(contains(page, cause.name), GetParam().first) << cause.name;
  }
}

TEST_P(html_report_of_every_kind, is_byte_identical_when_made_again) {
  EXPECT_EQ(html_report(input()), html_report(input()));
}

TEST_P(html_report_of_every_kind, needs_nothing_from_elsewhere) {
  const std::string page = html_report(input());
  for (const char* part :
       {"http:", "https:", "//", "<script", "<link", "<img", "url(", "@import"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
}

TEST_P(html_report_of_every_kind, closes_what_it_opens) {
  const std::string page = html_report(input());
  const std::regex tag("<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>");
  std::vector<std::string> open;
  for (std::sregex_iterator it(page.begin(), page.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2];
    if (name == "meta" || name == "br" || (*it)[3].length() > 0) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty());
    ASSERT_EQ(open.back(), name) << it->str() << " at " << it->position();
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST_P(html_report_of_every_kind, escapes_names) {
  const std::string evil = "<script>alert('x')</script>\"&\xFF";
  auto causes = example.model.network.causes();
  auto observed = example.model.network.observed();
  causes[1].name = evil;
  for (Observed& variable : observed) variable.name = evil;
  example.model.network = {causes, observed, example.model.network.edges()};
  example.model.learner = evil;
  ReportInput evil_input = input();
  evil_input.title = evil;
  evil_input.source = evil;
  const std::string page = html_report(evil_input);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "\xFF"));
  EXPECT_TRUE(contains(page, "&lt;script&gt;"));
}

TEST_P(html_report_of_every_kind, stays_small_with_long_names) {
  auto causes = example.model.network.causes();
  auto observed = example.model.network.observed();
  for (Cause& cause : causes) cause.name.assign(100'000, 'c');
  for (Observed& variable : observed) variable.name.assign(100'000, 'o');
  example.model.network = {causes, observed, example.model.network.edges()};
  EXPECT_LT(html_report(input()).size(), 40'000U);
}

INSTANTIATE_TEST_SUITE_P(all, html_report_of_every_kind,
                         testing::Values(std::pair{false, false}, std::pair{false, true},
                                         std::pair{true, false}, std::pair{true, true}));

TEST(html_report, sums_up_in_one_line) {
  Example example;
  EXPECT_TRUE(contains(html_report(example.input(true, true)), "2 of 3 causes recovered"));
  EXPECT_TRUE(
      contains(html_report(example.input(false, true)), "3 causes found in 10,000 samples"));
  example.model.n_samples = 0;
  EXPECT_TRUE(
      contains(html_report(example.input(false, true)), "3 causes found from exact moments"));
}

TEST(html_report, shows_found_then_missed_then_extra) {
  const Example example;
  for (const bool grid : {false, true}) {
    const std::string page = html_report(example.input(true, grid));
    // Two or three children are too few for a quartet.
    const std::array<std::size_t, 5> places{
        page.find("never by quartets"), page.find("true: true_left"), page.find("true: true_right"),
        page.find(">Missed "), page.find(">Extra ")};
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_LT(places.back(), page.size());
    EXPECT_LT(page.find("true_middle", places[3]), places[4]);
    EXPECT_LT(page.find("gamma", places[4]), page.size());
  }
}

TEST(html_report, shows_the_depth_of_the_network_not_the_round_of_the_search) {
  // "second" shares three children with "first" and two with "third": depths 1, 0, 2. "few" has
  // three children.
  LearnedModel model;
  std::vector<Edge> edges;
  const std::vector<std::vector<std::uint32_t>> children{
      {3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5}, {5, 6, 8, 9}, {2, 7, 9}};
  for (std::uint32_t k = 0; k < 4; ++k) {
    for (const std::uint32_t a : children[k]) edges.push_back({k, a, .5});
  }
  model.network = NoisyOrNetwork({{"second", .2}, {"first", .2}, {"third", .2}, {"few", .2}},
                                 pixels(10), edges);
  model.provenance.resize(4);
  for (auto& from : model.provenance) from.depth = 0;
  for (const bool grid : {false, true}) {
    ReportInput input;
    input.model = &model;
    if (grid) input.grid = orrery::report::Grid{2, 5};
    const std::string page = html_report(input);
    const std::array<const char*, 8> order{
        "d = 0", "first", "d = 1", "second", "d = 2", "third", "never by quartets", "few"};
    std::size_t at = page.find("<h2>d = 0");
    ASSERT_NE(at, std::string::npos);
    for (const char* text : order) {
      at = page.find(text, at);
      ASSERT_NE(at, std::string::npos) << text;
    }
    EXPECT_TRUE(contains(page, "<tr><td>2</td><td class=\"n\">1</td></tr>"));
    EXPECT_TRUE(contains(page, "<tr><td>never</td><td class=\"n\">1</td></tr>"));
    EXPECT_TRUE(contains(page, grid ? "found in</th><td>round 0</td>" : ">found in round</th>"));
  }
  model.provenance.clear();
  ReportInput input;
  input.model = &model;
  EXPECT_FALSE(contains(html_report(input), "never by quartets"));
}

TEST(html_report, shows_no_section_without_causes) {
  Example example;
  example.model.network = example.truth;
  example.model.provenance.clear();
  example.evaluation = orrery::noisy_or::score_network(example.model, example.truth);
  const std::string page = html_report(example.input(true, true));
  EXPECT_TRUE(contains(page, "3 of 3 causes recovered"));
  EXPECT_FALSE(contains(page, ">Missed "));
  EXPECT_FALSE(contains(page, ">Extra "));
  EXPECT_FALSE(contains(page, ">Depth<"));
}

TEST(html_report, shows_intervals_support_and_stability) {
  Example example;
  example.add_evidence();
  for (const bool grid : {false, true}) {
    const std::string page = html_report(example.input(true, grid));
    EXPECT_TRUE(
        contains(page, "0.240 <small>0.220&#8211;0.260</small>"));  // alpha's prior +- .0196
    EXPECT_TRUE(contains(page, "1,234"));
    EXPECT_TRUE(contains(page, ">0.97<"));
    EXPECT_TRUE(contains(page, "of 200 bootstrap resamples"));
    EXPECT_TRUE(contains(page, "<td>priors covered</td><td>1 of 1</td>"));
  }
  // beta's edges: 1 - f = .9, error .01.
  EXPECT_TRUE(contains(html_report(example.input(false, false)),
                       "px0&nbsp;<b>0.90 <small>0.88&#8211;0.92</small></b>"));
}

TEST(html_report, lists_the_weakest_edges_worst_first) {
  Example example;
  example.add_evidence();
  const std::string page = html_report(example.input(false, true));
  const std::size_t section = page.find(">Weakest edges<");
  ASSERT_NE(section, std::string::npos);
  const std::size_t worst = page.find("<td>gamma</td><td>px5</td>", section);  // stability .33
  const std::size_t next = page.find("<td>gamma</td><td>px6</td>", section);   // .4
  EXPECT_LT(worst, next);
  EXPECT_LT(next, page.size());
}

TEST(html_report, says_nothing_of_evidence_that_is_not_known) {
  const Example example;
  const std::string page = html_report(example.input(true, false));
  for (const char* part :
       {"stability", "support", "&#8211;", "Weakest", "priors covered", "Likelihood"}) {
    EXPECT_FALSE(contains(page.substr(page.find("</style>")), part)) << part;
  }
}

TEST(html_report, shows_no_errors_of_causes_where_none_is_recovered) {
  Example example;
  example.evaluation = orrery::noisy_or::score_network(example.model, example.truth, .9);
  const std::string page = html_report(example.input(true, true));
  EXPECT_TRUE(contains(page, "0 of 3 causes recovered"));
  EXPECT_TRUE(contains(page, "<td>prior error</td><td>none</td>"));
  EXPECT_TRUE(contains(page, "learned prior at least 0.900"));
}

TEST(html_report, shows_likelihoods_and_the_worst_patterns) {
  const Example example;
  orrery::noisy_or::DataScores scores;
  scores.n_samples = 5000;
  scores.model = -3.25;
  scores.truth = -std::numeric_limits<double>::infinity();
  scores.check.triples = {{{1, 3, 5}, 40, 100, 20.25, 4.5}, {{0, 1, 2}, 30, 100, 30, 0}};
  for (const bool grid : {false, true}) {
    ReportInput input = example.input(false, grid);
    input.scores = &scores;
    std::string page = html_report(input);
    EXPECT_TRUE(contains(page, "<td>this model</td><td>-3.2500</td>"));
    EXPECT_TRUE(contains(page, "<td>true network</td><td>-infinity</td>"));
    EXPECT_TRUE(contains(page,
                         "px1 px3 px5</td><td class=\"n\">40</td><td class=\"n\">100</td><td "
                         "class=\"n\">20.2</td><td class=\"n\">+4.5</td>"));
    EXPECT_TRUE(contains(page, "Worst triples</h2><p class=\"note\">50.0 % of 2 triples"));
    EXPECT_FALSE(contains(page, "Chow-Liu"));
    EXPECT_FALSE(contains(page, "Worst pairs"));
    scores.chow_liu = -4;
    scores.independent = -5;
    scores.n_train = 1000;
    page = html_report(input);
    EXPECT_TRUE(contains(page, "<td>Chow-Liu tree</td><td>-4.0000</td>"));
    EXPECT_TRUE(contains(page, "fitted to 1,000 training rows"));
    scores.chow_liu.reset();
  }
}

TEST(html_report, draws_the_pixels_of_a_cause) {
  const Example example;
  const std::string page = html_report(example.input(false, true));
  // beta: pixels 0 and 4 of a 2x4 grid are (0, 0) and (1, 0), at 1 - f = .9.
  EXPECT_TRUE(contains(page, "<path opacity=\"0.90\" d=\"M0 0h1v1h-1zM0 1h1v1h-1z\"/>"));
  // alpha: (0, 3) at .9 and (1, 3) at .88.
  EXPECT_TRUE(contains(page,
                       "<path opacity=\"0.88\" d=\"M3 1h1v1h-1z\"/>"
                       "<path opacity=\"0.90\" d=\"M3 0h1v1h-1z\"/>"));
  // gamma: (1, 1) and (1, 2) are one stroke.
  EXPECT_TRUE(contains(page, "<path opacity=\"0.50\" d=\"M1 1h2v1h-2z\"/>"));
  EXPECT_EQ(count(page, "class=\"image\""), 3U);
  EXPECT_EQ(count(page, "class=\"mark\""), 4U + 3U);
}

TEST(html_report, draws_the_truth_where_the_model_has_the_variable) {
  Example example;
  // The same network with its variables in reverse order: the model's pixel 7 is the truth's 0.
  std::vector<Observed> observed = example.truth.observed();
  std::reverse(observed.begin(), observed.end());
  std::vector<Edge> edges = example.truth.edges();
  for (Edge& edge : edges) edge.observed = 7 - edge.observed;
  example.model.network = {example.truth.causes(), observed, edges};
  example.evaluation = orrery::noisy_or::score_network(example.model, example.truth);
  ASSERT_EQ(example.evaluation.recovered, 3U);
  const std::string page = html_report(example.input(true, true));
  const std::string left = "d=\"M3 0h1v1h-1zM3 1h1v1h-1z\"";  // model pixels 3 and 7
  EXPECT_EQ(count(page, left), 2U);                           // learned and true
}

TEST(html_report, orders_heat_map_columns_by_explaining_cause) {
  const Example example;
  const std::string page = html_report(example.input(false, false));
  // Rows: alpha, beta, gamma. Columns: px3 px7 | px0 px4 | px5 px6 | px1 px2.
  std::size_t last = 0;
  for (const char* label :
       {">px3<", ">px7<", ">px0<", ">px4<", ">px5<", ">px6<", ">px1<", ">px2<"}) {
    const std::size_t at = page.find(label);
    ASSERT_NE(at, std::string::npos) << label;
    EXPECT_GT(at, last) << label;
    last = at;
  }
  EXPECT_TRUE(contains(page, "<path opacity=\"0.90\" d=\"M0 0h1v1h-1zM2 1h2v1h-2z\"/>"));
}

TEST(html_report, stays_below_five_megabytes_for_a_large_model) {
  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::uint32_t k = 0; k < 500; ++k) {
    causes.push_back({"disease with a rather long name " + std::to_string(k), .05});
    // 600 children each: 300,000 edges in all, of strengths .06 to .95.
    for (std::uint32_t i = 0; i < 600; ++i) {
      edges.push_back({k, (k * 7 + i * 5) % 3001, .05 + .89 * ((i * 37 + k) % 101) / 101.0});
    }
  }
  LearnedModel model;
  model.network = NoisyOrNetwork(causes, pixels(3001), edges);
  ReportInput input;
  input.model = &model;
  const std::string page = html_report(input);
  EXPECT_LT(page.size(), 5'000'000U);
  EXPECT_TRUE(contains(page, "disease with a rather long name 499"));
}

TEST(html_report, takes_an_empty_model) {
  LearnedModel model;
  ReportInput input;
  input.model = &model;
  EXPECT_TRUE(contains(html_report(input), "0 causes"));
}

TEST(html_report, takes_damaged_provenance) {
  Example example;
  example.model.provenance = {{-7, {900, -3, 2, 1}, -1}};
  example.evaluation = orrery::noisy_or::score_network(example.model, example.truth);
  for (const bool grid : {false, true}) {
    EXPECT_TRUE(contains(html_report(example.input(true, grid)), "2 of 3 causes recovered"));
  }
}

TEST(html_report, refuses_a_grid_of_another_size) {
  const Example example;
  ReportInput input = example.input(false, true);
  input.grid = orrery::report::Grid{3, 4};
  try {
    html_report(input);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_TRUE(contains(error.what(), "3x4")) << error.what();
    EXPECT_TRUE(contains(error.what(), "12 pixels")) << error.what();
    EXPECT_TRUE(contains(error.what(), "8 observed")) << error.what();
  }
}

TEST(parse_grid, reads_rows_and_columns) {
  EXPECT_EQ(parse_grid("8x8").rows, 8U);
  EXPECT_EQ(parse_grid("28x3").rows, 28U);
  EXPECT_EQ(parse_grid("28x3").columns, 3U);
}

TEST(parse_grid, refuses_anything_else) {
  for (const char* text : {"", "8", "x", "8x", "x8", "0x8", "8x0", "-8x8", "+8x8", "8x8x8", "8 x 8",
                           "8x8 ", "8.0x8", "axb", "1000001x1", "99999999999999999999x1", "8X8"}) {
    EXPECT_THROW(parse_grid(text), UsageError) << text;
  }
}

}  // namespace
