// The refiner's moves one by one, and the seeds that it is offered.
#include "families/noisy_or/quartet/refine/refiner.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "families/model_files.hpp"
#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/refine/cause_seeds.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/scan/round.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

using Children = std::vector<std::uint32_t>;

/// first, first + 1, ... last.
Children from_to(std::uint32_t first, std::uint32_t last) {
  Children children(last - first + 1);
  std::iota(children.begin(), children.end(), first);
  return children;
}

/// m values: 1 where there is no edge.
std::vector<double> failures_of(const Children& children, std::size_t m, double failure) {
  std::vector<double> failures(m, 1);
  for (const std::uint32_t a : children) failures[a] = failure;
  return failures;
}

/// Leaks .02, failures .2.
model::NoisyOrNetwork network_of(const std::vector<Children>& causes, double prior, std::size_t m) {
  std::vector<model::Cause> named;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    named.push_back({fmt::format("u{}", u), prior});
    for (const std::uint32_t a : causes[u]) edges.push_back({u, a, .2});
  }
  for (std::size_t a = 0; a < m; ++a) observed.push_back({fmt::format("x{}", a), .02});
  return {named, observed, edges};
}

Elected offered(const Children& children, std::size_t m, double prior = .2) {
  Elected cause;
  cause.prior = prior;
  cause.failures = failures_of(children, m, .3);
  cause.failure_errors.assign(m, 0);
  cause.support = 1;
  return cause;
}

/// The end of a round in which these were learned.
State begun_with(const std::vector<Children>& causes, std::size_t m) {
  State state;
  for (const Children& children : causes) {
    state.causes.push_back({.2, {}, 0, -1});
    const auto failures = failures_of(children, m, .3);
    state.failures.insert(state.failures.end(), failures.begin(), failures.end());
  }
  return state;
}

/// Samples of a network and a refiner of them.
struct Refined {
  Refined(const model::NoisyOrNetwork& truth, std::size_t n_rows, const State& begin,
          std::uint64_t seed, std::function<void()> pause)
      : sampled(truth, seed, n_rows),
        names(truth.observed_names()),
        rows(learning::lone_team(), 1, sampled.values, nullptr),
        context{learning::lone_team(),
                1,
                1,
                sampled.moments,
                names,
                nullptr,
                &rows,
                0,
                stages,
                checkpoints},
        refiner(context, Options{}, begin, journal, std::move(pause)) {
    log::configure(log::Level::quiet, true);
  }
  Refined(const model::NoisyOrNetwork& truth, std::size_t n_rows, const State& begin = {},
          std::uint64_t seed = 3)
      : Refined(truth, n_rows, begin, seed, std::function<void()>{}) {
    refiner.start();
  }

  /// Of every cause.
  [[nodiscard]] std::multiset<Children> children() const {
    std::multiset<Children> all;
    for (std::size_t u = 0; u < refiner.network().n_causes(); ++u) {
      Children of_cause;
      for (const model::Edge& edge : refiner.network().children(u)) {
        of_cause.push_back(edge.observed);
      }
      all.insert(of_cause);
    }
    return all;
  }

  learning::Sampled sampled;
  std::vector<std::string> names;
  learning::RowPass rows;
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  learning::LearnContext context;
  Journal journal;
  Refiner refiner;
};

/// A short refinement with moves of all kinds.
std::string refined_wholly(Refiner& refiner) {
  refiner.start();
  refiner.look_at(2);
  refiner.begin({offered({0, 1, 2, 3}, 14)}, 0, 1);
  refiner.offer({offered({5, 6, 7}, 14), offered({0, 12, 13}, 14)}, 0);
  refiner.settle();
  refiner.look_at(1);
  refiner.settle();
  return model::to_network_json(refiner.finish());
}

// Stopped at its first pass, at its second, and so on to the last, it goes on from what the
// checkpoint keeps, or from its own journal, to the same digits, with less EM than the whole has.
TEST(Refiner, goes_on_from_any_pass_to_the_same_network) {
  struct Stop {};
  const model::NoisyOrNetwork truth = network_of({from_to(0, 6), from_to(5, 11)}, .2, 14);
  constexpr std::size_t n_rows = 1500;
  std::size_t n_passes = 0;
  const auto count = [&] { ++n_passes; };
  Refined whole(truth, n_rows, {}, 3, count);
  const std::string expected = refined_wholly(whole.refiner);
  const std::size_t n_all = n_passes;
  ASSERT_GT(n_all, 20U);
  std::size_t n_repeated = 0;
  for (std::size_t last = 1; last <= n_all; ++last) {
    n_passes = 0;
    Refined stopped(truth, n_rows, {}, 3, [&] {
      if (++n_passes == last) throw Stop{};
    });
    EXPECT_THROW(refined_wholly(stopped.refiner), Stop);
    store::Checkpoint checkpoint;
    stopped.journal.save(checkpoint);
    n_passes = 0;
    Refined resumed(truth, n_rows, {}, 3, count);
    resumed.journal = Journal::restore(learning::lone_team(), checkpoint, resumed.names);
    EXPECT_EQ(refined_wholly(resumed.refiner), expected) << "stopped at pass " << last;
    n_repeated += n_passes - (n_all - last + 1);
    n_passes = 0;
    Refined rewound(truth, n_rows, {}, 3, count);
    rewound.journal = stopped.journal;
    rewound.journal.rewind();
    EXPECT_EQ(refined_wholly(rewound.refiner), expected) << "left at pass " << last;
    n_repeated += n_passes - (n_all - last + 1);
  }
  EXPECT_EQ(n_repeated, 0U);  // not a single pass of EM
}

TEST(Refiner, refuses_a_journal_that_was_not_kept_by_one) {
  const model::NoisyOrNetwork truth = network_of({from_to(0, 6)}, .2, 8);
  Refined refined(truth, 500);
  refined.refiner.settle();
  store::Checkpoint kept;
  refined.journal.save(kept);
  const auto restore = [&](const store::Checkpoint& checkpoint) {
    return Journal::restore(learning::lone_team(), checkpoint, refined.names);
  };
  EXPECT_NO_THROW(restore(kept));
  // A word or a value less, one more, and every word damaged.
  for (const bool more : {false, true}) {
    store::Checkpoint odd = kept;
    auto& words = odd.words.at("refinement");
    more ? words.push_back(0) : words.pop_back();
    EXPECT_THROW(restore(odd), InputError);
    odd = kept;
    auto& reals = odd.reals.at("refinement_values");
    more ? reals.push_back(0) : reals.pop_back();
    EXPECT_THROW(restore(odd), InputError);
  }
  for (std::size_t i = 0; i < kept.words.at("refinement").size(); ++i) {
    store::Checkpoint odd = kept;
    odd.words.at("refinement")[i] ^= std::uint64_t{1} << 63U;
    try {
      restore(odd);  // a damaged name is a name
    } catch (const InputError&) {
    }
  }
}

/// Pairs that the next scan looks at, given the errors of `state`.
std::size_t n_siblings(const Refined& refined, const State& state) {
  const moments::Subtraction learned = state.learned_before(refined.context.moments.n_observed());
  const SiblingGraph siblings(Calibration(refined.context.moments, learned, Options{}.alpha));
  std::size_t n = 0;
  for (std::size_t a = 0; a < siblings.n_variables(); ++a) n += siblings.n_later(a);
  return n;
}

// With one cause of two many pairs are left; with both none, whatever the errors.
TEST(Refiner, estimates_errors_only_where_a_scan_has_pairs_to_look_at) {
  const std::vector<Children> causes{from_to(0, 6), from_to(7, 13)};
  const model::NoisyOrNetwork truth = network_of(causes, .2, 14);
  for (const std::size_t n_known : {1U, 2U}) {
    Refined refined(truth, 3000, begun_with({causes.begin(), causes.begin() + n_known}, 14));
    State state;
    refined.refiner.into(state);
    state.n_before = state.causes.size();
    const model::StandardErrors errors =
        standard_errors(refined.rows, refined.refiner.network(), FailurePrior{});
    State with_errors = state;
    for (std::size_t u = 0; u < n_known; ++u) with_errors.causes[u].prior_error = errors.prior[u];
    for (std::size_t e = 0; e < errors.failure.size(); ++e) {
      const model::Edge& edge = refined.refiner.network().edges()[e];
      with_errors.failure_errors[edge.cause * 14 + edge.observed] = errors.failure[e];
    }
    if (n_known == 1) {
      EXPECT_EQ(state.causes[0].prior_error, errors.prior[0]);
      EXPECT_EQ(state.failure_errors, with_errors.failure_errors);
      EXPECT_GT(n_siblings(refined, with_errors), 10U);
    } else {
      EXPECT_EQ(state.causes[1].prior_error, 0);
      EXPECT_EQ(n_siblings(refined, state), 0U);
      EXPECT_EQ(n_siblings(refined, with_errors), 0U);
    }
  }
}

TEST(Refiner, gives_an_offered_cause_the_children_that_it_lacks) {
  Refined refined(network_of({from_to(0, 7)}, .2, 12), 3000);
  EXPECT_TRUE(refined.refiner.offer({offered({0, 1, 2, 3}, 12)}, 0));
  EXPECT_EQ(refined.children(), std::multiset<Children>{from_to(0, 7)});
}

// Six clear children and twelve with failures of .8, of which 300 rows show some and others hardly.
TEST(Refiner, keeps_no_edge_that_costs_more_than_it_gains) {
  model::NoisyOrNetwork truth = network_of({from_to(0, 17)}, .1, 20);
  auto edges = truth.edges();
  for (model::Edge& edge : edges) edge.failure = edge.observed < 6 ? .1 : .8;
  truth = {truth.causes(), truth.observed(), edges};
  constexpr std::size_t n_rows = 300;
  Refined refined(truth, n_rows, begun_with({from_to(0, 17)}, 20));
  refined.refiner.settle();
  const model::NoisyOrNetwork& network = refined.refiner.network();
  ASSERT_EQ(network.n_causes(), 1U);
  EXPECT_GE(network.edges().size(), 6U);
  EXPECT_LT(network.edges().size(), 18U);
  const EdgeTests tests = test_edges(refined.rows, network);
  const double cost = Penalty(n_rows, 20, .05).edge;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const double density = FailurePrior{}.log_density(network.edges()[e].failure);
    EXPECT_LT(tests.without_edge[e] - density + cost, .5) << network.edges()[e].observed;
  }
}

// A cause that 200 rows hardly show: taken or not, the score does not fall.
TEST(Refiner, takes_no_offer_that_lowers_the_score) {
  int n_taken = 0;
  constexpr int n_sets = 40;
  for (std::uint64_t seed = 1; seed <= n_sets; ++seed) {
    Refined refined(network_of({from_to(0, 4)}, .03, 10), 200, {}, seed);
    const double before = refined.refiner.score();
    const bool taken = refined.refiner.offer({offered(from_to(0, 4), 10, .03)}, 0);
    n_taken += taken ? 1 : 0;
    EXPECT_GE(refined.refiner.score(), before) << seed;
    EXPECT_EQ(refined.refiner.network().n_causes(), taken ? 1U : 0U);
  }
  EXPECT_GT(n_taken, 0);
  EXPECT_LT(n_taken, n_sets);
}

// The first two are tried as one, for what they share, and stay two.
TEST(Refiner, leaves_true_causes_as_they_are) {
  const std::vector<Children> causes{from_to(0, 9), from_to(2, 11), from_to(12, 17)};
  Refined refined(network_of(causes, .25, 20), 3000, begun_with(causes, 20));
  const double before = refined.refiner.score();
  refined.refiner.settle();
  EXPECT_GE(refined.refiner.score(), before);
  EXPECT_EQ(refined.children(), std::multiset<Children>(causes.begin(), causes.end()));
}

TEST(Refiner, splits_a_cause_that_stands_for_two) {
  Refined refined(network_of({from_to(0, 5), from_to(6, 11)}, .2, 14), 3000,
                  begun_with({from_to(0, 11)}, 14));
  refined.refiner.settle();
  EXPECT_EQ(refined.children(), (std::multiset<Children>{from_to(0, 5), from_to(6, 11)}));
}

// What the parameters of 1,200 rows leave of the pairs of 12,000 is no second cause.
TEST(Refiner, tries_no_split_for_what_few_rows_leave) {
  const std::vector<Children> causes{from_to(0, 19), from_to(15, 29)};
  Refined refined(network_of(causes, .25, 30), 12'000, begun_with(causes, 30));
  refined.refiner.look_at(10);
  log::configure(log::Level::verbose, true);
  testing::internal::CaptureStderr();
  refined.refiner.settle();
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(told.find("split"), std::string::npos) << told;
  refined.refiner.look_at(1);
  refined.refiner.settle();
  EXPECT_EQ(refined.children(), std::multiset<Children>(causes.begin(), causes.end()));
}

TEST(Refiner, makes_one_of_causes_that_come_together) {
  Refined refined(network_of({from_to(0, 9)}, .2, 14), 3000,
                  begun_with({from_to(0, 4), from_to(5, 9)}, 14));
  refined.refiner.settle();
  EXPECT_EQ(refined.children(), std::multiset<Children>{from_to(0, 9)});
}

TEST(Refiner, drops_a_cause_that_others_replace) {
  Refined refined(network_of({from_to(0, 7)}, .2, 14), 3000,
                  begun_with({from_to(0, 7), from_to(0, 5), from_to(2, 7)}, 14));
  refined.refiner.settle();
  EXPECT_EQ(refined.children(), std::multiset<Children>{from_to(0, 7)});
}

// The second was learned without the children that it shares with the first, which took its rows.
TEST(Refiner, gives_a_cause_the_children_that_another_took) {
  Refined refined(network_of({from_to(0, 9), from_to(4, 13)}, .25, 16), 3000,
                  begun_with({from_to(0, 13), from_to(10, 13)}, 16));
  refined.refiner.settle();
  EXPECT_EQ(refined.children(), (std::multiset<Children>{from_to(0, 9), from_to(4, 13)}));
}

TEST(Seeds, three_variables_with_a_cause_of_their_own_are_one) {
  const auto children_of = [](const Elected& seed) {
    Children children;
    for (std::uint32_t a = 0; a < seed.failures.size(); ++a) {
      if (seed.failures[a] < 1) children.push_back(a);
    }
    return children;
  };
  const Refined refined(network_of({{2, 5, 7}}, .2, 12), 4000);
  const auto triples = residual_triples(refined.context, moments::Subtraction(12), .05);
  ASSERT_EQ(triples.size(), 1U);
  EXPECT_EQ(children_of(triples[0]), (Children{2, 5, 7}));
  EXPECT_NEAR(triples[0].prior, .2, .05);
  const auto leaking =
      leaking_together(refined.rows, refined.sampled.moments, refined.refiner.network());
  ASSERT_EQ(leaking.size(), 1U);
  EXPECT_EQ(children_of(leaking[0]), (Children{2, 5, 7}));
}

TEST(Seeds, independent_variables_are_none) {
  const Refined refined(network_of({}, 0, 30), 4000);
  EXPECT_TRUE(residual_triples(refined.context, moments::Subtraction(30), .05).empty());
  EXPECT_TRUE(
      leaking_together(refined.rows, refined.sampled.moments, refined.refiner.network()).empty());
}

}  // namespace
}  // namespace orrery::quartet
