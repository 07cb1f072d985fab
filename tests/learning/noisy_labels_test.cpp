#include "learning/noisy_labels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

using Row = std::vector<std::uint16_t>;

NoisyLabelClassifiers train_on(const data::BitPanels& values, const std::vector<NoisyLabel>& labels,
                               const NoisyLabelOptions& options = {}, int threads = 1) {
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  Checkpoints checkpoints;
  const data::RowLists rows(values, threads);
  return train_noisy_labels({lone_team(), threads, checkpoints, stages}, rows, values.n_columns(),
                            labels, options);
}

data::BitPanels drawn(std::size_t n_columns, std::size_t n_rows,
                      const std::function<void(RowRandom&, std::vector<bool>&)>& draw) {
  data::BitPanels values(n_columns, n_rows);
  std::vector<bool> row(n_columns);
  for (std::size_t r = 0; r < n_rows; ++r) {
    RowRandom random(5, Stream::rows, r);
    draw(random, row);
    for (std::size_t c = 0; c < n_columns; ++c) values.set(r, c, row[c]);
  }
  return values;
}

/// A cause of prior .3 with the anchor in column 0 (.1, .8), and three findings of it.
data::BitPanels findings_of_one_cause(std::size_t n_rows) {
  return drawn(4, n_rows, [](RowRandom& random, std::vector<bool>& row) {
    const bool y = random.bernoulli(.3);
    row[0] = random.bernoulli(y ? .8 : .1);
    row[1] = random.bernoulli(y ? .7 : .2);
    row[2] = random.bernoulli(y ? .4 : .1);
    row[3] = random.bernoulli(.5);
  });
}

double logistic(double t) { return 1 / (1 + std::exp(-t)); }

/// The gradient of 1/2 |w|^2 + sum of cost(label) log(1 + exp(-+t)), by its definition.
std::vector<double> gradient(const data::BitPanels& values, const NoisyLabel& label,
                             const std::vector<double>& w) {
  std::vector<double> slope = w;
  for (std::size_t r = 0; r < values.n_rows(); ++r) {
    std::vector<double> x(w.size(), 1);
    for (std::size_t c = 0; c < values.n_columns(); ++c) {
      x[c] = c != label.column && values.at(r, c) ? 1 : 0;
    }
    double t = 0;
    for (std::size_t c = 0; c < x.size(); ++c) t += w[c] * x[c];
    const bool on = values.at(r, label.column);
    const double alpha = (label.on + label.off) / 2;
    const double cost = on ? 2 * (1 - alpha) : 2 * alpha;
    for (std::size_t c = 0; c < x.size(); ++c) slope[c] += cost * (logistic(t) - on) * x[c];
  }
  return slope;
}

TEST(NoisyLabels, weights_minimise_the_loss_with_label_dependent_costs) {
  const data::BitPanels values = findings_of_one_cause(500);
  for (const auto& [off, on] : {std::pair{0., 1.}, {.1, .8}, {.05, .3}}) {
    const NoisyLabel label{0, off, on, {0}};
    const NoisyLabelClassifiers found = train_on(values, {label});
    const auto& classifier = found.classifier(0);
    // Slopes of the loss at the start are sums over 500 rows; 1e-6 of that is what is asked for.
    for (const double slope : gradient(values, label, classifier.weights)) {
      EXPECT_NEAR(slope, 0, 1e-3);
    }
    EXPECT_EQ(classifier.weights[0], 0);
    EXPECT_GT(classifier.weights[1], .5);
  }
}

TEST(NoisyLabels, probabilities_are_those_of_the_clean_label) {
  // One finding: the scores have a parameter for each of its values, and nothing is approximate.
  const std::size_t n = 40000;
  const data::BitPanels values = drawn(2, n, [](RowRandom& random, std::vector<bool>& row) {
    const bool y = random.bernoulli(.3);
    row[0] = random.bernoulli(y ? .8 : .1);
    row[1] = random.bernoulli(y ? .7 : .2);
  });
  const NoisyLabelClassifiers found =
      train_on(values, {{0, .1, .8, {0}}}, {.loss_weight = 1e4, .tolerance = 1e-9});
  for (const bool x : {false, true}) {
    double rows = 0;
    double labels = 0;
    for (std::size_t r = 0; r < n; ++r) {
      if (values.at(r, 1) != x) continue;
      ++rows;
      labels += values.at(r, 0) ? 1 : 0;
    }
    const Row row = x ? Row{1} : Row{};
    EXPECT_NEAR(found.estimate(0, row), (labels / rows - .1) / .7, 1e-6);
    // P(y | x) by Bayes; four standard errors of a share of at least 14,000 labels, over .7.
    const double on = .3 * (x ? .7 : .3);
    const double off = .7 * (x ? .2 : .8);
    EXPECT_NEAR(found.probability(0, row), on / (on + off), 4 * .5 / std::sqrt(14000.) / .7);
  }
  EXPECT_NEAR(found.classifier(0).prior, .3, 4 * .5 / std::sqrt(40000.) / .7);
}

TEST(NoisyLabels, a_score_of_0_means_even_odds) {
  const data::BitPanels values = findings_of_one_cause(300);
  for (const auto& [off, on] : {std::pair{0., 1.}, {.1, .8}, {.3, .4}}) {
    const NoisyLabelClassifiers even({{off, on, .5, {0, 0, 0, 0, 0}}});
    EXPECT_NEAR(even.estimate(0, {}), .5, 1e-12);
    const NoisyLabelClassifiers more({{off, on, .5, {0, 0, 0, 0, 1e-3}}});
    EXPECT_GT(more.estimate(0, {}), .5);
  }
}

TEST(NoisyLabels, probabilities_stay_between_0_and_1_while_estimates_may_not) {
  const NoisyLabelClassifiers sure({{.1, .8, .5, {0, 100, -100}}});
  EXPECT_EQ(sure.probability(0, Row{}), 0);
  EXPECT_NEAR(sure.estimate(0, Row{}), -.1 / .7, 1e-9);
  const NoisyLabelClassifiers other({{.1, .8, .5, {0, 200, -100}}});
  EXPECT_EQ(other.probability(0, Row{1}), 1);
  EXPECT_NEAR(other.estimate(0, Row{1}), .9 / .7, 1e-9);
}

TEST(NoisyLabels, an_anchor_that_never_changes_gives_one_probability) {
  data::BitPanels values(2, 10);
  values.set(3, 1, true);
  EXPECT_EQ(train_on(values, {{0, .1, .8, {0}}}).probability(0, Row{1}), 0);
  EXPECT_EQ(train_on(values, {{0, 0, 1, {0}}}).probability(0, Row{}), 0);
  for (std::size_t r = 0; r < 10; ++r) values.set(r, 0, true);
  EXPECT_EQ(train_on(values, {{0, 0, 1, {0}}}).probability(0, Row{1}), 1);
  EXPECT_NEAR(train_on(values, {{0, .1, .8, {0}}}).probability(0, Row{}), 1, 1e-12);
}

TEST(NoisyLabels, what_is_left_out_has_no_weight) {
  const data::BitPanels values = findings_of_one_cause(300);
  const NoisyLabelClassifiers found = train_on(values, {{0, .1, .8, {0, 1}}});
  EXPECT_EQ(found.score(0, Row{0, 1, 2}), found.score(0, Row{2}));
  EXPECT_NE(found.score(0, Row{2}), found.score(0, Row{}));
}

TEST(NoisyLabels, threads_change_nothing) {
  const data::BitPanels values = findings_of_one_cause(700);
  const std::vector<NoisyLabel> labels{
      {0, .1, .8, {0}}, {1, .2, .7, {1}}, {2, .1, .4, {2}}, {3, 0, .5, {3}}};
  const NoisyLabelClassifiers alone = train_on(values, labels);
  const NoisyLabelClassifiers shared = train_on(values, labels, {}, 3);
  const data::RowLists rows(values, 1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(alone.classifier(i).weights, shared.classifier(i).weights);
  }
  EXPECT_EQ(impute_causes(alone, rows, 3, 1), impute_causes(shared, rows, 3, 3));
}

TEST(NoisyLabels, imputed_causes_are_drawn_from_their_probabilities) {
  const std::size_t n = 20000;
  data::BitPanels values(1, n);
  for (std::size_t r = 0; r < n; r += 2) values.set(r, 0, true);
  // P(Y=1) = 1/4 without the column, 3/4 with it; the second cause is never there.
  const double t = std::log(3.);
  const NoisyLabelClassifiers known({{0, 1, .5, {2 * t, -t}}, {0, 1, 0, {0, -800}}});
  const data::RowLists rows(values, 1);
  const data::BitPanels causes = impute_causes(known, rows, 1, 2);
  double with = 0;
  double without = 0;
  for (std::size_t r = 0; r < n; ++r) {
    (r % 2 == 0 ? with : without) += causes.at(r, 0) ? 1 : 0;
    EXPECT_FALSE(causes.at(r, 1));
  }
  const double four_errors = 4 * std::sqrt(.1875 / 10000);
  EXPECT_NEAR(with / 10000, .75, four_errors);
  EXPECT_NEAR(without / 10000, .25, four_errors);
  EXPECT_NE(impute_causes(known, rows, 2, 1), causes);
}

/// Leaks .1 .1 .3 and failures .5 .2 .9 of columns 0 1 2, all anchors of the one cause.
model::LearnedModel three_anchors(std::vector<model::Anchor> anchors) {
  model::LearnedModel learned;
  learned.network = {model::NoisyOrNetwork({{"y", .5}}, {{"a", .1}, {"b", .1}, {"c", .3}},
                                           {{0, 0, .5}, {0, 1, .2}, {0, 2, .9}}),
                     model::CauseNetwork::independent(std::vector{.5}), std::move(anchors)};
  return learned;
}

TEST(NoisyLabels, the_most_telling_anchor_is_the_label) {
  const auto labels = noisy_labels(three_anchors({{0, 0}, {0, 1}, {0, 2}}));
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].column, 1U);
  EXPECT_DOUBLE_EQ(labels[0].off, .1);
  EXPECT_DOUBLE_EQ(labels[0].on, 1 - .9 * .2);
  EXPECT_EQ(labels[0].left_out, (std::vector<std::uint32_t>{0, 1, 2}));
  model::LearnedModel told = three_anchors({{0, 0}, {0, 1}});
  told.rates = {{.05, .9, 0, 0, "given"}, {.2, .8, 0, 0, "given"}};
  EXPECT_EQ(noisy_labels(told)[0].column, 0U);
  EXPECT_EQ(noisy_labels(told)[0].on, .9);
  EXPECT_THROW((void)noisy_labels(three_anchors({})), InputError);
}

}  // namespace
}  // namespace orrery::learning
