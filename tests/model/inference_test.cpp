// Evidence, posteriors and explanations of rows against all 2^n states, one after the other.
#include "orrery/model/inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "model/cause_posterior.hpp"
#include "model/group_states.hpp"
#include "model/inference_oracle.hpp"
#include "model/quickscore.hpp"
#include "model/row_groups.hpp"

namespace orrery::model {
namespace {

using oracle::Row;
using oracle::Value;

struct Case {
  NoisyOrNetwork network;
  Row row;
};

/// Up to 12 causes and 14 variables; corner probabilities unless they are `inner`.
Case random_case(std::uint64_t seed, bool inner) {
  std::mt19937_64 random(seed);
  const auto n = static_cast<std::uint32_t>(1 + random() % 12);
  const auto m = static_cast<std::uint32_t>(1 + random() % 14);
  NoisyOrNetwork network = oracle::random_network(random, n, m, .1 + .6 * oracle::uniform(random));
  if (inner) {
    auto causes = network.causes();
    auto observed = network.observed();
    auto edges = network.edges();
    for (auto& cause : causes) cause.prior = std::pow(10, -4 * oracle::uniform(random)) / 2;
    for (auto& one : observed) one.leak = std::pow(10, -6 * oracle::uniform(random)) / 2;
    for (auto& edge : edges) edge.failure = .98 * oracle::uniform(random);
    network = {causes, observed, edges};
  }
  const double missing = oracle::uniform(random) < .5 ? .2 : 0;
  return {network, oracle::random_row(random, m, .5, missing)};
}

RowInference infer(const InferenceNetwork& network, const Row& row,
                   const InferenceOptions& options = {}) {
  RowInference inference(network, options);
  const oracle::Bits bits = oracle::bits_of(row);
  inference.evaluate(0, bits.values, bits.missing);
  return inference;
}

void expect_exact(const Case& given, std::uint64_t seed) {
  const oracle::Posterior truth = oracle::all_states(given.network, given.row);
  const InferenceNetwork network(given.network);
  const RowInference found = infer(network, given.row);
  if (truth.evidence == 0) {
    EXPECT_EQ(found.method(), InferenceMethod::impossible) << seed;
    EXPECT_TRUE(found.contradiction().has_value()) << seed;
    return;
  }
  ASSERT_EQ(found.method(), InferenceMethod::exact) << seed;
  EXPECT_NEAR(found.log_evidence(), static_cast<double>(std::log(truth.evidence)), 1e-11) << seed;
  EXPECT_EQ(found.log_evidence_error(), 0);
  for (std::size_t c = 0; c < truth.posterior.size(); ++c) {
    EXPECT_NEAR(found.posterior()[c], truth.posterior[c], 1e-11 * truth.posterior[c] + 1e-300)
        << seed << ", cause " << c;
    EXPECT_NEAR(found.absence()[c], truth.absence[c], 1e-12) << seed << ", cause " << c;
  }
}

TEST(RowInference, equals_all_states_of_a_thousand_networks) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) expect_exact(random_case(seed, true), seed);
}

TEST(RowInference, equals_all_states_with_priors_leaks_and_failures_of_0_and_1) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) expect_exact(random_case(seed, false), seed);
}

/// Both exact sums, whichever would be taken.
TEST(RowInference, sums_over_findings_equal_sums_over_causes) {
  std::size_t n_groups = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case given = random_case(seed, true);
    const InferenceNetwork network(given.network);
    RowGroups groups(network);
    const oracle::Bits bits = oracle::bits_of(given.row);
    groups.read(bits.values, bits.missing);
    for (std::size_t g = 0; g < groups.n_groups(); ++g, ++n_groups) {
      GroupPosterior by_findings, by_causes;
      Quickscore quickscore;
      ASSERT_TRUE(quickscore.plan(groups.group(g)));
      quickscore.run(by_findings);
      CauseEnumeration().run(groups.group(g), by_causes);
      EXPECT_NEAR(by_findings.log_evidence, by_causes.log_evidence, 1e-12);
      for (std::size_t k = 0; k < by_causes.posterior.size(); ++k) {
        EXPECT_NEAR(by_findings.posterior[k] / by_causes.posterior[k], 1, 1e-12);
        EXPECT_NEAR(by_findings.absence[k] / by_causes.absence[k], 1, 1e-12);
      }
      for (std::size_t a = 0; a < by_causes.inverse.size(); ++a) {
        EXPECT_NEAR(by_findings.inverse[a] / by_causes.inverse[a], 1, 1e-12);
      }
    }
  }
  EXPECT_GT(n_groups, 150U);
}

/// Sixty findings of which each pair of neighbours shares a cause: 2^60 by subsets of findings.
TEST(RowInference, a_chain_of_sixty_findings_is_no_harder_than_its_links) {
  std::vector<Cause> causes;
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 60; ++a) {
    observed.push_back({"x", .01});
    if (a == 0) continue;
    causes.push_back({"c", .02});
    edges.push_back({a - 1, a - 1, .3});
    edges.push_back({a - 1, a, .4});
  }
  const NoisyOrNetwork chain(causes, observed, edges);
  const InferenceNetwork network(chain);
  const RowInference found = infer(network, Row(60, Value::on));
  EXPECT_EQ(found.method(), InferenceMethod::exact);
  // From left to right over the state of one cause: P(x_0..x_a on, cause a).
  double absent = .98 * .01;
  double present = .02 * (1 - .99 * .3);
  for (std::size_t a = 1; a < 60; ++a) {
    const double with = 1 - .99 * .4;
    const double fire = a < 59 ? .02 : 0;
    const double none = absent * .01 + present * with;
    const double own = absent * (1 - .99 * .3) + present * (1 - .99 * .4 * .3);
    absent = (1 - fire) * none;
    present = fire * own;
  }
  EXPECT_NEAR(found.log_evidence(), std::log(absent + present), 1e-11);
}

/// Twenty-two findings that three causes share: signed sums over subsets would have lost all
/// digits.
TEST(RowInference, keeps_its_digits_with_many_positive_findings) {
  std::mt19937_64 random(5);
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 22; ++a) {
    observed.push_back({"x", 1e-6});
    for (std::uint32_t c = 0; c < 6; ++c) {
      if (c < 3 || oracle::uniform(random) < .5)
        edges.push_back({c, a, .2 + .7 * oracle::uniform(random)});
    }
  }
  const Case given{{{{"a", 1e-5}, {"b", 1e-3}, {"c", 1e-4}, {"d", .01}, {"e", 1e-6}, {"f", .1}},
                    observed,
                    edges},
                   Row(22, Value::on)};
  expect_exact(given, 0);
  const InferenceNetwork network(given.network);
  RowGroups groups(network);
  const oracle::Bits bits = oracle::bits_of(given.row);
  groups.read(bits.values, bits.missing);
  GroupPosterior by_findings;
  Quickscore quickscore;
  ASSERT_TRUE(quickscore.plan(groups.group(0)));
  EXPECT_EQ(quickscore.width(), 22U);
  quickscore.run(by_findings);
  const oracle::Posterior truth = oracle::all_states(given.network, given.row);
  EXPECT_NEAR(by_findings.log_evidence, static_cast<double>(std::log(truth.evidence)), 1e-11);
}

TEST(RowInference, tells_which_finding_is_impossible_and_why) {
  // A certain cause that never fails to switch x on; y has no explanation; z leaks for certain.
  const NoisyOrNetwork network({{"sure", 1}, {"never", 0}}, {{"x", .1}, {"y", 0}, {"z", 1}},
                               {{0, 0, 0}, {1, 1, .5}});
  const InferenceNetwork prepared(network);
  const auto why = [&](const Row& row) { return *infer(prepared, row).contradiction(); };
  auto found = why({Value::off, Value::off, Value::on});
  EXPECT_EQ(found.observed, 0U);
  EXPECT_FALSE(found.positive);
  EXPECT_EQ(found.cause, 0U);
  found = why({Value::on, Value::on, Value::on});
  EXPECT_EQ(found.observed, 1U);
  EXPECT_TRUE(found.positive);
  found = why({Value::on, Value::off, Value::off});
  EXPECT_EQ(found.observed, 2U);
  EXPECT_FALSE(found.positive);
  EXPECT_FALSE(found.cause.has_value());
  const RowInference possible = infer(prepared, {Value::on, Value::missing, Value::on});
  EXPECT_FALSE(possible.contradiction().has_value());
  EXPECT_EQ(possible.posterior()[0], 1);
  EXPECT_EQ(possible.posterior()[1], 0);
}

TEST(RowInference, refuses_what_an_exact_sum_cannot_do_and_says_what_it_would_take) {
  std::mt19937_64 random(3);
  const NoisyOrNetwork network = oracle::random_network(random, 200, 60, .5);
  auto causes = network.causes();
  for (auto& cause : causes) cause.prior = .01;
  const NoisyOrNetwork inner(causes, std::vector<Observed>(60, {"x", .01}), network.edges());
  const InferenceNetwork prepared(inner);
  InferenceOptions options;
  options.method = InferenceOptions::Method::exact;
  const std::string message =
      oracle::message_of<InputError>([&] { (void)infer(prepared, Row(60, Value::on), options); });
  EXPECT_NE(message.find("row 0 has 60 positive findings"), std::string::npos) << message;
  EXPECT_NE(message.find("--method auto"), std::string::npos) << message;
}

// ----------------------------------------------------------------------------------- explanations

TEST(RowInference, lists_the_most_probable_states) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Case given = random_case(seed, seed % 2 == 0);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row);
    if (truth.evidence == 0) continue;
    std::vector<long double> heaviest = truth.states;
    std::ranges::sort(heaviest, std::greater());
    InferenceOptions options;
    options.top = 7;
    const InferenceNetwork network(given.network);
    const RowInference found = infer(network, given.row, options);
    const auto n_possible = static_cast<std::size_t>(
        std::ranges::count_if(heaviest, [](long double weight) { return weight > 0; }));
    ASSERT_EQ(found.explanations().size(), std::min<std::size_t>(7, n_possible)) << seed;
    for (std::size_t i = 0; i < found.explanations().size(); ++i) {
      const Explanation& explanation = found.explanations()[i];
      EXPECT_TRUE(explanation.proven);
      std::uint32_t state = 0;
      for (const std::uint32_t c : explanation.present) state |= 1U << c;
      const auto probability = static_cast<double>(truth.states[state] / truth.evidence);
      EXPECT_NEAR(explanation.log_probability, std::log(probability), 1e-9) << seed;
      EXPECT_NEAR(probability, static_cast<double>(heaviest[i] / truth.evidence),
                  1e-9 * probability)
          << seed << ", number " << i;
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_NE(explanation.present, found.explanations()[j].present) << seed;
      }
    }
  }
}

TEST(FindingWeights, are_what_the_log_odds_lose_without_the_finding) {
  std::size_t n_weighed = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case given = random_case(seed, true);
    const InferenceNetwork network(given.network);
    RowInference inference(network, {});
    const oracle::Bits bits = oracle::bits_of(given.row);
    const auto log_odds = [&](const Row& row) {
      const oracle::Posterior truth = oracle::all_states(given.network, row);
      return std::log(truth.posterior[0]) - std::log(truth.absence[0]);
    };
    const CauseEvidence found =
        weigh_findings(given.network, inference, 0, bits.values, bits.missing, 0);
    const double all = log_odds(given.row);
    constexpr double most = 20;  // beyond, causes of one finding have fewer digits
    if (std::abs(all) > most) continue;
    EXPECT_NEAR(found.log_odds, all, 1e-6);
    std::vector<double> weights(given.row.size(), 0);
    double last = HUGE_VAL;
    for (const FindingWeight& finding : found.findings) {
      weights[finding.observed] = finding.weight;
      EXPECT_EQ(finding.positive, given.row[finding.observed] == Value::on);
      EXPECT_LE(finding.weight, last);
      last = finding.weight;
    }
    for (std::uint32_t a = 0; a < given.row.size(); ++a) {
      const bool is_child = given.network.failure(0, a) < 1;
      if (given.row[a] == Value::missing || (given.row[a] == Value::off && !is_child)) {
        EXPECT_EQ(weights[a], 0);
        continue;
      }
      Row without = given.row;
      without[a] = Value::missing;
      const double rest = log_odds(without);
      if (std::abs(rest) > most) continue;
      EXPECT_NEAR(weights[a], all - rest, 1e-6) << seed << ", variable " << a;
      ++n_weighed;
    }
  }
  EXPECT_GT(n_weighed, 100U);
}

// --------------------------------------------------------------------------------------- sampling

/// 4000 draws: the share of a cause is within five standard errors, of each pair too.
TEST(Quickscore, draws_causes_from_their_posterior) {
  std::mt19937_64 random(11);
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < 6; ++c) {
    for (std::uint32_t a = 0; a < 5; ++a) {
      if (oracle::uniform(random) < .6) edges.push_back({c, a, .1 + .8 * oracle::uniform(random)});
    }
  }
  std::vector<Cause> causes;
  for (int c = 0; c < 6; ++c) causes.push_back({"c", .1 + .3 * oracle::uniform(random)});
  const NoisyOrNetwork network(causes, std::vector<Observed>(5, {"x", .02}), edges);
  const Row row(5, Value::on);
  const oracle::Posterior truth = oracle::all_states(network, row);
  const InferenceNetwork prepared(network);
  RowGroups groups(prepared);
  const oracle::Bits bits = oracle::bits_of(row);
  groups.read(bits.values, bits.missing);
  ASSERT_EQ(groups.n_groups(), 1U);
  const FindingGroup& group = groups.group(0);
  Quickscore quickscore;
  ASSERT_TRUE(quickscore.plan(group));
  GroupPosterior posterior;
  quickscore.run(posterior);
  RowRandom draws(1, Stream::check, 0);
  constexpr std::size_t n = 4000;
  std::vector<std::uint8_t> present;
  quickscore.draw(draws, n, present);
  for (std::size_t i = 0; i < group.causes.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double expected = 0;
      const std::uint32_t both = 1U << group.causes[i].cause | 1U << group.causes[j].cause;
      for (std::uint32_t state = 0; state < truth.states.size(); ++state) {
        if ((state & both) == both) {
          expected += static_cast<double>(truth.states[state] / truth.evidence);
        }
      }
      double share = 0;
      for (std::size_t d = 0; d < n; ++d) share += present[i * n + d] & present[j * n + d];
      share /= n;
      EXPECT_NEAR(share, expected, 5 * std::sqrt(expected * (1 - expected) / n) + 1e-12);
    }
  }
}

/// Each error holds with probability .9999; some 4000 numbers are looked at, and the bound is wide.
TEST(RowInference, sampled_numbers_are_within_their_stated_errors) {
  InferenceOptions options;
  options.method = InferenceOptions::Method::sample;
  options.n_samples = 3000;
  std::size_t n_sampled = 0;
  double error = 0;
  std::size_t n_numbers = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Case given = random_case(seed, seed % 5 != 0);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row);
    if (truth.evidence == 0) continue;
    const InferenceNetwork network(given.network);
    const RowInference found = infer(network, given.row, options);
    if (found.method() != InferenceMethod::sampled) continue;
    ++n_sampled;
    EXPECT_GT(found.effective_samples(), 0);
    EXPECT_LE(std::abs(found.log_evidence() - static_cast<double>(std::log(truth.evidence))),
              found.log_evidence_error() + 1e-10)
        << seed;
    for (std::size_t c = 0; c < truth.posterior.size(); ++c) {
      EXPECT_LE(std::abs(found.posterior()[c] - truth.posterior[c]),
                found.posterior_error()[c] + 1e-10)
          << seed << ", cause " << c;
      error += found.posterior_error()[c];
      ++n_numbers;
    }
  }
  EXPECT_GT(n_sampled, 200U);
  EXPECT_LT(error / static_cast<double>(n_numbers), .05);  // an error of 1 would always hold
}

TEST(RowInference, draws_depend_on_seed_and_row_alone) {
  const Case given = random_case(4, true);
  const InferenceNetwork network(given.network);
  InferenceOptions options;
  options.method = InferenceOptions::Method::sample;
  options.n_samples = 100;
  const oracle::Bits all{{~std::uint64_t{0} >> (64 - given.row.size())}, {}};
  const auto posterior = [&](std::uint64_t row, bool warm) {
    RowInference inference(network, options);
    if (warm) inference.evaluate(7, oracle::bits_of(given.row).values, {});
    inference.evaluate(row, all.values, {});
    EXPECT_EQ(inference.method(), InferenceMethod::sampled);
    return std::vector<double>(inference.posterior().begin(), inference.posterior().end());
  };
  EXPECT_EQ(posterior(3, false), posterior(3, true));
  EXPECT_NE(posterior(3, false), posterior(4, false));
}

}  // namespace
}  // namespace orrery::model
