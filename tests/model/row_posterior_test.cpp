// The posterior of a row against all 2^n states, one after the other.
#include "model/row_posterior.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "model/all_states.hpp"
#include "model/state_beam.hpp"

namespace orrery::model {
namespace {

void expect_same_posterior(const NoisyOrNetwork& network, const RowPosterior& row,
                           const AllStates& all, double precision) {
  EXPECT_NEAR(row.log_likelihood(), std::log(all.likelihood), precision);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    EXPECT_NEAR(row.posterior(u), all.posterior[u], precision) << u;
  }
  for (std::size_t i = 0; i < row.on().size(); ++i) {
    const double expected = all.inverse[row.on()[i]];
    EXPECT_NEAR(row.inverse()[i], expected, precision * expected);
  }
  for (const auto& group : row.groups()) {
    const auto causes = row.group_causes(group);
    std::size_t n_edges = 0;
    for (std::size_t k = 0; k < causes.size(); ++k) {
      for (std::size_t l = 0; l < group.n_on; ++l) {
        const std::uint32_t a = row.on()[row.group_on(group)[l]];
        EXPECT_NEAR(row.shared(group, k)[l], all.shared[causes[k]][a], precision * all.inverse[a]);
        n_edges += network.failure(causes[k], a) != 1 ? 1U : 0U;
      }
      row.for_each_edge(group, k, [&](std::uint32_t edge, double value) {
        const Edge& found = network.edges()[edge];
        --n_edges;
        EXPECT_EQ(found.cause, causes[k]);
        EXPECT_NEAR(value, all.shared[causes[k]][found.observed],
                    precision * all.inverse[found.observed]);
      });
      EXPECT_EQ(n_edges, 0U);
    }
  }
}

// Leaks alone explain such a row with a probability of 1e-640, all causes with one of 1e-13: no
// double holds both.
TEST(RowPosterior, hundreds_of_variables_that_are_on_leave_no_number_infinite) {
  constexpr std::uint32_t n = 52, children = 14, m = 4 * n + children;
  std::vector<Edge> edges;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t i = 0; i < children; ++i) edges.push_back({u, 4 * u + i, .1});
  }
  const NoisyOrNetwork network(std::vector<Cause>(n, {"u", .1}),
                               std::vector<Observed>(m, {"x", .001}), edges);
  std::vector<std::uint64_t> values((m + 63) / 64, ~std::uint64_t{0});
  values.back() >>= (64 - m % 64) % 64;
  const PosteriorNetwork prepared(network);
  RowPosterior row(prepared, 1e-6);
  row.evaluate(values, {});
  ASSERT_TRUE(std::isfinite(row.log_likelihood()));
  const BeamNetwork prepared_beam(network);
  Beam beam(prepared_beam, {20, 10, 200, 400});
  beam.evaluate(values, {});
  EXPECT_NEAR(row.log_likelihood(), beam.log_likelihood(), .05 * std::abs(beam.log_likelihood()));
  double most = 0;
  for (std::uint32_t u = 0; u < n; ++u) {
    ASSERT_TRUE(row.posterior(u) >= 0 && row.posterior(u) <= 1 + 1e-9) << u;
    most = std::max(most, row.posterior(u));
  }
  EXPECT_GT(most, .9);
}

TEST(RowPosterior, exact_for_random_networks_and_rows) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<std::uint32_t>(1 + seed % 8);
    const NoisyOrNetwork network = random_network(seed, n, 5 + 3 * n, .15 + .01 * double(seed));
    const PosteriorNetwork prepared(network);
    const PosteriorNetwork with_table(network, 1'000'000, true);
    ASSERT_TRUE(with_table.table());
    RowPosterior searched(prepared, 0);
    RowPosterior looked_up(with_table, 0);
    for (std::uint64_t r = 0; r < 10; ++r) {
      const RandomRow row =
          random_row(100 * seed + r, network.n_observed(), .4, seed % 3 == 0 ? .2 : 0);
      for (RowPosterior* posterior : {&searched, &looked_up}) {
        posterior->evaluate(row.values, row.missing);
        expect_same_posterior(network, *posterior, AllStates(network, row), 1e-10);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(RowPosterior, what_a_tolerance_leaves_out_is_as_small_as_it) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NoisyOrNetwork network = random_network(seed, 8, 40, .3);
    const PosteriorNetwork prepared(network);
    RowPosterior posterior(prepared, 1e-8);
    const RandomRow row = random_row(seed, 40, .3, 0);
    posterior.evaluate(row.values, {});
    // A state of weight 1e-8 counts 1 / P(a on) as much in E[1 / P(a on)].
    expect_same_posterior(network, posterior, AllStates(network, row), 1e-3);
    const PosteriorNetwork with_table(network, 1'000'000, false);
    RowPosterior looked_up(with_table, 1e-8);
    looked_up.evaluate(row.values, {});
    expect_same_posterior(network, looked_up, AllStates(network, row), 1e-3);
    EXPECT_NEAR(posterior.log_likelihood(), std::log(AllStates(network, row).likelihood), 1e-6);
  }
}

TEST(RowPosterior, rows_that_only_leaks_explain_do_not_underflow) {
  // The cause explains all that is on, but it would have to fail 800 times.
  const std::vector<Observed> observed(1500, {"x", 1e-4});
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 1500; ++a) edges.push_back({0, a, a < 700 ? .5 : 1e-4});
  const NoisyOrNetwork network({{"c", .5}}, observed, edges);
  const PosteriorNetwork prepared(network);
  RowPosterior posterior(prepared, 0);
  std::vector<std::uint64_t> values(24, 0);
  std::fill_n(values.begin(), 10, ~std::uint64_t{0});
  values[10] = (std::uint64_t{1} << 60) - 1;
  posterior.evaluate(values, {});
  EXPECT_NEAR(posterior.log_likelihood(),
              std::log(.5) + 700 * std::log(1e-4) + 800 * std::log(1 - 1e-4), 1e-6);
  EXPECT_EQ(posterior.posterior(0), 0);
}

/// Six causes of so many variables that are on.
StateSearch random_search(std::uint64_t seed, std::size_t n_on) {
  StateSearch problem;
  problem.resize(6, n_on);
  const std::size_t stride = problem.n_vectors * search_lanes;
  RowRandom random(seed, Stream::check, 2);
  for (auto& odds : problem.odds) odds = std::exp(4 * random.uniform() - 4);
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t a = 0; a < n_on; ++a) {
      problem.failure[stride * k + a] = random.bernoulli(.5) ? random.uniform() : 1;
    }
  }
  for (std::size_t a = 0; a < n_on; ++a) problem.quiet[a] = 1 - .1 * random.uniform();
  return problem;
}

// One to ten vectors of variables: the search is compiled for each of up to eight.
constexpr std::array<std::size_t, 10> numbers_on{5, 13, 21, 29, 37, 45, 53, 61, 69, 77};

TEST(StateSearch, is_the_sum_over_all_states) {
  for (const std::size_t n_on : numbers_on) {
    StateSearch problem = random_search(n_on, n_on);
    const std::size_t stride = problem.n_vectors * search_lanes;
    double total = 0;
    std::vector<double> present(6, 0);
    std::vector<double> inverse(n_on, 0);
    for (std::size_t state = 0; state < 64; ++state) {
      double weight = 1;
      std::vector<double> on(n_on);
      for (std::size_t k = 0; k < 6; ++k) weight *= ((state >> k) & 1U) != 0 ? problem.odds[k] : 1;
      for (std::size_t a = 0; a < n_on; ++a) {
        double off = problem.quiet[a];
        for (std::size_t k = 0; k < 6; ++k) {
          if (((state >> k) & 1U) != 0) off *= problem.failure[stride * k + a];
        }
        on[a] = 1 - off;
        weight *= on[a];
      }
      total += weight;
      for (std::size_t k = 0; k < 6; ++k) present[k] += ((state >> k) & 1U) != 0 ? weight : 0;
      for (std::size_t a = 0; a < n_on; ++a) inverse[a] += weight / on[a];
    }
    problem.run(find_state_search(kernels::Isa::scalar));
    EXPECT_NEAR(problem.log_total, std::log(total), 1e-9) << n_on;
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(problem.posterior[k], present[k] / total, 1e-9);
    for (std::size_t a = 0; a < n_on; ++a) {
      EXPECT_NEAR(problem.inverse[a] / (inverse[a] / total), 1, 1e-9) << n_on;
    }
  }
}

TEST(StateSearch, every_instruction_set_gives_the_same_bytes) {
  for (const std::size_t n_on : numbers_on) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      StateSearch first;
      for (const auto isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
        const SearchStates search = find_state_search(isa);
        if (search == nullptr) continue;
        StateSearch problem = random_search(seed, n_on);
        problem.tolerance = 1e-7;
        problem.run(search);
        if (isa == kernels::Isa::scalar) {
          first = problem;
          continue;
        }
        EXPECT_EQ(problem.log_total, first.log_total);
        EXPECT_EQ(problem.posterior, first.posterior);
        EXPECT_EQ(problem.inverse, first.inverse);
        EXPECT_EQ(problem.shared, first.shared);
      }
    }
  }
}

/// Depth and cause of each step.
std::vector<std::uint8_t> path_of(std::span<const StateStep> steps) {
  std::vector<std::uint8_t> path;
  for (const StateStep& step : steps) {
    path.push_back(static_cast<std::uint8_t>(step.depth));
    path.push_back(static_cast<std::uint8_t>(step.cause));
  }
  return path;
}

// The states of a search without tolerance are all states, whatever odds and failures are then.
TEST(StateSearch, states_that_were_found_before_have_the_sums_of_a_search) {
  for (const std::size_t n_on : numbers_on) {
    StateSearch before = random_search(n_on, n_on);
    ASSERT_TRUE(before.run_noting());
    const std::vector<std::uint8_t> path = path_of(before.steps());
    ASSERT_EQ(path.size(), 2U * 64);
    const StateSearch start = random_search(1000 + n_on, n_on);
    StateSearch searched = start;
    searched.run(find_state_search(kernels::Isa::scalar));
    for (const auto isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
      const SearchStates search = find_state_search(isa);
      if (search == nullptr) continue;
      StateSearch followed = start;
      followed.follow(path, search);
      EXPECT_NEAR(followed.log_total, searched.log_total, 1e-11);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(followed.posterior[k], searched.posterior[k], 1e-11);
      }
      for (std::size_t a = 0; a < n_on; ++a) {
        EXPECT_NEAR(followed.inverse[a] / searched.inverse[a], 1, 1e-11);
      }
      for (std::size_t i = 0; i < searched.shared.size(); ++i) {
        EXPECT_NEAR(followed.shared[i], searched.shared[i], 1e-11 * (1 + searched.shared[i]));
      }
    }
  }
}

TEST(StateSearch, every_instruction_set_follows_states_with_the_same_bytes) {
  for (const std::size_t n_on : numbers_on) {
    StateSearch start = random_search(n_on, n_on);
    start.tolerance = 1e-3;
    ASSERT_TRUE(start.run_noting());
    (void)start.drop_light_steps();
    const std::vector<std::uint8_t> path = path_of(start.steps());
    StateSearch first = start;
    first.follow(path, find_state_search(kernels::Isa::scalar));
    for (const auto isa : {kernels::Isa::avx2, kernels::Isa::avx512}) {
      const SearchStates search = find_state_search(isa);
      if (search == nullptr) continue;
      StateSearch second = start;
      second.follow(path, search);
      EXPECT_EQ(second.log_total, first.log_total);
      EXPECT_EQ(second.posterior, first.posterior);
      EXPECT_EQ(second.inverse, first.inverse);
      EXPECT_EQ(second.shared, first.shared);
    }
  }
}

// What stays is what is heavy, and what leads there; its share of the weights is what is said.
TEST(StateSearch, light_steps_are_dropped_unless_they_lead_to_heavy_ones) {
  std::size_t n_dropped = 0;
  std::size_t n_light_kept = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    StateSearch problem = random_search(seed, 5 + seed % 9);
    ASSERT_TRUE(problem.run_noting());
    const std::vector<StateStep> all(problem.steps().begin(), problem.steps().end());
    problem.tolerance = .01;
    const double share = problem.drop_light_steps();
    double heaviest = 0;
    double total = 0;
    for (const StateStep& step : all) {
      heaviest = std::max(heaviest, step.weight);
      total += step.weight;
    }
    // By the definition: a step stays if it or one of those below it is heavy.
    std::vector<StateStep> expected;
    double left = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool stays = all[i].weight >= .01 * heaviest;
      n_light_kept += stays ? 0U : 1U;
      for (std::size_t j = i + 1; j < all.size() && all[j].depth > all[i].depth; ++j) {
        stays = stays || all[j].weight >= .01 * heaviest;
      }
      n_light_kept -= stays ? 0U : 1U;
      if (!stays) continue;
      expected.push_back(all[i]);
      left += all[i].weight;
    }
    n_dropped += all.size() - expected.size();
    EXPECT_EQ(path_of(problem.steps()), path_of(expected)) << seed;
    EXPECT_NEAR(share, left / total, 1e-12);
  }
  EXPECT_GT(n_dropped, 100U);
  EXPECT_GT(n_light_kept, 10U);
}

/// The same edges, with other parameters.
NoisyOrNetwork changed(const NoisyOrNetwork& network, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 3);
  std::vector<Cause> causes = network.causes();
  std::vector<Observed> observed = network.observed();
  std::vector<Edge> edges = network.edges();
  for (Cause& cause : causes) cause.prior = .05 + .4 * random.uniform();
  for (Observed& variable : observed) variable.leak = .01 + .1 * random.uniform();
  for (Edge& edge : edges) edge.failure = .05 + .9 * random.uniform();
  return {causes, observed, edges};
}

TEST(RowPosterior, states_that_were_found_before_are_exact_if_they_are_all_states) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto n = static_cast<std::uint32_t>(1 + seed % 8);
    const NoisyOrNetwork before = random_network(seed, n, 5 + 3 * n, .15 + .01 * double(seed));
    const NoisyOrNetwork network = changed(before, seed);
    const PosteriorNetwork prepared_before(before);
    const PosteriorNetwork prepared(network);
    RowPosterior search(prepared_before, 0);
    RowPosterior posterior(prepared, 0);
    RowStates states(1 << 20);
    std::vector<RandomRow> rows;
    for (std::uint64_t r = 0; r < 10; ++r) {
      rows.push_back(random_row(100 * seed + r, network.n_observed(), .4, seed % 3 == 0 ? .2 : 0));
      search.evaluate(rows.back().values, rows.back().missing, states);
      EXPECT_NEAR(search.log_share_kept(), 0, 1e-13);
      expect_same_posterior(before, search, AllStates(before, rows.back()), 1e-10);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      posterior.follow(rows[r].values, rows[r].missing, states, r);
      expect_same_posterior(network, posterior, AllStates(network, rows[r]), 1e-10);
    }
    if (HasFailure()) return;
  }
}

TEST(RowPosterior, what_found_states_leave_out_is_said) {
  const NoisyOrNetwork network = random_network(4, 8, 40, .3);
  const PosteriorNetwork prepared(network);
  RowPosterior posterior(prepared, 1e-2);
  RowStates states(1 << 20);
  double most_left_out = 0;
  for (std::uint64_t r = 0; r < 50; ++r) {
    const RandomRow row = random_row(r, 40, .3, 0);
    posterior.evaluate(row.values, row.missing, states);
    const double found = posterior.log_likelihood();
    const double share = posterior.log_share_kept();
    posterior.follow(row.values, row.missing, states, r);
    EXPECT_NEAR(posterior.log_likelihood(), found + share, 1e-9);
    most_left_out = std::max(most_left_out, -share);
  }
  EXPECT_GT(most_left_out, 1e-3);
}

// Rows for whose states there is no room are searched, whatever came before them.
TEST(RowPosterior, rows_without_room_for_their_states_are_searched) {
  const NoisyOrNetwork network = random_network(4, 8, 40, .3);
  const NoisyOrNetwork other = changed(network, 1);
  const PosteriorNetwork prepared(network);
  const PosteriorNetwork prepared_other(other);
  for (const std::size_t most_bytes : {0, 100, 1000}) {
    RowPosterior search(prepared, 1e-2);
    RowPosterior posterior(prepared_other, 1e-2);
    RowPosterior expected(prepared_other, 1e-2);
    RowStates states(most_bytes);
    std::vector<RandomRow> rows;
    for (std::uint64_t r = 0; r < 50; ++r) {
      rows.push_back(random_row(r, 40, .3, 0));
      search.evaluate(rows.back().values, rows.back().missing, states);
    }
    std::size_t n_searched = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      posterior.follow(rows[r].values, rows[r].missing, states, r);
      expected.evaluate(rows[r].values, rows[r].missing);
      n_searched += posterior.log_likelihood() == expected.log_likelihood() ? 1U : 0U;
      EXPECT_LE(posterior.log_likelihood(), expected.log_likelihood() + .05);
    }
    if (most_bytes == 0) {
      EXPECT_EQ(n_searched, rows.size());
    } else {
      EXPECT_GT(n_searched, 10U);
      EXPECT_LT(n_searched, rows.size());
    }
  }
}

}  // namespace
}  // namespace orrery::model
