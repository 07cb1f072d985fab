// Random starts, the climb against all structures, the search on networks that it can find, and
// interrupted ones.
#include "families/categorical/structural_em/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "families/categorical/scores/scores.hpp"
#include "families/categorical/structural_em/cases.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "learning/load.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_em {
namespace {

using model::CategoricalNetwork;

TEST(StructuralEmStart, is_the_full_network_and_a_function_of_seed_and_restart) {
  const data::CategoricalTable table = drawn("categorical:1,2,5", 1, 20);
  for (const StartKind kind : {StartKind::products, StartKind::rows}) {
    const CategoricalNetwork one = random_start(table, 3, 2, kind, 7, 0, "data");
    EXPECT_EQ(one.n_edges(), 15U);
    EXPECT_EQ(one.names(), table.names);
    EXPECT_EQ(one, random_start(table, 3, 2, kind, 7, 0, "data"));
    EXPECT_NE(one, random_start(table, 3, 2, kind, 7, 1, "data"));
    EXPECT_NE(one, random_start(table, 3, 2, kind, 8, 0, "data"));
  }
}

/// Whatever the other cause does, a state of cause 0 multiplies the odds of two categories by the
/// same ratio. What keeps tables positive (1e-6 of a row) moves it a little.
TEST(StructuralEmStart, causes_of_products_have_effects_of_their_own) {
  const data::CategoricalTable table = drawn("categorical:1,2,5", 1, 20);
  const auto log_odds = [](const CategoricalNetwork& network, std::size_t row) {
    const std::vector<double>& values = network.variables()[3].table;
    return std::log(values[4 * row] / values[4 * row + 1]);
  };
  const auto interaction = [&](StartKind kind) {
    const CategoricalNetwork network = random_start(table, 2, 2, kind, 7, 0, "data");
    return std::abs(log_odds(network, 3) - log_odds(network, 2) - log_odds(network, 1) +
                    log_odds(network, 0));
  };
  EXPECT_LT(interaction(StartKind::products), 1e-2);
  EXPECT_GT(interaction(StartKind::rows), .1);
}

std::string refusal(const data::CategoricalTable& table, std::size_t n_causes) {
  try {
    learning::require_learnable(table, n_causes, "data.h5");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CategoricalInputs, rows_and_columns_that_teach_nothing_are_named) {
  constexpr std::uint8_t missing = data::missing_code;
  const data::CategoricalTable good{
      {"x", "y"}, {{"a", "b"}, {"a", "b"}}, 3, {0, 1, 1, 0, 0, missing}};
  EXPECT_EQ(refusal(good, 2), "");
  EXPECT_NE(refusal(good, 3).find("--causes 3 of 2 columns"), std::string::npos);
  data::CategoricalTable bad = good;
  bad.codes = {0, 1, 1, 1, 0, missing};
  EXPECT_NE(refusal(bad, 1).find("column 'y' has the same value"), std::string::npos);
  bad.codes = {0, missing, 1, missing, 0, missing};
  EXPECT_NE(refusal(bad, 1).find("column 'y' has no value"), std::string::npos);
  bad.codes = {0, 1, missing, missing, 1, 0};
  EXPECT_NE(refusal(bad, 1).find("row 1"), std::string::npos);
  bad = {{"x"}, {{"a", "b"}}, 1, {0}};
  EXPECT_NE(refusal(bad, 1).find("1 row;"), std::string::npos);
}

using model::CategoricalNetwork;
using Parents = std::vector<std::uint32_t>;

Fit fitted(const Given& given, CategoricalNetwork network, const FitSettings& settings) {
  Fit fit;
  fit.network = std::move(network);
  while (!fit.is_done) advance(given.data(), settings, fit);
  return fit;
}

/// P(u | codes) of each row under `network`.
std::vector<std::vector<double>> completion(const CategoricalNetwork& network,
                                            const data::CategoricalTable& table) {
  std::vector<std::vector<double>> rows;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    rows.push_back(joint_probabilities(network, table.row(n)));
    double sum = 0;
    for (const double p : rows.back()) sum += p;
    for (double& p : rows.back()) p /= sum;
  }
  return rows;
}

/// The score's parts that depend on variable i, two binary causes, its parents `parents`: counts of
/// the completion, log P(D'|G) - log P(D'|theta,G), and all rows' likelihood anew.
double score_with(const CategoricalNetwork& network, const data::CategoricalTable& table,
                  const std::vector<std::vector<double>>& rows, std::size_t i,
                  const Parents& parents, const ScoreSettings& settings) {
  std::vector<model::CategoricalVariable> variables = network.variables();
  model::CategoricalVariable& variable = variables[i];
  const std::size_t n_categories = variable.n_categories();
  std::vector<double> counts(n_categories << parents.size(), 0);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::uint8_t code = table.row(n)[i];
    if (code == data::missing_code) continue;
    for (std::size_t u = 0; u < 4; ++u) {
      std::size_t j = 0;
      for (std::size_t a = 0; a < parents.size(); ++a) j |= (u >> parents[a] & 1U) << a;
      counts[j * n_categories + code] += rows[n][u];
    }
  }
  variable.parents = parents;
  variable.table = posterior_means(counts, n_categories, settings.alpha);
  variable.counts.clear();
  const double of_table = settings.kind == ScoreKind::bic
                              ? -.5 * std::log(static_cast<double>(rows.size())) *
                                    static_cast<double>((n_categories - 1) << parents.size())
                              : log_marginal(counts, n_categories, settings.alpha) -
                                    complete_log_likelihood(counts, variable.table);
  return of_table + log_likelihood({network.causes(), variables}, table);
}

/// Two causes and four variables: a climb sees at most all four sets of parents.
TEST(StructuralEmClimb, finds_the_best_of_all_parents_of_each_variable) {
  const std::vector<Parents> sets{{}, {0}, {1}, {0, 1}};
  std::size_t n_changed = 0;
  for (const ScoreKind kind : {ScoreKind::cheeseman_stutz, ScoreKind::bic}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Given given(drawn("categorical:2,2,4", seed, 150, .1));
      const FitSettings settings{{kind, 1}, 50, 1e-9};
      const Fit fit = fitted(
          given, random_start(given.table, 2, 2, StartKind::rows, seed, 0, "data"), settings);
      const std::vector<Change> changes = climb(fit.network, given.data(), settings.score);
      const auto rows = completion(fit.network, given.table);
      for (std::uint32_t i = 0; i < 4; ++i) {
        std::vector<double> scores;
        for (const Parents& set : sets) {
          scores.push_back(score_with(fit.network, given.table, rows, i, set, settings.score));
        }
        const auto best = std::ranges::max_element(scores) - scores.begin();
        const auto change = std::ranges::find(changes, i, &Change::variable);
        const Parents found = change == changes.end() ? Parents{0, 1} : change->parents;
        // From both parents: the empty set is seen only through a better set of one.
        const bool is_seen = best != 0 || std::max(scores[1], scores[2]) > scores[3];
        if (is_seen) {
          EXPECT_EQ(found, sets[static_cast<std::size_t>(best)]) << seed << ' ' << i;
        }
        if (change == changes.end()) continue;
        ++n_changed;
        const auto place = std::ranges::find(sets, found) - sets.begin();
        EXPECT_NEAR(change->gain, scores[static_cast<std::size_t>(place)] - scores[3], 1e-8);
      }
    }
  }
  EXPECT_GT(n_changed, 20U);
}

TEST(StructuralEmClimb, changes_come_by_falling_gain_and_raise_the_score_together) {
  const Given given(drawn("categorical:1,2,12", 4, 400));
  const FitSettings settings{{ScoreKind::cheeseman_stutz, 1}, 100, 1e-7};
  const Fit fit =
      fitted(given, random_start(given.table, 2, 2, StartKind::rows, 4, 0, "data"), settings);
  const std::vector<Change> changes = climb(fit.network, given.data(), settings.score);
  ASSERT_GT(changes.size(), 3U);
  for (std::size_t c = 1; c < changes.size(); ++c) EXPECT_LE(changes[c].gain, changes[c - 1].gain);
  const Fit after = fitted(given, changed(fit.network, changes, changes.size(), 1), settings);
  EXPECT_GT(after.score, fit.score);
  EXPECT_LT(after.network.n_edges(), fit.network.n_edges());
}

Options options_of(std::size_t causes, std::uint64_t restarts) {
  Options options;
  options.causes = causes;
  options.restarts = restarts;
  return options;
}

Fit searched(const data::CategoricalTable& table, const Options& options, int threads = 1) {
  log::configure(log::Level::quiet, true);
  learning::Checkpoints checkpoints;
  std::vector<Stage> stages;
  return search(table, options, 1, "data", {lone_team(), threads, checkpoints, stages});
}

/// One cause of 20 variables with 4 categories, 800 rows; and 5 variables without a parent.
TEST(StructuralEmSearch, finds_which_variables_depend_on_the_cause) {
  const auto truth =
      model::draw_categorical(model::parse_categorical_design("categorical:1,1,20"), 2);
  std::vector<model::CategoricalVariable> variables = truth.variables();
  for (std::size_t i = 15; i < 20; ++i) {
    variables[i].parents.clear();
    variables[i].table.resize(4);
    variables[i].counts.clear();
  }
  const CategoricalNetwork network(truth.causes(), variables);
  for (const ScoreKind kind : {ScoreKind::cheeseman_stutz, ScoreKind::bic}) {
    Options options = options_of(1, 2);
    options.fit.score.kind = kind;
    const Fit found = searched(model::sample_categorical(network, 3, 0, 800), options);
    EXPECT_LE(categorical::score_categorical(found.network, network).difference, 1U);
  }
}

TEST(StructuralEmSearch, is_the_same_for_any_number_of_threads) {
  const data::CategoricalTable table = drawn("categorical:1,2,10", 5, 300, .05);
  const Fit one = searched(table, options_of(2, 2), 1);
  const Fit three = searched(table, options_of(2, 2), 3);
  EXPECT_EQ(one.network, three.network);
  EXPECT_EQ(one.score, three.score);
}

TEST(StructuralEmSearch, more_restarts_are_never_worse) {
  const data::CategoricalTable table = drawn("categorical:2,3,15", 6, 200);
  double before = -std::numeric_limits<double>::infinity();
  for (const std::uint64_t restarts : {1, 2, 4}) {
    const double score = searched(table, options_of(3, restarts)).score;
    EXPECT_GE(score, before);
    before = score;
  }
}

TEST(StructuralEmSearch, too_many_joint_states_are_refused) {
  const data::CategoricalTable table = drawn("categorical:1,2,20", 5, 30);
  EXPECT_THROW((void)searched(table, options_of(17, 1)), InputError);
  // 2^14 joint states of 20 columns with 4 categories are 2^20.3 entries; with 55 categories more
  // than 2^24.
  data::CategoricalTable wide = table;
  wide.categories.assign(20, {});
  for (auto& categories : wide.categories) {
    for (int l = 0; l < 55; ++l) categories.push_back(fmt::format("{}", l));
  }
  EXPECT_EQ(count_joint_states(table, 14, 2, "data"), std::size_t{1} << 14U);
  EXPECT_THROW((void)count_joint_states(wide, 14, 2, "data"), InputError);
}

}  // namespace
}  // namespace orrery::structural_em
