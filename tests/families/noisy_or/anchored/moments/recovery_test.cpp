#include "families/noisy_or/anchored/moments/recovery.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "families/noisy_or/anchored/joint_tables.hpp"
#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/toulbar2_installed.hpp"
#include "learning/run_learner.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr std::array all_polytopes{Polytope::simplex, Polytope::local, Polytope::local_cycles,
                                   Polytope::marginal};

Recovery recover(const AnchorTables& anchors, RecoveryOptions options, int threads = 1) {
  options.integer_program = installed_program();
  log::configure(log::Level::quiet, true);
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  return recover_moments({learning::lone_team(), threads, checkpoints, stages}, anchors, options);
}

double farthest(const model::SubsetTables& a, const model::SubsetTables& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.cells().size(); ++i) {
    most = std::max(most, std::abs(a.cells()[i] - b.cells()[i]));
  }
  return most;
}

/// The least objective over all distributions of n variables, a weight per state: by the definition
/// of the marginal polytope.
double least_over_distributions(const AnchorTables& anchors, std::size_t n, double regularise) {
  const Objective objective(anchors, regularise);
  const std::size_t order = anchors.observed.order();
  const auto n_states = static_cast<Eigen::Index>(std::size_t{1} << n);
  const auto n_cells = static_cast<Eigen::Index>(anchors.observed.cells().size());
  Eigen::MatrixXd cells(2 * n_cells, n_states);
  Eigen::VectorXd counts(2 * n_cells);
  for (Eigen::Index state = 0; state < n_states; ++state) {
    std::vector<double> joint(static_cast<std::size_t>(n_states), 0);
    joint[static_cast<std::size_t>(state)] = 1;
    const model::SubsetTables alone = tables_of(joint, n, order);
    apply_noise(joint, anchors.rates);
    const model::SubsetTables shown = tables_of(joint, n, order);
    for (Eigen::Index c = 0; c < n_cells; ++c) {
      const auto cell = static_cast<std::size_t>(c);
      cells(c, state) = shown.cells()[cell];
      cells(n_cells + c, state) = alone.cells()[cell];
      counts[c] = std::max(anchors.observed.cells()[cell], 1e-300);
      counts[n_cells + c] = std::max(regularise * objective.independent().cells()[cell], 1e-300);
    }
  }
  const Eigen::VectorXd even = Eigen::VectorXd::Constant(n_states, 1 / double(n_states));
  const MixtureFit start = exponentiated_gradient({cells, counts}, even, 1e-3, 300);
  const MixtureFit fit = sequential_quadratic({cells, counts}, start.weights, 1e-10, 300);
  EXPECT_LE(fit.gap, 1e-8);
  std::vector<double> joint(fit.weights.begin(), fit.weights.end());
  return objective.value(tables_of(joint, n, order));
}

TEST(Objective, gradient_is_the_change_of_the_value) {
  const AnchorTables anchors =
      sampled_anchors(random_joint(4, 1), 4, 3, random_rates(4, 1), 300, 1);
  const Objective objective(anchors, .1);
  model::SubsetTables moments = tables_of(random_joint(4, 2), 4, 3);
  const model::SubsetTables gradient = objective.gradient(moments);
  for (std::size_t i = 0; i < moments.cells().size(); i += 5) {
    constexpr double h = 1e-6;
    const double cell = moments.cells()[i];
    moments.cells()[i] = cell + h;
    const double above = objective.value(moments);
    moments.cells()[i] = cell - h;
    const double below = objective.value(moments);
    moments.cells()[i] = cell;
    // Central differences: h^2 of the third derivative, and 1e-15 / h of rounding.
    EXPECT_NEAR((above - below) / (2 * h), gradient.cells()[i],
                1e-5 * (1 + std::abs(gradient.cells()[i])));
  }
}

TEST(Recovery, exact_moments_are_recovered_within_each_polytope) {
  for (const std::size_t order : {1U, 2U, 3U}) {
    const std::vector<double> joint = random_joint(5, order);
    const std::vector<Rates> rates = random_rates(5, order);
    const AnchorTables anchors = exact_anchors(joint, 5, order, rates);
    const model::SubsetTables truth = tables_of(joint, 5, order);
    for (const Polytope polytope : all_polytopes) {
      const Recovery found = recover(anchors, {.polytope = polytope, .gap = 1e-11});
      EXPECT_LT(farthest(found.moments, truth), 1e-6) << static_cast<int>(polytope) << order;
      EXPECT_NEAR(found.objective, 0, 1e-11);
      EXPECT_LE(found.gap, 1e-11);
    }
  }
}

TEST(Recovery, sampled_moments_fit_worse_the_tighter_the_polytope_and_the_last_one_best_possible) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    // Few samples behind noisy anchors: R^-1 observed is far outside.
    const AnchorTables anchors =
        sampled_anchors(random_joint(6, seed, 10), 6, 2, random_rates(6, seed), 100, seed);
    std::vector<double> least;
    for (const Polytope polytope : all_polytopes) {
      const Recovery found = recover(anchors, {.polytope = polytope, .gap = 1e-5});
      EXPECT_LE(found.gap, 1e-5) << seed << static_cast<int>(polytope);
      EXPECT_NEAR(Objective(anchors, 0).value(found.moments), found.objective, 1e-12);
      if (!least.empty()) {
        EXPECT_LE(least.back(), found.objective + 1e-9);
      }
      least.push_back(found.objective - found.gap);
    }
    const double exact = least_over_distributions(anchors, 6, 0);
    EXPECT_LE(least.back(), exact + 1e-8) << seed;
    EXPECT_GE(least.back() + 1e-5, exact - 1e-8) << seed;
    EXPECT_GT(exact, 1e-4) << seed;  // ten times the gap: the polytope matters
  }
}

TEST(Recovery, regulariser_draws_moments_towards_independence) {
  const AnchorTables anchors =
      sampled_anchors(random_joint(5, 3, 8), 5, 2, random_rates(5, 3), 200, 3);
  const Objective plain(anchors, 0);
  for (const Polytope polytope : all_polytopes) {
    double last = HUGE_VAL;
    for (const double lambda : {0.0, .1, 10.0}) {
      const Recovery found =
          recover(anchors, {.polytope = polytope, .regularise = lambda, .gap = 1e-6});
      EXPECT_LE(found.gap, 1e-6);
      const double away = farthest(found.moments, plain.independent());
      EXPECT_LT(away, last);
      last = away;
      if (polytope == Polytope::marginal && lambda > 0) {
        EXPECT_NEAR(found.objective, least_over_distributions(anchors, 5, lambda), 1e-6);
      }
    }
  }
}

TEST(Recovery, tables_within_a_polytope_agree_with_one_another) {
  const AnchorTables anchors =
      sampled_anchors(random_joint(5, 4, 8), 5, 3, random_rates(5, 4), 100, 4);
  for (const Polytope polytope : {Polytope::local, Polytope::local_cycles, Polytope::marginal}) {
    const Recovery found = recover(anchors, {.polytope = polytope});
    found.moments.for_each_set(3, [&](std::span<const std::uint32_t> set) {  // Eq. (3)
      const auto all = found.moments.table(set);
      const std::array pair{all[0] + all[2], all[1] + all[3], all[4] + all[6], all[5] + all[7]};
      const std::array<std::uint32_t, 2> members{set[0], set[2]};
      const auto other = found.moments.table(members);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(pair[i], other[i], 1e-12);
    });
  }
}

TEST(Recovery, iterations_that_are_used_up_leave_the_gap_that_was_reached) {
  const AnchorTables anchors =
      sampled_anchors(random_joint(6, 5, 10), 6, 2, random_rates(6, 5), 100, 5);
  const Recovery found =
      recover(anchors, {.polytope = Polytope::marginal, .gap = 1e-9, .max_iterations = 1});
  EXPECT_EQ(found.iterations, 1U);
  EXPECT_GT(found.gap, 1e-9);
  EXPECT_GE(found.objective - found.gap, -1e-12);
  EXPECT_LE(found.objective - found.gap, least_over_distributions(anchors, 6, 0) + 1e-8);
}

TEST(Recovery, threads_change_nothing) {
  const AnchorTables anchors =
      sampled_anchors(random_joint(7, 6, 10), 7, 3, random_rates(7, 6), 100, 6);
  for (const Polytope polytope : all_polytopes) {
    const Recovery one = recover(anchors, {.polytope = polytope}, 1);
    const Recovery three = recover(anchors, {.polytope = polytope}, 3);
    EXPECT_EQ(one.moments, three.moments);
    EXPECT_EQ(one.gap, three.gap);
  }
}

TEST(Recovery, more_tables_than_a_polytope_takes_are_refused_before_any_work) {
  EXPECT_EQ(cost_of(Polytope::local, 50, 2).n_tables, 1'225U);
  EXPECT_EQ(cost_of(Polytope::marginal, 25, 3).n_tables, 2'300U);
  EXPECT_GT(cost_of(Polytope::local, 25, 3).seconds, cost_of(Polytope::local, 15, 3).seconds);
  EXPECT_EQ(cost_of(Polytope::simplex, 50, 4).bytes, 0);
  EXPECT_EQ(cost_of(Polytope::local, 3, 4).n_tables, 1U);
  const AnchorTables anchors{model::SubsetTables(26, 3), {}};
  for (const Polytope polytope : {Polytope::local, Polytope::local_cycles, Polytope::marginal}) {
    try {
      (void)recover(anchors, {.polytope = polytope});
      FAIL();
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("sets of 3 of 26 causes have 2600 tables"), std::string::npos);
      EXPECT_NE(message.find("--polytope simplex"), std::string::npos) << message;
      EXPECT_NE(message.find("up to 25 of the 26 causes"), std::string::npos) << message;
    }
  }
}

TEST(Recovery, anchors_that_tell_nothing_or_are_no_probabilities_are_refused) {
  const AnchorTables good = exact_anchors(random_joint(3, 1), 3, 2, random_rates(3, 1));
  AnchorTables bad = good;
  bad.rates[1] = {.4, .4};
  EXPECT_THROW(recover(bad, {}), InputError);
  bad.rates.pop_back();
  EXPECT_THROW(recover(bad, {}), InputError);
  bad = good;
  bad.observed.cells()[0] = std::nan("");
  EXPECT_THROW(recover(bad, {}), InputError);
  EXPECT_THROW(recover(good, {.regularise = -1}), InputError);
}

}  // namespace
}  // namespace orrery::anchored
