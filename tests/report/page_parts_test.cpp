// What every page has around its sections, and what its style sheet promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/page.hpp"
#include "report/parts.hpp"
#include "report/read_page.hpp"

namespace orrery::report {
namespace {

PageParts parts_of(std::string body) {
  PageParts parts;
  parts.title = "T & U";
  parts.summary = "2 things found";
  parts.body = std::move(body);
  return parts;
}

Colophon colophon() {
  Colophon of;
  of.file = "m<1>.h5";
  of.made_by = MadeBy{"orrery learn quartet data.h5 -o m.h5",
                      "9.8.7",
                      "2026-01-02T03:04:05Z",
                      "here",
                      7,
                      2,
                      4,
                      "0123abc"};
  of.data_file = "data.h5";
  of.data_digest = 0xabc;
  of.model_digest = 0xdef;
  of.n_samples = 1234;
  of.papers = {"jernite2013"};
  return of;
}

TEST(html_page, says_where_the_model_came_from_and_what_to_cite) {
  const ReadPage page(html_page(parts_of(""), colophon()));
  const ReadPage foot = page.section("Where it came from");
  EXPECT_TRUE(foot.has_row({"model", "m<1>.h5"}));
  EXPECT_TRUE(foot.has_row({"command", "orrery learn quartet data.h5 -o m.h5"}));
  EXPECT_TRUE(foot.has_row({"program", "orrery 9.8.7 (commit 0123abc)"}));
  EXPECT_TRUE(foot.has_row({"seed", "7"}));
  EXPECT_TRUE(foot.has_row({"started", "2026-01-02T03:04:05Z"}));
  EXPECT_TRUE(foot.has_row({"host", "here, 2 ranks of 4 threads"}));
  EXPECT_TRUE(foot.has_row({"data file", "data.h5"}));
  EXPECT_TRUE(foot.has_row({"digest of the data", "0000000000000abc"}));
  EXPECT_TRUE(foot.has_row({"digest of the model", "0000000000000def"}));
  EXPECT_TRUE(foot.has_row({"samples", "1,234"}));
  EXPECT_TRUE(foot.says({"Cite as", "orrery, version 9.8.7"}));
  EXPECT_TRUE(foot.says({"Y. Jernite, Y. Halpern, D. Sontag. Discovering hidden variables"}));
}

TEST(html_page, says_that_it_is_not_recorded_where_a_network_came_from) {
  Colophon built_in;
  built_in.file = "img";
  const ReadPage foot = ReadPage(html_page(parts_of(""), built_in)).section("Where it came from");
  EXPECT_TRUE(foot.says({"not recorded"}));
  EXPECT_FALSE(foot.says({"seed"}));
  EXPECT_FALSE(foot.says({"digest"}));
}

TEST(html_page, explains_the_terms_that_it_uses_and_no_others) {
  const ReadPage page(html_page(
      parts_of("<section><h2>Leaks</h2><p>Priors of 2 <b>quartets</b>.</p><svg><title>stability"
               "</title></svg></section><style>.depth{}</style>"),
      colophon()));
  std::vector<std::string> terms;
  for (const Element& term : page.all("dt")) terms.push_back(term.text);
  EXPECT_EQ(terms, (std::vector<std::string>{"leak", "prior", "quartet"}));
  EXPECT_EQ(page.count("dd"), 3U);
}

TEST(html_page, puts_the_verdict_first_and_the_foot_last) {
  PageParts parts = parts_of("<section><h2>Middle</h2><p>a cause</p></section>");
  parts.verdict.achieved = {"it works"};
  const std::string page = html_page(parts, colophon());
  std::size_t at = 0;
  for (const char* part : {"2 things found", "It works.", "Middle", "Glossary",
                           "Where it came from", "Cite as", "</footer>"}) {
    const std::size_t place = page.find(part, at);
    ASSERT_NE(place, std::string::npos) << part;
    at = place;
  }
}

TEST(html_page, goes_down_one_heading_at_a_time) {
  const ReadPage page(
      html_page(parts_of("<section><h2>a</h2><h3>a cause</h3></section>"), colophon()));
  std::size_t level = 0;
  for (const Element& element : page.all("")) {
    if (element.name.size() != 2 || element.name[0] != 'h' || element.name[1] > '6') continue;
    if (element.name[1] < '1') continue;
    const auto next = static_cast<std::size_t>(element.name[1] - '0');
    EXPECT_LE(next, level + 1) << element.text;
    level = next;
  }
  EXPECT_EQ(page.count("h1"), 1U);
  EXPECT_EQ(page.all("html").at(0).attribute("lang"), "en");
}

TEST(Verdict, is_green_where_nothing_speaks_against_the_model) {
  Verdict verdict;
  EXPECT_EQ(verdict_html(verdict), "");
  verdict.not_judged = "give rows";
  EXPECT_TRUE(ReadPage(verdict_html(verdict)).says({"Not judged."}));
  EXPECT_EQ(ReadPage(verdict_html(verdict)).count("div", "amber"), 1U);
  verdict.add_found(9, 10, "edges were found");
  const ReadPage good(verdict_html(verdict));
  EXPECT_EQ(good.count("div", "good"), 1U);
  EXPECT_TRUE(good.says({"Good. 9 of 10 true edges were found."}));
  EXPECT_TRUE(good.says({"Give rows."}));
}

TEST(Verdict, is_amber_with_a_single_doubt) {
  Verdict verdict;
  verdict.add_found(8, 10, "edges were found");
  verdict.add_wrong(0, "learned edge");
  verdict.add_wrong(1, "learned edge");
  verdict.add_remarks(0);
  verdict.achieved = {"a < b"};
  const ReadPage page(verdict_html(verdict));
  EXPECT_EQ(page.count("div", "amber"), 1U);
  EXPECT_TRUE(page.says({"Take care. A < b."}));
  EXPECT_TRUE(page.says({"8 of 10 true edges were found."}));
  EXPECT_TRUE(page.says({"1 learned edge is not in the true network."}));
  EXPECT_EQ(page.count("li"), 2U);
}

TEST(table_section, says_on_paper_how_many_rows_it_prints) {
  EXPECT_FALSE(contains(table_section("t", "", "", "", {most_printed_rows, false}), "printed"));
  EXPECT_TRUE(contains(table_section("t", "", "", "", {most_printed_rows + 1, false}),
                       "The first 100 of 101 rows are printed"));
  // The style sheet hides the others.
  EXPECT_TRUE(contains(style_sheet, "tbody tr:nth-child(n+101){display:none}"));
  EXPECT_EQ(most_printed_rows, 100U);
}

// Contrast of text on what is behind it, as WCAG 2 has it: 4.5 at least.

using Colours = std::map<std::string, std::string>;

Colours colours_after(const std::string& style, const std::string& where) {
  Colours colours;
  std::size_t at = style.find(where);
  EXPECT_NE(at, std::string::npos) << where;
  const std::size_t end = style.find('}', at);
  for (at = style.find("--", at); at < end; at = style.find("--", at + 2)) {
    const std::size_t colon = style.find(':', at);
    colours[style.substr(at + 2, colon - at - 2)] =
        style.substr(colon + 1, style.find_first_of(";}", colon) - colon - 1);
  }
  return colours;
}

double luminance(std::string colour) {
  if (colour.size() == 4) {
    colour = {'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]};
  }
  const double weights[] = {.2126, .7152, .0722};
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double part = std::stoi(colour.substr(1 + 2 * c, 2), nullptr, 16) / 255.;
    sum += weights[c] * (part <= .04045 ? part / 12.92 : std::pow((part + .055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + .05) / (low + .05);
}

TEST(style_sheet, text_can_be_read_in_light_in_dark_and_on_paper) {
  const std::string style = style_sheet;
  for (const char* where : {":root{color-scheme", "prefers-color-scheme:dark", "@media print"}) {
    const Colours colours = colours_after(style, where);
    for (const char* ink : {"ink", "soft", "brass", "missed", "extra", "heat", "good", "amber"}) {
      for (const char* paper : {"paper", "panel"}) {
        EXPECT_GE(contrast(colours.at(ink), colours.at(paper)), 4.5)
            << where << ": " << ink << " on " << paper;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::report
