// The posterior of a row by candidates and groups against all 2^n states, one after the other.
#include "model/sparse_posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/all_states.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::model {
namespace {

/// What differs from all states, summed over a row.
struct Difference {
  double log_likelihood = 0, posterior = 0, inverse = 0, shared = 0;  // the last two relative

  Difference(const NoisyOrNetwork& network, const SparsePosterior& row, const AllStates& all)
      : log_likelihood(std::abs(row.log_likelihood() - std::log(all.likelihood))) {
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      posterior += std::abs(row.posterior(u) - all.posterior[u]);
    }
    for (std::size_t i = 0; i < row.on().size(); ++i) {
      inverse += std::abs(row.inverse()[i] / all.inverse[row.on()[i]] - 1);
    }
    for (const auto& candidate : row.candidates()) {
      for (const auto& link : row.links(candidate)) {
        const Edge& edge = network.edges()[link.edge];
        EXPECT_EQ(edge.cause, candidate.cause);
        EXPECT_EQ(edge.observed, row.on()[link.on]);
        shared += std::abs(link.shared - all.shared[edge.cause][edge.observed]) /
                  all.inverse[edge.observed];
      }
      row.for_each_unlinked(candidate, [&](std::uint32_t a, double value) {
        shared += std::abs(value - all.shared[candidate.cause][a]) / all.inverse[a];
      });
    }
  }
};

std::vector<RandomRow> sampled(const NoisyOrNetwork& network, std::uint64_t seed, std::size_t n) {
  const data::BitColumns columns = sample_rows(network, seed, 0, n);
  const std::size_t m = network.n_observed();
  const std::vector<std::uint64_t> none((m + 63) / 64, 0);
  std::vector<RandomRow> rows(n, RandomRow{none, none});
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t a = 0; a < m; ++a) {
      if ((columns.column(a)[r / 64] >> (r % 64) & 1U) != 0) {
        rows[r].values[a / 64] |= std::uint64_t{1} << (a % 64);
      }
    }
  }
  return rows;
}

TEST(SparsePosterior, is_nearly_exact_where_causes_are_rare) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto network = *generate_network(
        "con:5-14,causes=9,observed=50,prior=.02-.1,failure=.05-.8,leak=.001-.01", seed);
    const SparseNetwork prepared(network);
    SparsePosterior posterior(prepared);
    Difference sum(network, posterior, AllStates(network, sampled(network, 1, 1)[0]));
    sum.log_likelihood = sum.posterior = sum.inverse = sum.shared = 0;
    for (const RandomRow& row : sampled(network, seed + 7, 60)) {
      posterior.evaluate(row.values, row.missing);
      const Difference of_row(network, posterior, AllStates(network, row));
      EXPECT_LT(of_row.log_likelihood, .03);
      EXPECT_LT(of_row.posterior, .1);
      sum.log_likelihood += of_row.log_likelihood;
      sum.posterior += of_row.posterior;
      sum.inverse += of_row.inverse;
      sum.shared += of_row.shared;
    }
    EXPECT_LT(sum.log_likelihood / 60, .001);
    EXPECT_LT(sum.posterior / 60, .002);
    EXPECT_LT(sum.inverse / 60, .01);
    EXPECT_LT(sum.shared / 60, .1);
  }
}

// Frequent causes, rows that no network made, values missing.
TEST(SparsePosterior, stays_near_where_nothing_is_rare) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto n = static_cast<std::uint32_t>(1 + seed % 8);
    const NoisyOrNetwork network = random_network(seed, n, 5 + 3 * n, .3);
    const SparseNetwork prepared(network);
    SparsePosterior posterior(prepared);
    for (std::uint64_t r = 0; r < 10; ++r) {
      const RandomRow row =
          random_row(100 * seed + r, network.n_observed(), .4, seed % 3 == 0 ? .2 : 0);
      posterior.evaluate(row.values, row.missing);
      const Difference of_row(network, posterior, AllStates(network, row));
      EXPECT_LT(of_row.log_likelihood, .4);
      EXPECT_LT(of_row.posterior, 1);
      sum += of_row.posterior;
    }
  }
  EXPECT_LT(sum / 400, .02);
}

// What is left out has odds below exp(-12).
TEST(SparsePosterior, says_the_same_of_likely_causes_alone) {
  const auto network = *generate_network(
      "con:5-14,causes=30,observed=150,prior=.005-.05,failure=.05-.6,leak=.001-.01", 4);
  const SparseNetwork prepared(network);
  SparsePosterior all(prepared);
  SparsePosterior likely(prepared, Candidates::likely);
  std::size_t n_all = 0;
  std::size_t n_likely = 0;
  for (const RandomRow& row : sampled(network, 11, 300)) {
    all.evaluate(row.values, row.missing);
    likely.evaluate(row.values, row.missing);
    n_all += all.candidates().size();
    n_likely += likely.candidates().size();
    EXPECT_NEAR(likely.log_likelihood(), all.log_likelihood(), 1e-4);
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      EXPECT_NEAR(likely.posterior(u), all.posterior(u), 7e-6);
    }
    ASSERT_EQ(likely.on().size(), all.on().size());
    for (std::size_t i = 0; i < all.on().size(); ++i) {
      EXPECT_NEAR(likely.inverse()[i], all.inverse()[i], 1e-4 * all.inverse()[i]);
    }
  }
  EXPECT_LT(n_likely, n_all);
}

TEST(SparsePosterior, is_exact_where_causes_share_nothing) {
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 9; ++a) edges.push_back({a / 3, a, .1 + .08 * a});
  const NoisyOrNetwork network({{"u", .1}, {"v", .3}, {"w", .004}},
                               std::vector<Observed>(10, {"x", .05}), edges);
  const SparseNetwork prepared(network);
  SparsePosterior posterior(prepared);
  for (std::uint64_t r = 0; r < 60; ++r) {
    const RandomRow row = random_row(r, 10, .3, r % 2 == 0 ? .2 : 0);
    posterior.evaluate(row.values, row.missing);
    const Difference difference(network, posterior, AllStates(network, row));
    // A cause that cannot reach .001 even if it explained all it could is absent.
    EXPECT_LT(difference.posterior, .001);
    EXPECT_LT(difference.log_likelihood, .001);
  }
}

std::vector<std::uint32_t> set_bits(const std::vector<std::uint64_t>& words, std::size_t m) {
  std::vector<std::uint32_t> bits;
  for (std::uint32_t a = 0; !words.empty() && a < m; ++a) {
    if ((words[a / 64] >> (a % 64) & 1U) != 0) bits.push_back(a);
  }
  return bits;
}

// Among all causes, every seventh row with missing values: as exact as among those it chooses.
TEST(SparsePosterior, is_nearly_exact_among_given_causes) {
  const auto network = *generate_network(
      "con:5-14,causes=9,observed=50,prior=.02-.1,failure=.05-.8,leak=.001-.01", 2);
  const std::vector<std::uint32_t> causes{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const SparseNetwork prepared(network);
  SparsePosterior posterior(prepared);
  double sum = 0;
  std::size_t n_rows = 0;
  for (RandomRow row : sampled(network, 9, 60)) {
    if (n_rows++ % 7 == 0) row.missing[0] = 0x1111 & ~row.values[0];
    const auto on = set_bits(row.values, 50);
    const auto missing = set_bits(row.missing, 50);
    posterior.evaluate_among(causes, on, missing);
    const AllStates all(network, row);
    double log_likelihood = prepared.log_silent() + posterior.log_likelihood();
    for (const std::uint32_t u : causes) {
      EXPECT_NEAR(posterior.posterior(u), all.posterior[u], .05);
      log_likelihood -= prepared.log_sum(u);
    }
    for (const std::uint32_t a : missing) log_likelihood -= prepared.log_quiet(a);
    for (const std::uint32_t a : on) {
      if (std::ranges::find(posterior.on(), a) != posterior.on().end()) continue;
      log_likelihood += std::log(network.observed()[a].leak) - prepared.log_quiet(a);
    }
    sum += std::abs(log_likelihood - std::log(all.likelihood));
    posterior.evaluate(row.values, row.missing);  // forgets the given causes
    EXPECT_NEAR(posterior.log_likelihood(), std::log(all.likelihood), .03);
  }
  EXPECT_LT(sum / 60, .001);
}

TEST(SparsePosterior, a_silent_row_needs_no_candidates) {
  const NoisyOrNetwork network = random_network(3, 6, 20, .3);
  const SparseNetwork prepared(network);
  SparsePosterior posterior(prepared);
  const RandomRow row{std::vector<std::uint64_t>(1, 0), {}};
  posterior.evaluate(row.values, row.missing);
  const AllStates all(network, RandomRow{row.values, std::vector<std::uint64_t>(1, 0)});
  EXPECT_NEAR(posterior.log_likelihood(), std::log(all.likelihood), 1e-10);
  EXPECT_TRUE(posterior.candidates().empty());
  for (std::size_t u = 0; u < 6; ++u) EXPECT_NEAR(posterior.posterior(u), all.posterior[u], 1e-10);
}

// Rows far beyond what doubles hold if their weights were multiplied out.
TEST(SparsePosterior, stays_finite_with_impossible_parts_and_many_variables) {
  std::vector<Edge> edges;
  std::vector<Observed> observed;
  for (std::uint32_t a = 0; a < 400; ++a) {
    observed.push_back({"x", a % 2 == 0 ? 0.0 : 1e-7});
    edges.push_back({0, a, a % 3 == 0 ? 0.0 : .5});
    edges.push_back({1, a, .5});
    if (a % 5 == 0) edges.push_back({2, a, .999});
  }
  const NoisyOrNetwork network({{"u", 1e-9}, {"v", 0}, {"w", 1}}, observed, edges);
  const SparseNetwork prepared(network);
  SparsePosterior posterior(prepared);
  for (const double on : {0.0, .01, .3, .5, 1.0}) {
    const RandomRow row = random_row(1, 400, on, 0);
    posterior.evaluate(row.values, {});
    EXPECT_TRUE(std::isfinite(posterior.log_likelihood())) << on;
    for (std::size_t u = 0; u < 3; ++u) {
      EXPECT_GE(posterior.posterior(u), 0) << on;
      EXPECT_LE(posterior.posterior(u), 1) << on;
    }
    for (const double inverse : posterior.inverse()) EXPECT_GE(inverse, 1 - 1e-9) << on;
  }
}

}  // namespace
}  // namespace orrery::model
