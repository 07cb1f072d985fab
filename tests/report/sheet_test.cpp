#include "report/sheet.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/parts.hpp"

namespace orrery::report {
namespace {

/// Two sections, of which one has a table of two rows that differ in what they tell.
Sheet example() {
  Sheet sheet;
  Section& scores = sheet.section("", "Scores");
  scores.sentences.push_back("1 of 2 causes found");
  scores.tell("found", 1, "causes found", "1 of 2", "by name");
  scores.data("extra", 0);
  scores.data("coverage/priors", {1, 2});
  scores.show("for people", "seen");
  Section& model = sheet.section("model", "The model");
  model.remarks.push_back("few rows");
  Table& causes = model.table("causes", "Causes", "of both");
  causes.row().tell("name", "flu", "cause", "flu").tell("prior", .25, "prior", "0.25");
  causes.row().tell("name", "cold", "cause", "cold").data("rounds", 3).show("seen in", "12");
  return sheet;
}

TEST(Sheet, json_has_what_is_told_and_not_what_people_alone_read) {
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "found": 1, "extra": 0, "coverage": {"priors": [1, 2]},
    "model": {"remarks": ["few rows"],
              "causes": [{"name": "flu", "prior": 0.25}, {"name": "cold", "rounds": 3}]}})");
  EXPECT_EQ(as_json(example()), expected);
}

TEST(Sheet, text_puts_facts_and_columns_below_one_another) {
  EXPECT_EQ(as_text(example()),
            "1 of 2 causes found\n"
            "  causes found  1 of 2  (by name)\n"
            "  for people    seen\n"
            "Causes (of both):\n"
            "  cause  prior  seen in\n"
            "  flu     0.25\n"
            "  cold               12\n"
            "  few rows\n");
}

TEST(Sheet, the_page_has_a_row_for_each_fact_and_a_table) {
  const Sheet sheet = example();
  const std::string scores = as_html(sheet.sections[0]);
  EXPECT_TRUE(contains(scores, "<h2>Scores</h2>"));
  EXPECT_TRUE(
      contains(scores, "<th scope=\"row\">causes found</th><td>1 of 2</td><td>by name</td>"));
  EXPECT_FALSE(contains(scores, "extra"));
  const std::string model = as_html(sheet.sections[1]);
  EXPECT_EQ(count(model, "<h2>"), 1U);  // it has no facts: the table alone
  EXPECT_EQ(count(model, "<tr>"), 3U);
}

TEST(Sheet, text_says_how_many_rows_it_leaves_out) {
  Sheet sheet;
  Table& table = sheet.section("", "").table("rows", "Rows");
  table.most_shown = 2;
  table.all_rows = "-v lists all";
  for (int i = 0; i < 5; ++i) table.row().tell("i", i, "i", std::to_string(i));
  table.row().data("i", 5);  // not for people
  EXPECT_EQ(as_text(sheet), "Rows:\n  i\n  0\n  1\n  ... and 3 more: -v lists all\n");
  EXPECT_EQ(as_text(sheet, {.has_every_row = true}), "Rows:\n  i\n  0\n  1\n  2\n  3\n  4\n");
  EXPECT_EQ(as_json(sheet)["rows"].size(), 6U);
}

TEST(Sheet, what_is_for_json_alone_is_not_read_by_people) {
  Sheet sheet;
  Section& section = sheet.section("", "");
  section.table("untitled", "").row().tell("a", 1, "a", "1");
  Section& silent = sheet.section("silent", "Silent");
  silent.sentences.push_back("not said");
  silent.in_json_alone = true;
  EXPECT_EQ(as_text(sheet), "");
  EXPECT_EQ(as_html(section), "");
  EXPECT_EQ(as_json(sheet), nlohmann::json::parse(R"({"untitled": [{"a": 1}], "silent": {}})"));
}

TEST(Sheet, names_of_any_bytes_are_made_printable) {
  Sheet sheet;
  Section& section = sheet.section("", "<title>");
  section.show("<label>", "a\033[2Jb\xff", "note & more");
  EXPECT_FALSE(contains(as_text(sheet), "\033"));
  EXPECT_TRUE(contains(as_text(sheet), "a\uFFFD[2Jb\uFFFD"));
  const std::string html = as_html(section);
  EXPECT_TRUE(contains(html, "&lt;title&gt;"));
  EXPECT_TRUE(contains(html, "&lt;label&gt;"));
  EXPECT_TRUE(contains(html, "note &amp; more"));
}

TEST(Sheet, shares_are_bars_on_the_page) {
  Sheet sheet;
  Section& section = sheet.section("", "");
  section.table("", "Bands").row().show_share("recall", "0.250", .25);
  EXPECT_TRUE(contains(as_html(section), "--v:25.0%\">0.250</td>"));
  EXPECT_EQ(as_text(sheet), "Bands:\n  recall\n   0.250\n");
}

TEST(Sheet, a_cell_may_have_html_of_its_own) {
  Sheet sheet;
  Section& section = sheet.section("", "");
  section.table("", "Causes").row().show_html("children", "x, y", "<b>x</b> <b>y</b>");
  EXPECT_TRUE(contains(as_html(section), "<td class=\"list\"><b>x</b> <b>y</b></td>"));
  EXPECT_TRUE(contains(as_html(section), "<th scope=\"col\">children</th>"));
  EXPECT_EQ(as_text(sheet), "Causes:\n  children\n  x, y\n");
}

TEST(Sheet, infinity_is_null) {
  EXPECT_EQ(finite_or_null(1.5), nlohmann::json(1.5));
  EXPECT_TRUE(finite_or_null(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_TRUE(finite_or_null(std::numeric_limits<double>::quiet_NaN()).is_null());
}

}  // namespace
TEST(Sheet, verdicts_are_coloured_where_there_are_colours) {
  Sheet sheet;
  Section& section = sheet.section("", "Scores");
  section.sentences.push_back("two causes");
  section.judge("1 of 2 causes recovered", judged(false));
  section.show("rank", "holds", "by 3").judge(judged(true));
  section.remarks.push_back("odd");
  Table& table = section.table("", "Causes");
  table.row().show("cause", "flu").show("recovered", "yes").judge(judged(true));
  table.row().show("cause", "common cold").show("recovered", "no").judge(judged(false));
  const std::string plain = as_text(sheet);
  EXPECT_EQ(plain,
            "two causes\n1 of 2 causes recovered\n  rank  holds  (by 3)\n"
            "Causes:\n  cause        recovered\n  flu          yes\n  common cold  no\n  odd\n");
  EXPECT_EQ(as_text(sheet, {.has_colours = true}),
            "two causes\n\033[33m1 of 2 causes recovered\033[0m\n"
            "  rank  \033[32mholds\033[0m  (by 3)\n"
            "Causes:\n  cause        recovered\n  flu          \033[32myes\033[0m\n"
            "  common cold  \033[33mno\033[0m\n  odd\n");
  EXPECT_FALSE(contains(as_json(sheet).dump(), "\033"));
}

}  // namespace orrery::report
