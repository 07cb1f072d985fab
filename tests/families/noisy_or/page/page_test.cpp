#include "families/noisy_or/page/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"
#include "report/parts.hpp"
#include "report/read_drawing.hpp"
#include "report/read_page.hpp"

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
using orrery::report::cell_place;
using orrery::report::column_place;
using orrery::report::contains;
using orrery::report::Pixel;
using orrery::report::Point;
using orrery::report::ReadPage;
using orrery::report::Row;
using orrery::report::shade_at;
using orrery::report::shades;

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
    result.colophon.file = "model.h5";
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
  ReadPage(html_report(input())).expect_bars_in_proportion();
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
  evil_input.colophon.file = evil;
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
  EXPECT_TRUE(ReadPage(html_report(example.input(true, true))).says({"2 of 3", "recovered"}));
  const ReadPage page(html_report(example.input(false, true)));
  EXPECT_TRUE(page.says({"3 causes", "10,000 samples"}));
  example.model.n_samples = 0;
  const ReadPage exact(html_report(example.input(false, true)));
  EXPECT_TRUE(exact.says({"3 causes", "exact moments"}));
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
    const ReadPage read(page);
    EXPECT_TRUE(read.has_row({"2", "1"}));
    EXPECT_TRUE(read.has_row({"never", "1"}));
    EXPECT_TRUE(read.has_row(grid ? Row{"found in", "round 0"} : Row{"found in round"}));
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
  EXPECT_TRUE(ReadPage(page).says({"3 of 3", "recovered"}));
  EXPECT_FALSE(contains(page, ">Missed "));
  EXPECT_FALSE(contains(page, ">Extra "));
  EXPECT_FALSE(contains(page, ">Depth<"));
}

TEST(html_report, shows_intervals_support_and_stability) {
  Example example;
  example.add_evidence();
  for (const bool grid : {false, true}) {
    const ReadPage page(html_report(example.input(true, grid)));
    EXPECT_TRUE(page.has_row({"0.240 0.220–0.260"}));  // alpha's prior +- .0196
    EXPECT_TRUE(page.has_row({"1,234"}));
    EXPECT_TRUE(page.has_row({"0.97"}));
    EXPECT_TRUE(page.says({"200", "resamples"}));
    EXPECT_TRUE(page.has_row({"priors covered", "1 of 1"}));
  }
  // beta's edges: 1 - f = .9, error .01.
  EXPECT_TRUE(
      ReadPage(html_report(example.input(false, false))).says({"beta", "px0 0.90 0.88–0.92"}));
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
  const ReadPage page(html_report(example.input(true, true)));
  EXPECT_TRUE(page.says({"0 of 3", "recovered"}));
  EXPECT_TRUE(page.has_row({"prior error", "none"}));
  EXPECT_TRUE(page.says({"prior", "at least 0.900"}));
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
    const ReadPage page(html_report(input));
    EXPECT_TRUE(page.has_row({"this model", "-3.2500"}));
    EXPECT_TRUE(page.has_row({"true network", "-infinity"}));
    EXPECT_TRUE(page.has_row({"px1 px3 px5", "40", "100", "20.2", "+4.5"}));
    EXPECT_TRUE(page.section("Worst triples").says({"50.0 %", "2 triples"}));
    EXPECT_FALSE(page.says({"Chow-Liu"}));
    EXPECT_FALSE(page.says({"Worst pairs"}));
    scores.chow_liu = -4;
    scores.independent = -5;
    scores.n_train = 1000;
    const ReadPage compared(html_report(input));
    EXPECT_TRUE(compared.has_row({"Chow-Liu tree", "-4.0000"}));
    EXPECT_TRUE(compared.says({"1,000 training rows"}));
    scores.chow_liu.reset();
  }
}

/// The strengths of a cause as the pixels of a grid of four columns.
std::map<Pixel, double> strengths(const NoisyOrNetwork& network, std::size_t cause) {
  std::map<Pixel, double> pixels;
  for (const Edge& edge : network.children(cause)) {
    pixels[{edge.observed / 4, edge.observed % 4}] = 1 - edge.failure;
  }
  return pixels;
}

/// Shades come in steps of .02; those here are whole steps.
void expect_near(const std::map<Pixel, double>& found, const std::map<Pixel, double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [pixel, value] : expected) {
    ASSERT_TRUE(found.contains(pixel)) << pixel.first << ", " << pixel.second;
    EXPECT_NEAR(found.at(pixel), value, 1e-9) << pixel.first << ", " << pixel.second;
  }
}

TEST(html_report, draws_the_pixels_of_a_cause) {
  const Example example;
  const ReadPage page(html_report(example.input(false, true)));
  EXPECT_EQ(page.count("svg", "image"), 3U);
  const std::vector<std::set<Pixel>> quartets{
      {{0, 3}, {1, 3}, {0, 0}, {1, 0}}, {{0, 0}, {1, 0}, {0, 3}}, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    const ReadPage image = page.titled("Learned " + example.model.network.causes()[k].name);
    expect_near(shades(image), strengths(example.model.network, k));
    std::set<Pixel> marked;
    for (const auto& mark : image.all("circle", "mark")) {
      marked.emplace(std::floor(mark.number("cy")), std::floor(mark.number("cx")));
    }
    EXPECT_EQ(marked, quartets[k]) << k;
  }
  EXPECT_TRUE(page.titled("Learned gamma").says({"px6: 0.500"}));
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
  const ReadPage page(html_report(example.input(true, true)));
  const std::map<Pixel, double> left{{{0, 3}, .9}, {{1, 3}, .9}};  // model pixels 3 and 7
  expect_near(shades(page.titled("Learned true_left")), left);
  expect_near(shades(page.titled("True true_left")), left);
}

TEST(html_report, orders_heat_map_columns_by_explaining_cause) {
  const Example example;
  const ReadPage map = ReadPage(html_report(example.input(false, false))).titled("Learned network");
  // Rows: alpha, beta, gamma.
  double last = 0;
  for (const char* label : {"px3", "px7", "px0", "px4", "px5", "px6", "px1", "px2"}) {
    const double x = column_place(map, label).x;
    EXPECT_GT(x, last) << label;
    last = x;
  }
  const NoisyOrNetwork& network = example.model.network;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t a = 0; a < 8; ++a) {
      const Point at = cell_place(map, network.causes()[k].name, network.observed()[a].name);
      EXPECT_NEAR(shade_at(map, at), 1 - network.failure(k, a), 1e-9) << k << ", " << a;
    }
  }
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

TEST(html_report, titles_counted_causes_by_their_strongest_children) {
  Example example;
  const auto observed = example.model.network.observed();
  example.model.network = NoisyOrNetwork({{"cause0", .24}, {"flu", .21}}, observed,
                                         {{0, 3, .1}, {0, 7, .02}, {1, 0, .1}, {1, 4, .1}});
  example.model.provenance.clear();
  const ReadPage table(html_report(example.input(false, false)));
  EXPECT_TRUE(table.has_row({"cause 0: px7, px3", "0.240"}));
  EXPECT_TRUE(table.has_row({"flu", "0.210"}));
  const ReadPage cards(html_report(example.input(false, true)));
  EXPECT_EQ(cards.all("h3").at(0).text, "cause 0: px7, px3");
  EXPECT_TRUE(cards.titled("Learned cause 0: px7, px3").says({"px7: 0.980"}));
}

TEST(html_report, every_cell_of_the_map_has_a_tooltip) {
  const Example example;
  const ReadPage map = ReadPage(html_report(example.input(true, false))).titled("Learned network");
  std::set<std::string> tooltips;
  for (const auto& path : map.all("path")) {
    if (!path.attribute("opacity").empty()) tooltips.insert(path.title);
  }
  EXPECT_EQ(tooltips,
            (std::set<std::string>{"alpha \u2192 px3: 0.900", "alpha \u2192 px7: 0.880",
                                   "beta \u2192 px0: 0.900", "beta \u2192 px4: 0.900",
                                   "gamma \u2192 px5: 0.500", "gamma \u2192 px6: 0.500"}));
}

TEST(html_report, judges_by_what_is_known) {
  Example example;
  // Nothing is known but that a learner made it.
  const ReadPage unknown(html_report(example.input(false, true)));
  EXPECT_EQ(unknown.count("div", "amber"), 1U);
  EXPECT_TRUE(unknown.says({"--data ROWS"}));
  // Two of three found, one extra.
  const ReadPage some(html_report(example.input(true, true)));
  EXPECT_TRUE(some.says({"2 of 3 true causes were recovered."}));
  EXPECT_TRUE(some.says({"1 cause of the learned ones: no true cause is like it."}));
  EXPECT_EQ(some.count("div", "amber"), 1U);
  // Stability of gamma: .41 of 200.
  example.add_evidence();
  EXPECT_TRUE(ReadPage(html_report(example.input(false, true)))
                  .says({"1 cause is learned again in fewer than half of 200 resamples", "gamma"}));
  example.model.stability.cause = {.97, 1, .8};
  const ReadPage stable(html_report(example.input(false, true)));
  EXPECT_TRUE(stable.says({"Good.", "at least 80.0 % of 200 resamples"}));
}

TEST(html_report, judges_by_the_pairs_that_data_or_the_learner_speak_of) {
  Example example;
  orrery::noisy_or::DataScores scores;
  scores.n_samples = 5000;
  scores.model = -3.25;
  scores.chow_liu = -3.5;
  scores.check.pairs.assign(200, {{0, 1}, 5, 10, 5, .1});
  ReportInput input = example.input(false, false);
  input.scores = &scores;
  EXPECT_TRUE(
      ReadPage(html_report(input)).says({"Good. 0.0 % of the pairs", "simpler models or better"}));
  scores.check.pairs[0].z = scores.check.pairs[1].z = scores.check.pairs[2].z = 4;
  scores.chow_liu = -3;
  const ReadPage wrong(html_report(input));
  EXPECT_TRUE(wrong.says({"1.5 % of the pairs"}));
  EXPECT_TRUE(
      wrong.says({"A tree over the variables predicts rows better, by 0.25 nats per row."}));
  EXPECT_EQ(wrong.count("div", "amber"), 1U);
  input.scores = nullptr;
  example.model.fit.misfit = .002;
  example.model.remarks = {"how it fits"};
  const ReadPage fits(html_report(input));
  EXPECT_TRUE(fits.says({"Good. 0.2 % of the pairs of variables are on together"}));
  example.model.fit = {.022, 9, -1, -1.5, -3, -.5, 2};
  example.model.remarks.emplace_back("this model is wrong");
  const ReadPage remarked(html_report(input));
  EXPECT_TRUE(remarked.says({"2.2 % of the pairs"}));
  EXPECT_TRUE(
      remarked.says({"A mixture of 2 kinds of rows predicts rows better, by 0.50 nats per row."}));
  EXPECT_TRUE(remarked.says({"The learner has 1 remark on this table: see below."}));
}

TEST(html_report, lists_the_largest_leaks) {
  Example example;
  auto observed = example.model.network.observed();
  for (std::size_t a = 0; a < 8; ++a) observed[a].leak = .01 * static_cast<double>(a + 1);
  while (observed.size() < 12) observed.push_back({"p" + std::to_string(observed.size()), .001});
  example.model.network = {example.model.network.causes(), observed, example.model.network.edges()};
  const ReadPage leaks = ReadPage(html_report(example.input(false, false))).section("Leaks");
  const std::vector<Row> rows = leaks.rows();
  ASSERT_EQ(rows.size(), 1U + 10);
  EXPECT_EQ(rows[1], (Row{"px7", "0.080"}));
  EXPECT_EQ(rows[8], (Row{"px0", "0.010"}));
  EXPECT_TRUE(leaks.says({"the other 2 are at most 0.0010"}));
  leaks.expect_bars_in_proportion();
}

TEST(html_report, explains_why_there_is_no_cause) {
  Example example;
  example.model.network = {{}, example.model.network.observed(), {}};
  example.model.provenance.clear();
  const ReadPage page(html_report(example.input(false, false)));
  EXPECT_TRUE(page.section("Causes").says({"orrery learn quartet", "found no cause"}));
  EXPECT_TRUE(page.says({"No cause was found."}));
  EXPECT_EQ(page.count("svg", "map"), 0U);
}

TEST(html_report, names_on_a_phone_what_has_no_heading_there) {
  const Example example;
  const ReadPage page(html_report(example.input(true, false)));
  std::set<std::string> labels;
  for (const auto& cell : page.all("td")) labels.insert(cell.attribute("data-label"));
  for (const char* label : {"prior", "children", "true prior", "true children", "statistic"}) {
    EXPECT_TRUE(labels.contains(label)) << label;
  }
}

TEST(html_report, takes_an_empty_model) {
  LearnedModel model;
  ReportInput input;
  input.model = &model;
  EXPECT_TRUE(ReadPage(html_report(input)).says({"0 causes"}));
}

TEST(html_report, takes_damaged_provenance) {
  Example example;
  example.model.provenance = {{-7, {900, -3, 2, 1}, -1}};
  example.evaluation = orrery::noisy_or::score_network(example.model, example.truth);
  for (const bool grid : {false, true}) {
    EXPECT_TRUE(ReadPage(html_report(example.input(true, grid))).says({"2 of 3", "recovered"}));
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
