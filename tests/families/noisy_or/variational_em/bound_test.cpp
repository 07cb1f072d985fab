// The bound: below the exact log-likelihood, equal to it where Jensen is, never falling.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "families/noisy_or/variational_em/networks.hpp"
#include "kernels/kernels.hpp"
#include "model/likelihood.hpp"
#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::variational_em {
namespace {

using model::oracle::Row;
using model::oracle::Value;

Row random_row(std::mt19937_64& random, std::size_t m, double missing) {
  Row row(m);
  for (Value& value : row) {
    const double u = model::oracle::uniform(random);
    value = u < missing ? Value::missing : u < (1 + missing) / 2 ? Value::on : Value::off;
  }
  return row;
}

/// One iteration: the bound of each start.
std::vector<Restart> bounds_of(const data::SampleMatrix& samples,
                               const std::vector<Parameters>& starts, std::size_t sweeps = 10) {
  const learning::RowPass rows(learning::lone_team(), 1, samples.values,
                               samples.missing ? &*samples.missing : nullptr);
  FitSettings settings;
  settings.e_step.sweeps = sweeps;
  auto restarts = restarts_from(starts);
  const auto counts = count_rows(rows, samples.n_observed(), false);
  EXPECT_TRUE(iterate(rows, *counts, settings, restarts));
  return restarts;
}

// Rows of coin tosses: many that the network explains badly, each with its own missing values.
TEST(VariationalBound, is_below_the_exact_log_likelihood_and_not_far) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = learning::planted::integer(random, 1, 6);
    const std::size_t m = learning::planted::integer(random, 1, 9);
    const double missing = round % 3 == 0 ? .2 : 0;
    std::vector<Row> table;
    for (int r = 0; r < 60; ++r) table.push_back(random_row(random, m, missing));
    const auto samples = model::oracle::matrix(table, missing > 0);
    const Parameters parameters = random_parameters(random, n, m);
    const double exact = model::mean_log_likelihood(network_of(parameters), samples);
    const double bound = bounds_of(samples, {parameters})[0].bound;
    EXPECT_LE(bound, exact + 1e-12) << n << " causes, " << m << " variables";
    EXPECT_GT(bound, exact - 1) << n << " causes, " << m << " variables";
  }
}

TEST(VariationalBound, is_exact_for_a_single_cause) {
  std::mt19937_64 random(2);
  std::vector<Row> table;
  for (int r = 0; r < 300; ++r) table.push_back(random_row(random, 7, .1));
  const auto samples = model::oracle::matrix(table, true);
  const Parameters parameters = random_parameters(random, 1, 7);
  EXPECT_NEAR(bounds_of(samples, {parameters})[0].bound,
              model::mean_log_likelihood(network_of(parameters), samples), 1e-12);
}

TEST(VariationalBound, rises_with_more_sweeps) {
  const auto network = *model::generate_network("img", 1);
  const learning::Sampled sampled(network, 1, 500);
  data::SampleMatrix samples;
  samples.values = sampled.values;
  const auto start = parameters_of(network);
  double before = -1e300;
  // From the first sweep at temperature 1 on.
  for (const std::size_t sweeps : {5, 6, 8, 12, 20}) {
    const double bound = bounds_of(samples, {start}, sweeps)[0].bound;
    EXPECT_GE(bound, before - 1e-6) << sweeps << " sweeps";  // shares are in single precision
    before = bound;
  }
}

// Each step is an M-step at local optima: it raises the bound. Only where a row has come to rest in
// another optimum is it halved, which must be rare; the bound kept never falls.
TEST(VariationalBound, iterations_raise_it) {
  std::mt19937_64 random(3);
  std::uint64_t steps = 0;
  std::uint64_t raised = 0;
  for (std::uint64_t round = 0; round < 10; ++round) {
    const learning::Sampled sampled(network_of(random_parameters(random, 3, 8)), round, 400);
    const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
    const auto counts = count_rows(rows, 8, false);
    FitSettings settings;
    settings.e_step = {60, 1e-6F, false};
    auto restarts = restarts_from({random_parameters(random, 3, 8)});
    ASSERT_TRUE(iterate(rows, *counts, settings, restarts));
    for (int i = 0; i < 20 && !all_done(restarts); ++i) {
      const double before = restarts[0].bound;
      ASSERT_TRUE(iterate(rows, *counts, settings, restarts));
      EXPECT_GE(restarts[0].bound, before);
      raised += restarts[0].bound > before ? 1U : 0U;
      ++steps;
    }
  }
  EXPECT_GT(steps, 100U);
  EXPECT_GT(static_cast<double>(raised), .95 * static_cast<double>(steps));
}

// One visible cause, hardly any leak: EM counts.
TEST(VariationalBound, an_m_step_of_one_visible_cause_counts) {
  // The cause is on in 3 of 4 rows; its second child is on in 2 of these 3.
  const auto samples = model::oracle::matrix({{Value::on, Value::on, Value::on},
                                              {Value::on, Value::on, Value::on},
                                              {Value::on, Value::on, Value::off},
                                              {Value::off, Value::off, Value::off}},
                                             false);
  const Parameters start{1, 3, {.5}, {1e-6, 1e-6, .5}, {1e-6, 1e-6, 1e-6}};
  const Parameters next = bounds_of(samples, {start})[0].next;
  EXPECT_NEAR(next.prior[0], .75, 1e-4);
  EXPECT_NEAR(next.failure[0], 0, 1e-4);
  EXPECT_NEAR(next.failure[2], 1. / 3, 1e-4);
  EXPECT_NEAR(next.leak[2], 0, 1e-4);
}

// With one cause the bound is exact, and its M-step that of EM: given what the row shows, the leak,
// the cause and the edge of a variable that is on were so with the shares of all ways to be on.
TEST(VariationalBound, an_m_step_of_a_single_cause_is_that_of_em) {
  constexpr std::size_t m = 7;
  std::mt19937_64 random(8);
  std::vector<Row> table;
  for (int r = 0; r < 300; ++r) table.push_back(random_row(random, m, .15));
  Parameters at{1, m, {.3}, {}, {}};
  for (std::size_t a = 0; a < m; ++a) {
    at.failure.push_back(learning::planted::uniform(random, .1, .9));
    at.leak.push_back(learning::planted::uniform(random, .1, .6));
  }
  double mass = 0;
  std::array<double, m> seen{}, present{}, edge{}, leak{};
  for (const Row& row : table) {
    double odds = at.prior[0] / (1 - at.prior[0]);
    for (std::size_t a = 0; a < m; ++a) {
      const double on = 1 - (1 - at.leak[a]) * at.failure[a];
      if (row[a] == Value::on) odds *= on / at.leak[a];
      if (row[a] == Value::off) odds *= at.failure[a];
    }
    const double q = odds / (1 + odds);
    mass += q;
    for (std::size_t a = 0; a < m; ++a) {
      if (row[a] == Value::missing) continue;
      seen[a] += 1;
      present[a] += q;
      if (row[a] == Value::off) continue;
      const double on = 1 - (1 - at.leak[a]) * at.failure[a];
      edge[a] += q * (1 - at.failure[a]) / on;
      leak[a] += 1 - q + q * at.leak[a] / on;
    }
  }
  const Parameters next = bounds_of(model::oracle::matrix(table, true), {at})[0].next;
  EXPECT_NEAR(next.prior[0], mass / 300, 1e-9);
  for (std::size_t a = 0; a < m; ++a) {
    EXPECT_NEAR(next.failure[a], 1 - edge[a] / present[a], 1e-9) << a;
    EXPECT_NEAR(next.leak[a], leak[a] / seen[a], 1e-9) << a;
  }
}

TEST(VariationalBound, a_step_that_lowers_it_is_halved) {
  std::mt19937_64 random(9);
  const Parameters best = random_parameters(random, 3, 8);
  const learning::Sampled sampled(network_of(best), 1, 400);
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  const auto counts = count_rows(rows, 8, false);
  auto restarts = restarts_from({best});
  ASSERT_TRUE(iterate(rows, *counts, {}, restarts));
  const Restart good = restarts[0];
  for (double& prior : restarts[0].next.prior) prior = .999;
  const Parameters bad = restarts[0].next;
  ASSERT_TRUE(iterate(rows, *counts, {}, restarts));
  EXPECT_EQ(restarts[0].bound, good.bound);
  EXPECT_EQ(restarts[0].best, good.best);
  EXPECT_EQ(restarts[0].halvings, 1U);
  EXPECT_EQ(restarts[0].next, between(good.best, bad, .5));
}

// Rows held out have all variables on, the others two.
TEST(VariationalBound, starts_are_like_no_row_held_out) {
  std::vector<Row> table;
  for (std::size_t r = 0; r < 200; ++r) {
    Row row(6, r % 10 == 9 ? Value::on : Value::off);
    row[0] = row[1] = Value::on;
    table.push_back(row);
  }
  const auto samples = model::oracle::matrix(table, false);
  const learning::RowPass rows(learning::lone_team(), 1, samples.values, nullptr);
  const auto starts = draw_starts(rows, 1, 16, 5, *count_rows(rows, 6, true));
  for (const Parameters& start : *starts) {
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(start.failure[k], .5);
      for (std::size_t a = 2; a < 6; ++a) EXPECT_GE(start.failure[a * 5 + k], .95);
    }
  }
}

TEST(VariationalBound, every_instruction_set_gives_the_same_bits) {
  const std::string used = kernels::active().name;
  std::mt19937_64 random(4);
  std::vector<Row> table;
  for (int r = 0; r < 200; ++r) table.push_back(random_row(random, 70, .05));
  const auto samples = model::oracle::matrix(table, true);
  std::vector<Parameters> starts;
  for (int i = 0; i < 19; ++i) starts.push_back(random_parameters(random, 5, 70));
  std::vector<std::vector<Restart>> results;
  for (const auto isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
    if (kernels::find(isa) == nullptr) continue;
    kernels::force(kernels::find(isa)->name);
    results.push_back(bounds_of(samples, starts));
  }
  kernels::force(used);
  for (const auto& result : results) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      EXPECT_EQ(result[i].bound, results[0][i].bound);
      EXPECT_EQ(result[i].next, results[0][i].next);
    }
  }
  // A restart does not see its neighbours.
  const auto alone = bounds_of(samples, {starts[18]});
  EXPECT_EQ(alone[0].next, results[0][18].next);
}

// The vectors of 1 to 19 restarts hold the pairs of a row and a restart in as many ways.
TEST(VariationalBound, any_number_of_restarts_gives_the_same_bits) {
  std::mt19937_64 random(10);
  std::vector<Row> table;
  for (int r = 0; r < 300; ++r) table.push_back(random_row(random, 11, r % 3 == 0 ? .2 : 0));
  const auto samples = model::oracle::matrix(table, true);
  const learning::RowPass rows(learning::lone_team(), 1, samples.values, &*samples.missing);
  FitSettings settings;
  settings.e_step.hold_out = true;
  const auto counts = count_rows(rows, 11, true);
  std::vector<Parameters> starts;
  for (int i = 0; i < 19; ++i) starts.push_back(random_parameters(random, 4, 11));
  auto all = restarts_from(starts);
  ASSERT_TRUE(iterate(rows, *counts, settings, all));
  for (std::size_t n = 1; n < starts.size(); ++n) {
    auto some = restarts_from({starts.end() - static_cast<std::ptrdiff_t>(n), starts.end()});
    ASSERT_TRUE(iterate(rows, *counts, settings, some));
    for (std::size_t i = 0; i < n; ++i) {
      const Restart& same = all[starts.size() - n + i];
      EXPECT_EQ(some[i].bound, same.bound) << n << " restarts";
      EXPECT_EQ(some[i].held_out, same.held_out) << n << " restarts";
      EXPECT_EQ(some[i].next, same.next) << n << " restarts";
    }
  }
}

TEST(VariationalBound, groups_of_restarts_that_take_turns_give_the_same) {
  const learning::Sampled sampled(*model::generate_network("con:8", 1), 1, 300);
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  const auto counts = count_rows(rows, 64, false);
  const auto starts = draw_starts(rows, 1, 35, 3, *counts);
  FitSettings one_by_one;
  one_by_one.sums_bytes = 1;
  auto together = restarts_from(*starts);
  auto in_turns = restarts_from(*starts);
  ASSERT_TRUE(iterate(rows, *counts, {}, together));
  ASSERT_TRUE(iterate(rows, *counts, one_by_one, in_turns));
  for (std::size_t i = 0; i < starts->size(); ++i) {
    EXPECT_EQ(together[i].bound, in_turns[i].bound);
    EXPECT_EQ(together[i].next, in_turns[i].next);
  }
}

TEST(VariationalBound, rows_held_out_lend_only_their_bound) {
  std::mt19937_64 random(6);
  std::vector<Row> all;
  std::vector<Row> learned_from;
  std::vector<Row> held_out;
  for (std::size_t r = 0; r < 405; ++r) {
    all.push_back(random_row(random, 9, 0));
    (r % 10 == 9 ? held_out : learned_from).push_back(all.back());
  }
  const Parameters start = random_parameters(random, 3, 9);
  const auto samples = model::oracle::matrix(all, false);
  const learning::RowPass rows(learning::lone_team(), 1, samples.values, nullptr);
  FitSettings settings;
  settings.e_step.hold_out = true;
  auto restarts = restarts_from({start});
  ASSERT_TRUE(iterate(rows, *count_rows(rows, 9, true), settings, restarts));
  const auto apart = bounds_of(model::oracle::matrix(learned_from, false), {start});
  EXPECT_NEAR(restarts[0].bound, apart[0].bound, 1e-12);
  EXPECT_NEAR(restarts[0].next.leak[4], apart[0].next.leak[4], 1e-12);
  EXPECT_NEAR(restarts[0].held_out,
              bounds_of(model::oracle::matrix(held_out, false), {start})[0].bound, 1e-12);
}

}  // namespace
}  // namespace orrery::variational_em
