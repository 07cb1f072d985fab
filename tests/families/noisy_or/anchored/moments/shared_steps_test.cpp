#include "families/noisy_or/anchored/moments/shared_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "families/noisy_or/anchored/joint_tables.hpp"
#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"
#include "learning/run_learner.hpp"
#include "parallel/the_team.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t n = 12;

AnchorTables some_anchors() {
  return sampled_anchors(random_joint(n, 5, 6), n, 2, random_rates(n, 5), 400, 5);
}

VectorXd some_state(const ProductBasis& basis, std::uint64_t number) {
  RowRandom random(number, Stream::check, 3);
  std::vector<std::uint8_t> state(n);
  for (auto& bit : state) bit = random.bernoulli(.4) ? 1 : 0;
  return basis.vertex(state);
}

/// The same at every rank: rank 0 asks, and the others serve.
struct Asked {
  AnchorTables anchors;
  Objective objective{anchors, .1};
  ProductBasis basis{anchors.observed.n_variables(), 2};
  SharedSteps steps{parallel::the_team(), 2, objective, basis};

  explicit Asked(AnchorTables tables) : anchors(std::move(tables)) {}

  template <class Ask>
  void at_root(const Ask& ask) {
    if (parallel::the_team().is_root()) {
      ask();
      steps.end();
    } else {
      steps.serve();
    }
  }
};

void expect_hessian(SharedSteps& steps, HullPoints& points, const VectorXd& mean) {
  const MatrixXd plain = hessian_of({points.components(), points.counts()}, mean);
  const MatrixXd shared = steps.hessian(points, mean);
  ASSERT_EQ(shared.rows(), plain.rows());
  for (Index j = 0; j < plain.cols(); ++j) {
    for (Index i = j; i < plain.rows(); ++i) {
      ASSERT_NEAR(shared(i, j), plain(i, j), 1e-12 * plain.diagonal().maxCoeff()) << i << ' ' << j;
    }
  }
}

TEST(SharedSteps, hessians_are_those_of_the_points_that_rank_0_has) {
  Asked asked(some_anchors());
  asked.at_root([&] {
    HullPoints points(asked.objective, asked.basis);
    for (std::uint64_t i = 0; i < 150; ++i) points.add(some_state(asked.basis, i));
    const VectorXd mean = points.components().rowwise().mean().cwiseMax(1e-3);
    expect_hessian(asked.steps, points, mean);
    // Some go, some come and go between two calls, some come; then a hull of its own.
    points.keep({1, 2, 70, 149});
    for (std::uint64_t i = 200; i < 280; ++i) points.add(some_state(asked.basis, i));
    points.keep({0, 2, 3, 5, 7, 60, 83});
    for (std::uint64_t i = 300; i < 370; ++i) points.add(some_state(asked.basis, i));
    expect_hessian(asked.steps, points, mean);
    HullPoints others(asked.objective, asked.basis);
    for (std::uint64_t i = 400; i < 403; ++i) others.add(some_state(asked.basis, i));
    expect_hessian(asked.steps, others, mean);
  });
}

TEST(SharedSteps, states_are_the_best_of_all_starts) {
  // So many variables that most starts lead to states of their own.
  const std::vector<double> on(60, .3);
  Asked asked({independent_tables(on, 2), random_rates(on.size(), 1)});
  asked.at_root([&] {
    RowRandom random(1, Stream::check, 4);
    LinearForm form{.5, VectorXd(asked.basis.size())};
    for (double& c : form.coefficients) c = 2 * random.uniform() - 1;
    std::vector<FoundState> each;
    for (std::uint64_t start = 0; start < starts_per_round; ++start) {
      each.push_back(search_from_start(asked.basis, form, on, 7, start));
    }
    const auto plain = best_states(each);
    const auto shared = asked.steps.search(form, on, 7);
    ASSERT_GT(plain.size(), 10U);
    ASSERT_EQ(shared.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(shared[i].state, plain[i].state);
      EXPECT_EQ(shared[i].value, plain[i].value);
    }
  });
}

Recovery recovered(const parallel::Team& team, int threads, Polytope polytope) {
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  RecoveryOptions options;
  options.polytope = polytope;
  options.integer_program = IntegerProgram::cbc;
  options.gap = 1e-5;
  return recover_moments({team, threads, checkpoints, stages}, some_anchors(), options);
}

TEST(SharedSteps, ranks_and_threads_find_the_same_moments_to_the_last_digit) {
  for (const Polytope polytope : {Polytope::local, Polytope::local_cycles, Polytope::marginal}) {
    const Recovery alone = recovered(parallel::Team(), 1, polytope);
    EXPECT_LE(alone.gap, 1e-5);
    for (const int threads : {1, 2}) {
      const Recovery together = recovered(parallel::the_team(), threads, polytope);
      EXPECT_TRUE(std::ranges::equal(together.moments.cells(), alone.moments.cells()));
      EXPECT_EQ(together.objective, alone.objective);
      EXPECT_EQ(together.gap, alone.gap);
      EXPECT_EQ(together.iterations, alone.iterations);
    }
  }
}

}  // namespace
}  // namespace orrery::anchored
