// Posteriors of causes that depend on one another against all 2^n states.
#include "model/cause_posterior.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/anchored_oracle.hpp"
#include "model/cause_chain.hpp"
#include "model/cause_sums.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Kind = CausePosterior::Contradiction::Kind;
using Method = CausePosteriorOptions::Method;

struct AnchoredCase {
  NoisyOrNetwork network;
  oracle::Row row;
  std::vector<CauseState> known;
};

/// Up to 9 causes with up to 3 parents, and 12 variables; a third of them with known causes.
AnchoredCase random_anchored_case(std::uint64_t seed, bool inner) {
  std::mt19937_64 random(seed);
  const auto n = static_cast<std::uint32_t>(1 + random() % 9);
  const auto m = static_cast<std::uint32_t>(1 + random() % 12);
  const double density = .1 + .8 * oracle::uniform(random);
  NoisyOrNetwork network = oracle::random_anchored(random, n, m, seed % 4, density, inner);
  oracle::Row row = oracle::random_row(random, m, .6, seed % 2 == 0 ? .2 : 0);
  return {std::move(network), std::move(row),
          oracle::random_known(random, n, seed % 3 == 0 ? .4 : 0)};
}

void evaluate(CausePosterior& posterior, const AnchoredCase& given, std::uint64_t number = 0) {
  const oracle::Bits bits = oracle::bits_of(given.row);
  posterior.evaluate(number, bits.values, bits.missing, given.known);
}

TEST(CausePosterior, equals_all_states_of_a_thousand_networks) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, true);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosterior found(prepared, {});
    evaluate(found, given);
    ASSERT_EQ(found.method(), PosteriorMethod::exact) << seed;
    ASSERT_NEAR(found.log_evidence(), static_cast<double>(std::log(truth.evidence)), 1e-11) << seed;
    for (std::size_t i = 0; i < truth.posterior.size(); ++i) {
      ASSERT_NEAR(found.posterior()[i], truth.posterior[i], 1e-11 * truth.posterior[i]) << seed;
      ASSERT_NEAR(found.absence()[i], truth.absence[i], 1e-11 * truth.absence[i]) << seed;
      ASSERT_EQ(found.posterior_error()[i], 0);
    }
  }
}

TEST(CausePosterior, finds_rows_impossible_exactly_where_no_state_allows_them) {
  std::size_t n_impossible = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, false);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosterior found(prepared, {});
    evaluate(found, given);
    ASSERT_EQ(found.method() == PosteriorMethod::impossible, truth.evidence == 0) << seed;
    ASSERT_EQ(found.contradiction().has_value(), truth.evidence == 0) << seed;
    if (truth.evidence == 0) {
      ++n_impossible;
      EXPECT_TRUE(std::isnan(found.posterior()[0]));
      EXPECT_EQ(found.log_evidence(), -std::numeric_limits<double>::infinity());
      continue;
    }
    for (std::size_t i = 0; i < truth.posterior.size(); ++i) {
      ASSERT_NEAR(found.posterior()[i], truth.posterior[i], 1e-11) << seed;
    }
  }
  EXPECT_GT(n_impossible, 100U);
  EXPECT_LT(n_impossible, 900U);
}

/// Both forms of the sums, whichever would be taken, and what long rows of small numbers leave.
TEST(CausePosterior, tables_and_chains_give_the_same_sums) {
  std::size_t n_findings = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, true);
    const PreparedAnchored prepared(given.network);
    const oracle::Bits bits = oracle::bits_of(given.row);
    RowFindings row(prepared);
    row.read(bits.values, bits.missing, given.known);
    n_findings += row.findings().size();
    CauseSums tables, chains;
    tables.plan(row, CauseSums::Form::tables);
    chains.plan(row, CauseSums::Form::chains);
    tables.run();
    chains.run();
    ASSERT_NEAR(tables.log_evidence(), chains.log_evidence(), 1e-12) << seed;
    const auto by_tables = tables.marginals();
    const auto by_chains = chains.marginals();
    for (std::size_t k = 0; k < by_tables.size(); ++k) {
      ASSERT_NEAR(by_tables[k][1], by_chains[k][1], 1e-12) << seed;
    }
  }
  EXPECT_GT(n_findings, 500U);
}

/// 60 causes in a row, each the parent of the next, all of them parents of each of five findings:
/// tables would have 2^60 cells. With every failure 1/2 and the causes told by symmetry.
TEST(CausePosterior, findings_of_sixty_causes_are_summed_as_chains) {
  constexpr std::uint32_t n = 60;
  std::vector<Cause> causes(n);
  std::vector<Observed> observed(5, {"x", .1});
  std::vector<Edge> edges;
  std::vector<CauseTable> tables(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) edges.push_back({i, j, .5});
    // The chain's states are even and independent: P(on) = 1/10 whatever the parent is.
    if (i > 0) tables[i].parents = {i - 1};
    tables[i].on.assign(i > 0 ? 2 : 1, .1);
  }
  const NoisyOrNetwork network({causes, observed, edges}, CauseNetwork(tables), {});
  const PreparedAnchored prepared(network);
  CausePosterior found(prepared, {});
  const std::vector<std::uint64_t> all{31};
  found.evaluate(0, all, {});
  ASSERT_EQ(found.method(), PosteriorMethod::exact);
  // P(k on) is binomial; all five findings: (1 - .9 / 2^k)^5.
  double evidence = 0, expected = 0, weight = std::pow(.9, n);
  for (std::uint32_t k = 0; k <= n; ++k) {
    const double row = weight * std::pow(1 - .9 * std::pow(.5, k), 5);
    evidence += row;
    expected += row * k / n;
    weight *= static_cast<double>(n - k) / (k + 1) * .1 / .9;
  }
  EXPECT_NEAR(found.log_evidence(), std::log(evidence), 1e-12);
  for (std::uint32_t i = 0; i < n; ++i)
    EXPECT_NEAR(found.posterior()[i], expected / evidence, 1e-12);
}

/// Two causes that exclude each other explain what 800 absent findings say neither can be: each
/// state weighs e^-900 or so, below the least double.
TEST(CausePosterior, rows_that_are_next_to_impossible_keep_their_posteriors) {
  std::vector<Observed> observed(801, {"x", 0});
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 2; ++i) {
    edges.push_back({i, 0, .5});
    for (std::uint32_t j = 1; j <= 800; ++j) edges.push_back({i, j, i == 0 ? .3 : .3003});
  }
  const NoisyOrNetwork network({std::vector<Cause>(2), observed, edges},
                               CauseNetwork({{{}, {.5}}, {{0}, {1, 0}}}), {});
  const PreparedAnchored prepared(network);
  std::vector<std::uint64_t> only_first(13);
  only_first[0] = 1;
  CausePosterior found(prepared, {});
  found.evaluate(0, only_first, {});
  ASSERT_EQ(found.method(), PosteriorMethod::exact);
  const double odds = std::pow(.3003 / .3, 800);  // of the second, 2.2
  EXPECT_NEAR(found.posterior()[1], odds / (1 + odds), 1e-9);
  EXPECT_NEAR(found.log_evidence(), 800 * std::log(.3) + std::log(.25 * (1 + odds)), 1e-9);
}

/// 4000 sweeps: the errors are 4.46 standard errors and 9.22 / 4000, which one number in 10,000
/// exceeds: of some 1,500 numbers hardly one.
TEST(CausePosterior, sampled_posteriors_lie_within_their_errors) {
  std::size_t n_numbers = 0, n_outside = 0;
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, true);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosteriorOptions options;
    options.method = Method::sample;
    CausePosterior found(prepared, options);
    evaluate(found, given, seed);
    ASSERT_NE(found.method(), PosteriorMethod::impossible) << seed;
    for (std::size_t i = 0; i < truth.posterior.size(); ++i) {
      const double off = std::abs(found.posterior()[i] - truth.posterior[i]);
      ++n_numbers;
      if (off > found.posterior_error()[i] + 1e-9) ++n_outside;
      largest = std::max(largest, off);
    }
  }
  EXPECT_GT(n_numbers, 1000U);
  EXPECT_LE(n_outside, 1U);
  EXPECT_LT(largest, .1);
}

/// With zeros in the tables chains find a state that can be, if there is one.
TEST(CausePosterior, chains_find_states_that_can_be) {
  std::size_t n_possible = 0, n_missed = 0, n_outside = 0, n_numbers = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, false);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosteriorOptions options;
    options.method = Method::sample;
    CausePosterior found(prepared, options);
    evaluate(found, given, seed);
    if (truth.evidence == 0) {
      EXPECT_EQ(found.method(), PosteriorMethod::impossible) << seed;
      continue;
    }
    ++n_possible;
    if (found.method() == PosteriorMethod::impossible) {
      ++n_missed;
      continue;
    }
    for (std::size_t i = 0; i < truth.posterior.size(); ++i) {
      ++n_numbers;
      if (std::abs(found.posterior()[i] - truth.posterior[i]) > found.posterior_error()[i] + 1e-9) {
        ++n_outside;
      }
    }
  }
  EXPECT_GT(n_possible, 100U);
  // A fifth of all probabilities being 0 or 1, islands that no change of two neighbours leaves are
  // not rare; the header says so.
  EXPECT_LE(n_missed, n_possible / 50);
  EXPECT_LE(n_outside, n_numbers / 50);
}

/// Either a and b are on, or c and d, and both pairs explain all variables: no chain goes from one
/// pair to the other. Nothing is known then, which an error of 1 says, and no error says more.
TEST(CausePosterior, an_error_is_at_most_one) {
  constexpr std::uint32_t m = 20;
  constexpr double never = 1e-20;
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < m; ++a) {
    observed.push_back({fmt::format("x{}", a), .01});
    for (const std::uint32_t cause : {0U, 1U, 2U, 3U}) edges.push_back({cause, a, .5});
  }
  const AnchoredCase given{
      NoisyOrNetwork({{"a", .5}, {"b", .5}, {"c", .5}, {"d", .5}}, observed, edges,
                     CauseNetwork({{{}, {.5}},
                                   {{0}, {never, 1 - never}},
                                   {{0}, {1 - never, never}},
                                   {{2}, {never, 1 - never}}})),
      oracle::Row(m, oracle::Value::on), std::vector<CauseState>(4, CauseState::unknown)};
  const PreparedAnchored prepared(given.network);
  CausePosteriorOptions options;
  options.method = Method::sample;
  CausePosterior found(prepared, options);
  double largest = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    evaluate(found, given, number);
    for (const double error : found.posterior_error()) {
      EXPECT_LE(error, 1) << number;
      largest = std::max(largest, error);
    }
  }
  EXPECT_EQ(largest, 1);
}

/// The same runs: evidence by passages to one state, within its error.
TEST(CausePosterior, sampled_evidence_lies_within_its_error) {
  std::size_t n_outside = 0;
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, true);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosteriorOptions options;
    options.method = Method::sample;
    CausePosterior found(prepared, options);
    evaluate(found, given, seed);
    const double off =
        std::abs(found.log_evidence() - static_cast<double>(std::log(truth.evidence)));
    if (off > found.log_evidence_error() + 1e-9) ++n_outside;
    largest = std::max(largest, off);
  }
  EXPECT_LE(n_outside, 1U);
  EXPECT_LT(largest, .1);
}

/// The first few states of all 2^n by their probability; equal ones may change places.
TEST(CausePosterior, explanations_are_the_most_probable_states) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, seed % 2 == 0);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    if (truth.evidence == 0) continue;
    auto sorted = truth.states;
    std::ranges::sort(sorted, std::greater<>());
    const auto n_possible = static_cast<std::size_t>(
        std::ranges::count_if(sorted, [](long double p) { return p > 0; }));
    const PreparedAnchored prepared(given.network);
    CausePosteriorOptions options;
    options.top = 5;
    CausePosterior found(prepared, options);
    evaluate(found, given);
    const auto explanations = found.explanations();
    ASSERT_EQ(explanations.size(), std::min<std::size_t>(5, n_possible)) << seed;
    for (std::size_t k = 0; k < explanations.size(); ++k) {
      std::uint32_t state = 0;
      for (const std::uint32_t cause : explanations[k].present) state |= 1U << cause;
      EXPECT_TRUE(explanations[k].proven);
      const auto p = static_cast<double>(sorted[k] / truth.evidence);
      ASSERT_NEAR(std::exp(explanations[k].log_probability), p, 1e-10) << seed << ' ' << k;
      ASSERT_NEAR(static_cast<double>(truth.states[state] / truth.evidence), p, 1e-10) << seed;
    }
  }
}

/// Of states that were drawn: nearly always the best is among them, and only proof says so.
TEST(CausePosterior, explanations_of_sampled_rows_are_not_called_proven) {
  std::size_t n_best = 0, n = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AnchoredCase given = random_anchored_case(seed, true);
    const oracle::Posterior truth = oracle::all_states(given.network, given.row, given.known);
    const PreparedAnchored prepared(given.network);
    CausePosteriorOptions options;
    options.method = Method::sample;
    options.top = 1;
    CausePosterior found(prepared, options);
    evaluate(found, given, seed);
    if (found.method() == PosteriorMethod::exact) continue;  // all causes known
    ASSERT_EQ(found.explanations().size(), 1U);
    EXPECT_FALSE(found.explanations()[0].proven);
    std::uint32_t state = 0;
    for (const std::uint32_t cause : found.explanations()[0].present) state |= 1U << cause;
    ++n;
    n_best += truth.states[state] == *std::ranges::max_element(truth.states);
  }
  EXPECT_EQ(n_best, n);
}

TEST(CausePosterior, the_same_row_and_seed_give_the_same_draws) {
  const AnchoredCase given = random_anchored_case(17, true);
  const PreparedAnchored prepared(given.network);
  CausePosteriorOptions options;
  options.method = Method::sample;
  CausePosterior first(prepared, options), second(prepared, options);
  evaluate(first, given, 5);
  evaluate(second, given, 4);
  evaluate(second, given, 5);  // after another
  EXPECT_TRUE(std::ranges::equal(first.posterior(), second.posterior()));
  evaluate(second, given, 6);
  EXPECT_FALSE(std::ranges::equal(first.posterior(), second.posterior()));
}

TEST(CausePosterior, says_why_a_row_cannot_be) {
  const NoisyOrNetwork loadings({{"flu", 0}, {"cold", 0}}, {{"fever", 0}, {"cough", 0}, {"hum", 1}},
                                {{0, 0, .2}, {0, 1, 0}, {1, 1, .3}});
  const NoisyOrNetwork network(loadings, CauseNetwork({{{}, {.1}}, {{0}, {.2, 0}}}), {});
  const PreparedAnchored prepared(network);
  CausePosterior found(prepared, {});
  const auto why = [&](std::uint64_t bits, std::vector<CauseState> known = {}) {
    const std::vector<std::uint64_t> values{bits};
    found.evaluate(0, values, {}, known);
    return found.contradiction() ? describe(*found.contradiction(), network) : "";
  };
  EXPECT_EQ(why(0b111), "");
  EXPECT_NE(why(0b011).find("'hum' is absent, but its leak is 1"), std::string::npos);
  // Flu would bring a cough.
  EXPECT_NE(why(0b101).find("'fever' is present, but nothing can cause it"), std::string::npos);
  EXPECT_NE(why(0b100, {CauseState::on, CauseState::unknown}).find("'cough' is absent, but 'flu'"),
            std::string::npos);
  // Fever needs flu, which excludes the cold that is known.
  EXPECT_NE(why(0b111, {CauseState::unknown, CauseState::on}).find("no state of the causes"),
            std::string::npos);
}

/// A dozen findings that thirty causes of a dense network share: neither form is cheap.
TEST(CausePosterior, an_exact_sum_that_is_too_large_is_refused_with_its_cost) {
  std::mt19937_64 random(3);
  const NoisyOrNetwork network = oracle::random_anchored(random, 40, 40, 3, 1, true);
  const PreparedAnchored prepared(network);
  CausePosteriorOptions options;
  options.method = Method::exact;
  CausePosterior found(prepared, options);
  const std::vector<std::uint64_t> all{(std::uint64_t{1} << 40U) - 1};
  try {
    found.evaluate(7, all, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("row 7 has 40 positive findings"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--method auto"), std::string::npos);
  }
  options.method = Method::automatic;
  CausePosterior sampled(prepared, options);
  sampled.evaluate(7, all, {});
  EXPECT_EQ(sampled.method(), PosteriorMethod::sampled);
  EXPECT_GT(sampled.effective_draws(), 100);
}

}  // namespace
}  // namespace orrery::model
