// The page of a model of so many causes that they are searched.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "families/noisy_or/page/page.hpp"
#include "orrery/model/generators.hpp"
#include "report/parts.hpp"
#include "report/read_page.hpp"

namespace {

using orrery::model::Cause;
using orrery::model::Edge;
using orrery::model::LearnedModel;
using orrery::model::NoisyOrNetwork;
using orrery::model::Observed;
using orrery::noisy_or::html_report;
using orrery::noisy_or::ReportInput;
using orrery::report::contains;
using orrery::report::count;
using orrery::report::ReadPage;
using orrery::report::Row;

std::vector<Observed> symptoms(std::size_t m) {
  std::vector<Observed> result;
  for (std::size_t a = 0; a < m; ++a) result.push_back({"symptom" + std::to_string(a), .001});
  return result;
}

/// 125 true causes of four children of their own, and one more, a twin of the first that lacks its
/// last child. Learned: all but the twin and the last (a rare one); and an extra of three
/// strangers.
struct Clinic {
  NoisyOrNetwork truth;
  LearnedModel model;
  orrery::noisy_or::Evaluation evaluation;

  Clinic() {
    std::vector<Cause> causes;
    std::vector<Edge> edges;
    for (std::uint32_t k = 0; k < 125; ++k) {
      causes.push_back({"disease" + std::to_string(k), k == 124 ? .0004 : .01});
      for (std::uint32_t i = 0; i < 4; ++i) edges.push_back({k, 4 * k + i, .2 + .1 * i});
    }
    std::vector<Cause> learned_causes(causes.begin(), causes.end() - 1);
    std::vector<Edge> learned_edges(edges.begin(), edges.end() - 4);
    for (auto& cause : learned_causes) cause.name.insert(0, "learned_");
    learned_causes.push_back({"learned_stranger", .02});
    for (const std::uint32_t a : {0U, 7U, 9U}) learned_edges.push_back({124, a, .5});
    causes.push_back({"twin", .03});
    for (const std::uint32_t a : {0U, 1U, 2U}) edges.push_back({125, a, .2 + .1 * a});
    truth = {causes, symptoms(500), edges};
    model.network = {learned_causes, symptoms(500), learned_edges};
    model.provenance.resize(125);
    for (auto& from : model.provenance) from.depth = 0;
    model.learner = "quartet";
    model.n_samples = 100'000;
    evaluation = orrery::noisy_or::score_network(model, truth);
  }

  [[nodiscard]] ReportInput input(bool with_truth) const {
    ReportInput result;
    result.model = &model;
    result.title = "A clinic";
    if (with_truth) {
      result.truth = &truth;
      result.evaluation = &evaluation;
    }
    return result;
  }
  [[nodiscard]] std::string page(bool with_truth) const { return html_report(input(with_truth)); }
};

TEST(page_of_many_causes, is_searched_instead_of_drawn) {
  for (const bool with_truth : {false, true}) {
    const std::string page = Clinic().page(with_truth);
    EXPECT_FALSE(contains(page, "class=\"map\""));
    EXPECT_EQ(count(page, "<table class=\"causes stack sorted searched\">"), 1U);
    EXPECT_EQ(count(page, "id=\"search\" hidden"), 1U);  // until there is a script
    EXPECT_EQ(count(page, "<script"), 2U);
    EXPECT_EQ(count(page, "data-children=\""), 125U);
    EXPECT_TRUE(contains(page, "learned_disease123"));
    EXPECT_EQ(page, Clinic().page(with_truth));
  }
}

TEST(page_of_many_causes, gives_the_script_every_child_strongest_first) {
  const std::string page = Clinic().page(false);
  EXPECT_TRUE(contains(page,
                       "<tr data-children=\"4 80 5 70 6 60 7 50\"><th scope=\"row\">"
                       "learned_disease1</th>"));
  EXPECT_TRUE(contains(page, "id=\"variables\">[\"symptom0\",\n\"symptom1\""));
}

TEST(page_of_many_causes, holds_them_against_the_truth_by_cosine) {
  const ReadPage page(Clinic().page(true));
  EXPECT_TRUE(page.says({"124 of 126", "matched"}));
  EXPECT_TRUE(page.says({"2 missed", "1 extra"}));
  EXPECT_TRUE(page.has_row({"causes recovered", "0 of 126"}));  // priors below .02
  EXPECT_TRUE(page.has_row({"causes matched", "124 of 126"}));
  EXPECT_TRUE(page.has_row({"strictly", "124 of 126"}));
  EXPECT_TRUE(page.has_row({"extra causes", "1 of 125"}));
  EXPECT_TRUE(page.has_row({"imprecise causes", "1 of 125"}));
  EXPECT_TRUE(page.says({"learned_stranger", "extra"}));
  EXPECT_EQ(std::ranges::count(page.all("small"), "strict", &orrery::report::Element::text), 124);
}

TEST(page_of_many_causes, says_what_was_missed_and_why) {
  const ReadPage missed = ReadPage(Clinic().page(true)).section("Missed");
  // By falling prior. |disease0|^2 = .64 + .49 + .36 + .25; the twin has the first three: .9255.
  EXPECT_TRUE(missed.says({"twin", "0.93 disease0", "stands for two"}));
  EXPECT_TRUE(missed.says({"disease124", "rare", "40 rows"}));
  const std::vector<Row> rows = missed.rows();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1][0], "twin");
  EXPECT_EQ(rows[2][0], "disease124");
}

TEST(page_of_many_causes, sums_up_by_prior_and_by_strength) {
  const ReadPage page(Clinic().page(true));
  const ReadPage priors = page.section("Causes by prior");
  EXPECT_EQ(priors.rows().size(), 1U + 2U);  // head; below .0005, .01 to .05
  EXPECT_TRUE(priors.has_row({"0.01 to 0.05", "125", "0.992"}));
  EXPECT_EQ(page.section("Edges by strength").rows().size(), 1U + 2U);  // .35 to .65, .65 to .9
  page.expect_bars_in_proportion();
}

TEST(page_of_many_causes, knows_nothing_of_a_truth_that_it_was_not_given) {
  const std::string page = Clinic().page(false);
  EXPECT_TRUE(ReadPage(page).says({"125 causes", "100,000 samples"}));
  for (const char* part : {"cosine</th>", "Scores", "Causes by prior", "perfect quartets"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
}

TEST(page_of_many_causes, needs_nothing_from_elsewhere) {
  const std::string page = Clinic().page(true);
  for (const char* part : {"http:", "https:", "//", "src=", "<link", "<img", "url(", "@import"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
}

TEST(page_of_many_causes, takes_names_of_any_bytes) {
  Clinic clinic;
  std::vector<Observed> observed = symptoms(500);
  observed[3].name = "</script><b>\"\\ \xFF//";
  clinic.model.network = {clinic.model.network.causes(), observed, clinic.model.network.edges()};
  const std::string page = clinic.page(false);
  EXPECT_TRUE(
      contains(page, "\"\\u003c\\u002fscript>\\u003cb>\\\"\\\\ \xEF\xBF\xBD\\u002f\\u002f\""));
  EXPECT_EQ(count(page, "</script>"), 2U);
}

TEST(page_of_many_causes, shows_the_papers_depths_beside_a_network_of_their_size) {
  const std::string small = Clinic().page(true);
  const ReadPage depths = ReadPage(small).section("Depth");
  EXPECT_TRUE(depths.has_row({"0", "124", "124", "124", "124"}));
  EXPECT_TRUE(depths.has_row({"never", "1", "0"}));
  EXPECT_TRUE(depths.has_row({"missed", "", "2"}));
  EXPECT_FALSE(contains(small, "aQMR"));

  LearnedModel model;
  model.network = orrery::model::generate_network("qmr", 1).value();
  model.provenance.resize(570);
  for (auto& from : model.provenance) from.depth = 0;
  const auto evaluation = orrery::noisy_or::score_network(model, model.network);
  ReportInput input;
  input.model = &model;
  input.truth = &model.network;
  input.evaluation = &evaluation;
  const std::string page = html_report(input);
  const ReadPage read(page);
  EXPECT_TRUE(read.says({"570 of 570", "matched"}));
  EXPECT_TRUE(read.section("Depth").has_row({"469", "527"}));
  EXPECT_TRUE(read.section("Depth").has_row({"4", "2"}));
  EXPECT_FALSE(contains(page, "class=\"missed\""));
  EXPECT_LT(page.size(), 5'000'000U);
}

}  // namespace
