// Loadings by maximum likelihood: climbing exactly, by draws, with labels, and split over threads.
#include "families/noisy_or/anchored/em/em.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "families/noisy_or/anchored/loadings/complete_data.hpp"
#include "learning/alone.hpp"
#include "model/cause_posterior.hpp"
#include "model/drawn_rows.hpp"

namespace orrery::anchored {
namespace {

using model::NoisyOrNetwork;

/// Three causes in a row; an anchor each, and four more variables with two or three causes each.
NoisyOrNetwork truth() {
  std::vector<model::Cause> causes{{"y0", 0}, {"y1", 0}, {"y2", 0}};
  std::vector<model::Observed> observed{{"a0", .02}, {"a1", .02}, {"a2", .02}, {"x0", .05},
                                        {"x1", .1},  {"x2", .05}, {"x3", .02}};
  std::vector<model::Edge> edges{{0, 0, .2}, {1, 1, .2}, {2, 2, .2},  {0, 3, .3},
                                 {1, 3, .6}, {1, 4, .4}, {2, 4, .7},  {0, 5, .5},
                                 {1, 5, .5}, {2, 5, .5}, {2, 6, .25}, {0, 6, .8}};
  return {{causes, observed, edges},
          model::CauseNetwork({{{}, {.3}}, {{0}, {.2, .6}}, {{1}, {.4, .1}}}),
          {{0, 0}, {1, 1}, {2, 2}}};
}

/// The same with all failures .5 and leaks .1.
NoisyOrNetwork start_of(const NoisyOrNetwork& network) {
  auto observed = network.observed();
  auto edges = network.edges();
  for (auto& one : observed) one.leak = .1;
  for (auto& edge : edges) edge.failure = .5;
  return {{network.causes(), observed, edges}, network.cause_network(), network.anchors()};
}

struct DrawnRows {
  data::BitPanels rows, causes;
};

DrawnRows draw(const NoisyOrNetwork& network, std::size_t n) {
  const model::AnchoredSampler sampler(network, 7);
  DrawnRows drawn{data::BitPanels(network.n_observed(), n), data::BitPanels(network.n_causes(), n)};
  std::vector<std::uint8_t> causes(network.n_causes()), observed(network.n_observed());
  for (std::size_t r = 0; r < n; ++r) {
    sampler.draw(r, causes, observed);
    for (std::size_t i = 0; i < causes.size(); ++i) drawn.causes.set(r, i, causes[i] != 0);
    for (std::size_t j = 0; j < observed.size(); ++j) drawn.rows.set(r, j, observed[j] != 0);
  }
  return drawn;
}

double log_likelihood(const model::NoisyOrNetwork& loadings, const data::BitPanels& rows) {
  const NoisyOrNetwork network(loadings, truth().cause_network(), {});
  const model::PreparedAnchored prepared(network);
  model::CausePosterior posterior(prepared, {});
  double sum = 0;
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    std::vector<std::uint64_t> values(1);
    for (std::size_t j = 0; j < rows.n_columns(); ++j) {
      values[0] |= std::uint64_t{rows.at(r, j)} << j;
    }
    posterior.evaluate(r, values, {});
    sum += posterior.log_evidence() / static_cast<double>(rows.n_rows());
  }
  return sum;
}

double largest_gap(const model::NoisyOrNetwork& a, const model::NoisyOrNetwork& b) {
  double gap = 0;
  for (const model::Edge& edge : a.edges()) {
    gap = std::max(gap, std::abs(edge.failure - b.failure(edge.cause, edge.observed)));
  }
  return gap;
}

/// From failures of 1/2, 2000 rows: the likelihood told is that of the parameters, rises by more
/// than the draws' noise, and comes to that of the truth (which has no advantage but noise: half of
/// 19 parameters' chi-square per row, 19 / 4000, three times).
TEST(Em, climbs_to_the_likelihood_of_the_truth) {
  const DrawnRows drawn = draw(truth(), 2000);
  learning::Alone alone;
  EmOptions options;
  options.n_steps = 30;
  options.exact_work = 1e9;
  const EmResult found = run_em(alone.workers(2), start_of(truth()), drawn.rows, {}, options);
  ASSERT_EQ(found.steps.size(), 31U);
  EXPECT_EQ(found.steps[0].n_exact, 2000U);
  EXPECT_NEAR(found.steps.front().log_likelihood, log_likelihood(start_of(truth()), drawn.rows),
              1e-10);
  EXPECT_NEAR(found.steps.back().log_likelihood, log_likelihood(found.loadings, drawn.rows), 1e-10);
  EXPECT_GT(found.steps[1].log_likelihood, found.steps[0].log_likelihood + .1);
  for (std::size_t s = 1; s < found.steps.size(); ++s) {
    EXPECT_GT(found.steps[s].log_likelihood, found.steps[s - 1].log_likelihood - .001) << s;
  }
  EXPECT_GT(found.steps.back().log_likelihood, log_likelihood(truth(), drawn.rows) - .015);
  EXPECT_EQ(found.steps.back().change, 0);
}

/// Chains that go on, instead of exact draws: the same top, within what the draws of 3000 rows and
/// eight states each are worth. Their likelihood is not told.
TEST(Em, chains_lead_where_exact_draws_do) {
  const DrawnRows drawn = draw(truth(), 3000);
  learning::Alone alone;
  EmOptions options;
  options.n_steps = 20;
  options.exact_work = 1e9;
  const EmResult exact = run_em(alone.workers(2), start_of(truth()), drawn.rows, {}, options);
  options.exact_work = 0;
  const EmResult chains = run_em(alone.workers(2), start_of(truth()), drawn.rows, {}, options);
  EXPECT_TRUE(std::isnan(chains.steps.back().log_likelihood));
  EXPECT_EQ(chains.steps.back().n_exact, 0U);
  EXPECT_LT(largest_gap(exact.loadings, chains.loadings), .06);
  EXPECT_NEAR(exact.steps.back().fit, chains.steps.back().fit, .02);
  EXPECT_GT(log_likelihood(chains.loadings, drawn.rows), exact.steps.back().log_likelihood - .005);
}

/// All causes known: a step of EM has nothing to draw, so that steps lead to the top that the
/// likelihood of each variable has.
TEST(Em, known_causes_lead_to_the_likelihoods_top) {
  const DrawnRows drawn = draw(truth(), 2000);
  learning::Alone alone;
  const KnownFit top =
      fit_known_causes(alone.workers(2), start_of(truth()), drawn.rows, drawn.causes, .5);
  EXPECT_EQ(top.n_unfinished, 0U);
  EmOptions options;
  options.n_steps = 100;
  options.n_draws = 1;
  const EmResult steps =
      run_em(alone.workers(2), start_of(truth()), drawn.rows, {&drawn.causes, nullptr}, options);
  EXPECT_LT(largest_gap(top.loadings, steps.loadings), 1e-4);
  // P(row, causes) = P(row | causes) P(causes): the fit is the mean of the first.
  EXPECT_NEAR(steps.steps.back().fit, top.fit, 1e-6);
  EXPECT_GT(steps.steps.back().log_likelihood, steps.steps[0].log_likelihood);
  // 2000 rows, of which the rarest state has some 50: five times sqrt(1 / 4 / 50) at the most.
  EXPECT_LT(largest_gap(top.loadings, truth()), .35);
  ASSERT_EQ(top.errors.failure.size(), top.loadings.edges().size());
  for (std::size_t e = 0; e < top.loadings.edges().size(); ++e) {
    const model::Edge& edge = top.loadings.edges()[e];
    const double deviation = edge.failure - truth().failure(edge.cause, edge.observed);
    EXPECT_LT(std::abs(deviation), 5 * top.errors.failure[e]) << e;
  }
}

/// Labels of every second row: their causes stay as they are.
TEST(Em, labels_of_some_rows_are_kept) {
  const DrawnRows drawn = draw(truth(), 1000);
  data::BitPanels known(3, 1000), wrong(3, 1000);
  for (std::size_t r = 0; r < 1000; r += 2) {
    for (std::size_t i = 0; i < 3; ++i) known.set(r, i, true);
  }
  learning::Alone alone;
  EmOptions options;
  options.n_steps = 10;
  const auto fit = [&](const data::BitPanels& values) {
    return run_em(alone.workers(2), start_of(truth()), drawn.rows, {&values, &known}, options)
        .steps.back()
        .fit;
  };
  // Labels that say no cause is ever on leave half of the findings to the leaks.
  EXPECT_GT(fit(drawn.causes), fit(wrong) + .1);
}

TEST(Em, any_number_of_threads_gives_the_same_bytes) {
  const DrawnRows drawn = draw(truth(), 1500);
  for (const double exact_work : {0.0, 1e9}) {
    EmOptions options;
    options.n_steps = 3;
    options.exact_work = exact_work;
    learning::Alone alone;
    const EmResult one = run_em(alone.workers(1), start_of(truth()), drawn.rows, {}, options);
    const EmResult three = run_em(alone.workers(3), start_of(truth()), drawn.rows, {}, options);
    EXPECT_EQ(one.loadings.edges(), three.loadings.edges());
    for (std::size_t s = 0; s < one.steps.size(); ++s) {
      EXPECT_EQ(one.steps[s].fit, three.steps[s].fit);
    }
    options.seed = 2;
    const EmResult other = run_em(alone.workers(1), start_of(truth()), drawn.rows, {}, options);
    EXPECT_NE(one.loadings.edges(), other.loadings.edges());
  }
}

}  // namespace
}  // namespace orrery::anchored
