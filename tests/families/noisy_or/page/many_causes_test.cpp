// The page of a model of so many causes that they are searched.
#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "families/noisy_or/page/page.hpp"
#include "orrery/model/generators.hpp"
#include "report/parts.hpp"

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

/// From one text to the next.
std::string between(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find(to, begin) - begin);
}

TEST(page_of_many_causes, is_searched_instead_of_drawn) {
  for (const bool with_truth : {false, true}) {
    const std::string page = Clinic().page(with_truth);
    EXPECT_FALSE(contains(page, "class=\"map\""));
    EXPECT_EQ(count(page, "<table class=\"causes sorted searched\">"), 1U);
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
  const std::string page = Clinic().page(true);
  EXPECT_TRUE(contains(page, ">124 of 126 causes matched<"));
  EXPECT_TRUE(contains(page, "<span class=\"missed\">2 missed</span>"));
  EXPECT_TRUE(contains(page, "<span class=\"extra\">1 extra</span>"));
  EXPECT_TRUE(contains(page, "<td>causes recovered</td><td>0 of 126</td>"));  // priors below .02
  EXPECT_TRUE(contains(page, "<td>causes matched</td><td>124 of 126</td>"));
  EXPECT_TRUE(contains(page, "<td>strictly</td><td>124 of 126</td>"));
  EXPECT_TRUE(contains(page, "<td>extra causes</td><td>1 of 125</td>"));
  EXPECT_TRUE(contains(page, "<td>imprecise causes</td><td>1 of 125</td>"));
  const std::string stranger = between(page, ">learned_stranger<", "</tr>");
  EXPECT_TRUE(contains(stranger, "<small>extra</small>"));
  EXPECT_EQ(count(page, "<small>strict</small>"), 124U);
}

TEST(page_of_many_causes, says_what_was_missed_and_why) {
  const std::string page = Clinic().page(true);
  const std::string missed = between(page, "<section class=\"missed\">", "</section>");
  // By falling prior. |disease0|^2 = .64 + .49 + .36 + .25; the twin has the first three: .9255.
  const std::string twin = between(missed, ">twin<", "</tr>");
  EXPECT_TRUE(contains(twin, "0.93 <small>disease0</small>"));
  EXPECT_TRUE(contains(twin, "one learned cause stands for two"));
  const std::string rare = between(missed, ">disease124<", "</tr>");
  EXPECT_TRUE(contains(rare, "rare: present in some 40 rows"));
  EXPECT_LT(missed.find(">twin<"), missed.find(">disease124<"));
  EXPECT_EQ(count(missed, "<tr>"), 3U);
}

TEST(page_of_many_causes, sums_up_by_prior_and_by_strength) {
  const std::string page = Clinic().page(true);
  const std::string priors = between(page, ">Causes by prior<", "</section>");
  EXPECT_EQ(count(priors, "<tr>"), 1U + 2U);  // head; below .0005, .01 to .05
  EXPECT_TRUE(contains(priors,
                       "0.01 to 0.05</td><td class=\"n\">125</td><td class=\"n bar\" "
                       "style=\"--v:99.2%\">0.992</td>"));
  const std::string strengths = between(page, ">Edges by strength<", "</section>");
  EXPECT_EQ(count(strengths, "<tr>"), 1U + 2U);  // .35 to .65, .65 to .9
}

TEST(page_of_many_causes, knows_nothing_of_a_truth_that_it_was_not_given) {
  const std::string page = Clinic().page(false);
  EXPECT_TRUE(contains(page, "125 causes found in 100,000 samples"));
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

TEST(page_of_many_causes, closes_what_it_opens) {
  const std::string page = Clinic().page(true);
  const std::regex tag("<(/?)([a-z][a-z0-9]*)[^<>]*?(/?)>");
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
  const std::string depths = between(small, ">Depth<", "</section>");
  EXPECT_TRUE(contains(depths,
                       "<tr><td>0</td><td class=\"n\">124</td><td class=\"n\">124</td>"
                       "<td class=\"n\">124</td><td class=\"n\">124</td></tr>"));
  EXPECT_TRUE(contains(depths, "<tr><td>never</td><td class=\"n\">1</td><td class=\"n\">0</td>"));
  EXPECT_TRUE(contains(depths, "<tr><td>missed</td><td class=\"n\"></td><td class=\"n\">2</td>"));
  EXPECT_FALSE(contains(depths, "aQMR"));

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
  EXPECT_TRUE(contains(page, ">570 of 570 causes matched<"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">469</td><td class=\"n\">527</td></tr>"));
  EXPECT_TRUE(contains(page, "<td class=\"n\">4</td><td class=\"n\">2</td></tr>"));
  EXPECT_FALSE(contains(page, "class=\"missed\""));
  EXPECT_LT(page.size(), 5'000'000U);
}

}  // namespace
