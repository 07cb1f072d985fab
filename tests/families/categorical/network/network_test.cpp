// Categorical networks, and rows of a table as a network numbers them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "families/categorical/network/examples.hpp"
#include "families/categorical/network/inference.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::model {
namespace {

using namespace categorical_examples;
using Causes = std::vector<CategoricalCause>;
using Variables = std::vector<CategoricalVariable>;

template <class Work>
void expect_refusal(const Work& work, const std::string& text) {
  try {
    work();
    ADD_FAILURE() << "accepted; expected: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

void expect_refused(const std::function<void(Causes&, Variables&)>& change,
                    const std::string& text) {
  Causes causes = small().causes();
  Variables variables = small().variables();
  change(causes, variables);
  expect_refusal([&] { (void)CategoricalNetwork(causes, variables); }, text);
}

TEST(CategoricalNetwork, sizes_are_those_of_its_tables) {
  const CategoricalNetwork network = small();
  EXPECT_EQ(network.n_causes(), 2U);
  EXPECT_EQ(network.n_observed(), 4U);
  EXPECT_EQ(network.n_edges(), 4U);
  EXPECT_EQ(network.names(), (std::vector<std::string>{"free", "of u", "of v", "of both"}));
  EXPECT_EQ(network.n_configurations(0), 1U);
  EXPECT_EQ(network.n_configurations(1), 2U);
  EXPECT_EQ(network.n_configurations(2), 3U);
  EXPECT_EQ(network.n_configurations(3), 6U);
}

TEST(CategoricalNetwork, rounded_rows_are_scaled_and_then_stay_as_they_are) {
  Causes causes = {{"u", {.5, .5 + 4e-10}}};
  Variables variables = {
      {"x", {"a", "b", "c"}, {0}, {.3333333333, .3333333333, .3333333333, .1, .2, .7}, {}}};
  const CategoricalNetwork network(causes, variables);
  EXPECT_NE(network.causes()[0].prior, causes[0].prior);
  EXPECT_NEAR(network.causes()[0].prior[0] + network.causes()[0].prior[1], 1, 1e-15);
  EXPECT_EQ(network.variables()[0].table[0], network.variables()[0].table[2]);
  EXPECT_NEAR(network.variables()[0].table[0], 1 / 3., 1e-15);
  EXPECT_EQ(network.variables()[0].table[5], .7);
  EXPECT_TRUE(CategoricalNetwork(network.causes(), network.variables()) == network);
}

TEST(CategoricalNetwork, causes_that_do_not_fit_are_refused) {
  expect_refused([](Causes& c, Variables&) { c[1].name = c[0].name; },
                 "causes[1] repeats the name 'u'");
  expect_refused([](Causes& c, Variables&) { c[0].name = ""; }, "causes[0] has 0 bytes");
  expect_refused([](Causes& c, Variables&) { c[0].prior = {1}; }, "cause \"u\" has 1 states; 2 to");
  expect_refused([](Causes& c, Variables&) { c[0].prior.assign(65, 1 / 65.); }, "has 65 states");
  expect_refused(
      [](Causes& c, Variables&) {
        c[0].prior = {1.5, -.5};
      },
      "the prior of cause \"u\"[1] = -0.5");
  expect_refused([](Causes& c, Variables&) { c[0].prior[1] = std::nan(""); }, "[1] = nan");
  expect_refused([](Causes& c, Variables&) { c[0].prior[1] = .5; }, "sums to 0.75; it must sum");
  expect_refused([](Causes& c, Variables&) { c[0].prior = {1e308, 1e308}; }, "sums to inf");
}

TEST(CategoricalNetwork, variables_that_do_not_fit_are_refused) {
  expect_refused([](Causes&, Variables& v) { v.clear(); }, "no observed variable");
  expect_refused([](Causes&, Variables& v) { v[1].name = "free"; },
                 "observed[1] repeats the name 'free'");
  expect_refused(
      [](Causes&, Variables& v) {
        v[0].categories = {"no", "no"};
      },
      "categories of 'free'[1] repeats");
  expect_refused([](Causes&, Variables& v) { v[0].categories.clear(); }, "'free' has 0 categories");
  expect_refused(
      [](Causes&, Variables& v) {
        v[3].parents = {1, 0};
      },
      "\"of both\" has the parents [1, 0]; rising numbers of 2 causes");
  expect_refused([](Causes&, Variables& v) { v[3].parents = {0, 0}; }, "the parents [0, 0]");
  expect_refused([](Causes&, Variables& v) { v[3].parents = {0, 2}; }, "the parents [0, 2]");
  expect_refused([](Causes&, Variables& v) { v[1].parents = {}; },
                 "the table of \"of u\" has 6 values; 1 rows of 3 are needed");
  expect_refused([](Causes&, Variables& v) { v[1].table[4] = -1; },
                 "row 1 of the table of \"of u\"[1] = -1");
  expect_refused([](Causes&, Variables& v) { v[1].table[3] = .5; },
                 "row 1 of the table of \"of u\"");
  expect_refused([](Causes&, Variables& v) { v[2].counts.pop_back(); },
                 "the counts of \"of v\" has 5 values");
  expect_refused([](Causes&, Variables& v) { v[2].counts[3] = 0; },
                 "row 1 of the counts of \"of v\" has 0");
  expect_refused([](Causes&, Variables& v) { v[2].counts[5] = INFINITY; }, "has inf");
}

TEST(CategoricalNetwork, tables_beyond_any_memory_are_refused_before_they_are_looked_at) {
  Causes causes(64, {"", {.5, .5}});
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < 64; ++k) {
    causes[k].name = fmt::format("u{}", k);
    all.push_back(k);
  }
  // 2^64 rows, which is 0 in 64 bits.
  expect_refusal(
      [&] {
        (void)CategoricalNetwork(causes, {{"x", {"a", "b"}, all, {}, {}}});
      },
      "more than 16777216 entries");
}

TEST(CategoricalNetwork, what_was_learned_must_fit_the_network) {
  const auto refused = [](const std::function<void(LearnedCategorical&)>& change,
                          const std::string& text) {
    LearnedCategorical learned = learned_categorical_example();
    change(learned);
    expect_refusal([&] { check(learned); }, text);
  };
  EXPECT_NO_THROW(check(learned_categorical_example()));
  EXPECT_NO_THROW(check(LearnedCategorical{}));
  using L = LearnedCategorical;
  refused([](L& l) { l.structure.conservativeResize(3, 4); }, "structure has 3 rows of 4");
  refused([](L& l) { l.parent_sets.pop_back(); }, "structure has 4 rows of 4 values; 4 rows of 3");
  refused([](L& l) { l.parent_sets.clear(); }, "0 rows of 0 are needed");
  refused([](L& l) { l.parent_sets[3] = {1}; }, "parent_sets[3] repeats [1]");
  refused([](L& l) { l.parent_sets[3] = {1, 2}; }, "parent_sets[3] has the parents [1, 2]");
  refused([](L& l) { l.structure(1, 0) = .5; }, "structure[1] sums to 1.5");
  refused([](L& l) { l.structure(1, 1) = std::nan(""); }, "structure[1][1] = nan");
  refused([](L& l) { l.modes[1].variable = 4; }, "modes[1] is of variable 4; there are 4");
  refused([](L& l) { l.modes[2].parents = {1, 0}; }, "modes[2] has the parents [1, 0]");
}

/// Two variables, (no, yes) and (low, middle, high).
CategoricalNetwork categorical_network() {
  return {{{"a", {.5, .5}}},
          {{"rash", {"no", "yes"}, {0}, {.5, .5, .1, .9}, {}},
           {"fever", {"low", "middle", "high"}, {}, {.2, .3, .5}, {}}}};
}

/// The same columns and categories in another order, a value missing.
data::CategoricalTable table() {
  return {{"fever", "rash"},
          {{"high", "low", "extreme", "middle"}, {"yes", "no"}},
          3,
          {0, 1, data::missing_code, 0, 3, 1}};
}

std::string rows_refusal(const data::CategoricalTable& given) {
  try {
    (void)in_order_of(categorical_network(), given, "data.h5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CategoricalRows, columns_and_categories_are_matched_by_name) {
  const data::CategoricalTable sorted = in_order_of(categorical_network(), table(), "data.h5");
  EXPECT_EQ(sorted.names, (std::vector<std::string>{"rash", "fever"}));
  EXPECT_EQ(sorted.categories[1], (std::vector<std::string>{"low", "middle", "high"}));
  EXPECT_EQ(sorted.n_rows, 3U);
  EXPECT_EQ(sorted.codes, (std::vector<std::uint8_t>{0, 2, 1, data::missing_code, 0, 1}));
}

TEST(CategoricalRows, an_unknown_category_is_named_with_its_row_and_column) {
  data::CategoricalTable given = table();
  given.codes[4] = 2;
  const std::string message = rows_refusal(given);
  for (const char* part :
       {"data.h5", "row 2", "fever", "extreme", "\"low\", \"middle\", \"high\""}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(CategoricalRows, columns_that_are_missing_are_named_and_others_left_out) {
  data::CategoricalTable given = table();
  given.names[1] = "itch";
  EXPECT_NE(rows_refusal(given).find("no column is named \"rash\""), std::string::npos)
      << rows_refusal(given);
  given = table();
  given.names.push_back("itch");
  given.categories.push_back({"no"});
  given.codes = {0, 1, 0, data::missing_code, 0, 0, 3, 1, 0};
  EXPECT_EQ(in_order_of(categorical_network(), given, "data.h5").codes,
            in_order_of(categorical_network(), table(), "data.h5").codes);
}

}  // namespace
}  // namespace orrery::model
