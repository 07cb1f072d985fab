// Signatures of exact moments against their definition, and the search by them against the search
// through all quartets.
#include "families/noisy_or/quartet/signatures/signature_search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/doubtful_edges.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"
#include "families/noisy_or/quartet/signatures/signature_pass.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/network_moments.hpp"
#include "model/numbers.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using model::NetworkMoments;
using model::NoisyOrNetwork;

LogTerms terms_of(const NoisyOrNetwork& network) {
  LogTerms terms(network.n_observed());
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    terms.add(network.causes()[u].prior, network.dense_failures(u));
  }
  return terms;
}

TEST(LogTerms, of_all_causes_are_the_networks_cumulants) {
  const auto network = *model::generate_network("con:5-9,causes=6,observed=20,prior=.05-.3", 3);
  const NetworkMoments moments(network);
  const LogTerms terms = terms_of(network);
  const PairResiduals residuals(moments, terms);
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NEAR(terms.pair(a, b), residuals.coupled(a, b), 1e-12);
      const auto factors = terms.factors_given_off(a, b);
      for (std::size_t x = 0; x < 20; ++x) {
        if (x == a || x == b) continue;
        const double ratio =
            moments.triple(a, b, x) * moments.single(x) / (moments.pair(a, x) * moments.pair(b, x));
        EXPECT_NEAR(factors[x] / ratio, 1, 1e-12) << a << " " << b << " " << x;
      }
    }
  }
}

// More causes than bits in a word.
TEST(LogTerms, of_a_pair_are_the_couplings_of_its_common_causes) {
  constexpr std::size_t m = 12;
  std::vector<double> priors;
  std::vector<std::vector<double>> failures;
  LogTerms terms(m);
  for (std::uint64_t u = 0; u < 200; ++u) {
    RowRandom random(11, Stream::check, u);
    priors.push_back(.3 * random.uniform());
    failures.emplace_back();
    for (std::size_t a = 0; a < m; ++a) {  // the last variable has few causes, and none at first
      const bool has = a + 1 < m ? random.bernoulli(.3) : u == 130 || u == 191;
      failures.back().push_back(has ? random.uniform() : 1);
    }
    terms.add(priors.back(), failures.back());
  }
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      double sum = 0;
      std::vector<std::uint32_t> both;
      for (std::uint32_t u = 0; u < 200; ++u) {
        if (!(failures[u][a] < 1 && failures[u][b] < 1)) continue;
        sum += coupling(priors[u], failures[u][a], failures[u][b]);
        both.push_back(u);
      }
      EXPECT_EQ(terms.pair(a, b), sum) << a << ' ' << b;
      EXPECT_EQ(terms.causes_of(a, b), both) << a << ' ' << b;
    }
  }
}

TEST(LogTerms, a_coupling_gives_its_prior_back) {
  for (const double prior : {1e-4, .01, .3}) {
    EXPECT_NEAR(prior_of_coupling(coupling(prior, .2, .7), .2, .7), prior, 1e-9);
  }
}

// Two rare causes; a and b are children of both, and the first is learned.
TEST(PairSignature, is_the_strength_of_what_is_not_learned) {
  const NoisyOrNetwork network(
      {{"u", .004}, {"v", .002}}, {{"a", .01}, {"b", .02}, {"c", .01}, {"d", .03}, {"e", .01}},
      {{0, 0, .2}, {0, 1, .3}, {0, 2, .5}, {1, 0, .4}, {1, 1, .1}, {1, 3, .6}, {1, 2, .25}});
  const NetworkMoments moments(network);
  LogTerms learned(5);
  learned.add(.004, network.dense_failures(0));
  const PairResiduals residuals(moments, learned);
  const Pair pair{0, 1};
  const PairSignature found = signature(residuals, pair, moments.on_with_pairs({&pair, 1}).front());
  EXPECT_NEAR(found.residual, coupling(.002, .4, .1), 1e-12);
  // First order in the prior: off by its size.
  EXPECT_NEAR(found.strength[2], .75, .004);
  EXPECT_NEAR(found.strength[3], .4, .004);
  EXPECT_NEAR(found.strength[4], 0, 1e-6);
}

// Of all pairs, with nothing learned, some causes, and all of them.
TEST(PairResiduals, what_the_quick_look_leaves_out_is_never_unexplained) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:6-14,causes=16,observed=120,prior=.01-.05,failure=.1-.6,leak=.001-.01", 5);
  const learning::Sampled sampled(truth, 3, 40'000);
  std::size_t n_left_out = 0;
  std::size_t n_unexplained = 0;
  for (const std::size_t n_learned : {0, 7, 16}) {
    LogTerms learned(truth.n_observed());
    for (std::size_t u = 0; u < n_learned; ++u) {
      learned.add(truth.causes()[u].prior, truth.dense_failures(u));
    }
    const PairResiduals residuals(sampled.moments, learned);
    for (std::size_t b = 0; b < truth.n_observed(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const bool is_unexplained = residuals.unexplained(a, b, .1);
        EXPECT_TRUE(residuals.may_be_unexplained(a, b) || !is_unexplained) << a << ' ' << b;
        n_left_out += residuals.may_be_unexplained(a, b) ? 0 : 1;
        n_unexplained += is_unexplained ? 1 : 0;
      }
    }
  }
  EXPECT_GT(n_left_out, 10'000U);
  EXPECT_GT(n_unexplained, 100U);
}

model::LearnedModel learn(const learning::Sampled& sampled, const NoisyOrNetwork& truth,
                          const char* search, int threads = 1) {
  return learning::learn_quartet(sampled.moments, truth.observed_names(), {"--search", search},
                                 threads);
}

NoisyOrNetwork many_rare_causes() {
  return *model::generate_network(
      "con:6-14,causes=16,observed=120,prior=.01-.05,failure=.1-.6,leak=.001-.01", 5);
}

TEST(SignatureSearch, finds_what_all_quartets_find) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 40'000);
  const auto found = learn(sampled, truth, "signatures");
  const auto by_quartets = learn(sampled, truth, "exhaustive");
  const auto compared = noisy_or::score_network(found, by_quartets.network, .005);
  EXPECT_EQ(compared.n_true, 16U);
  EXPECT_EQ(compared.recovered, 16U);
  EXPECT_EQ(compared.n_learned, 16U);
  const auto scored = noisy_or::score_network(found, truth, .005);
  EXPECT_EQ(scored.recovered, 16U);
  EXPECT_GT(scored.edge_f1, .97);
  for (const auto& origin : found.provenance) {
    EXPECT_GE(origin.support, 1U);
    EXPECT_GE(origin.statistic, 0);
    EXPECT_LT(origin.statistic, .005);  // one cause couples its quartet once the others are gone
  }
}

// Seeds of the same causes and of others, in one batch.
TEST(SignatureSearch, a_seed_finds_the_same_among_others) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 40'000);
  const LogTerms nothing(truth.n_observed());
  const PairResiduals residuals(sampled.moments, nothing);
  const std::vector<Pair> seeds = seeds_of(parallel::Team(), residuals, 2);
  ASSERT_GT(seeds.size(), 200U);
  std::vector<Pair> some;
  for (std::size_t i = 0; i < 200; i += 10) some.push_back(seeds[i]);
  const auto search = [&](std::span<const Pair> batch) {
    PairSignatures signatures(learning::lone_team(), 2, residuals, most_signatures);
    return SignatureSearch(residuals, signatures).causes_of(batch);
  };
  const std::vector<FoundCause> together = search(some);
  std::size_t n_found = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const FoundCause alone = search({&some[i], 1})[0];
    EXPECT_EQ(together[i].members, alone.members);
    ASSERT_EQ(together[i].cause.has_value(), alone.cause.has_value());
    if (!alone.cause) continue;
    ++n_found;
    EXPECT_EQ(together[i].cause->prior, alone.cause->prior);
    EXPECT_EQ(together[i].cause->failures, alone.cause->failures);
  }
  EXPECT_GT(n_found, 5U);
}

/// Where a search through all seeds was whenever it paused, and what it learned.
struct Way {
  std::vector<std::size_t> next;
  std::vector<std::vector<std::uint32_t>> waiting, failed;
  std::vector<double> priors;
};

/// A cause with an even first child is refused, so that its seeds fail. From pause `last` on no
/// seed is open. Few signatures: one batch after the other.
Way way_of(const learning::Sampled& sampled, std::size_t most, std::size_t last) {
  const std::size_t m = sampled.moments.n_observed();
  LogTerms learned(m);
  const PairResiduals residuals(sampled.moments, learned);
  PairSignatures signatures(learning::lone_team(), 2, residuals, most);
  SeedPlace place;
  place.failed.assign(m, 0);
  Way way;
  const auto learn = [&](const Elected& cause) {
    if (cause.quartet[0] % 2 == 0) return false;
    learned.add(cause.prior, cause.failures);
    way.priors.push_back(cause.prior);
    return true;
  };
  const auto pause = [&] {
    way.next.push_back(place.next);
    way.waiting.push_back(place.waiting);
    way.failed.push_back(place.failed);
  };
  search_seeds(seeds_of(parallel::Team(), residuals, 2), residuals, signatures,
               {[&](const Pair&) { return way.next.size() < last; }, learn, pause}, place);
  return way;
}

TEST(SignatureSearch, batches_that_are_searched_together_lead_the_same_way) {
  const learning::Sampled sampled(many_rare_causes(), 3, 40'000);
  for (const std::size_t last : {std::size_t{1000}, std::size_t{9}}) {
    const Way one_by_one = way_of(sampled, 1, last);
    const Way together = way_of(sampled, most_signatures, last);
    EXPECT_EQ(together.next, one_by_one.next);
    EXPECT_EQ(together.waiting, one_by_one.waiting);
    EXPECT_EQ(together.failed, one_by_one.failed);
    EXPECT_EQ(together.priors, one_by_one.priors);
    EXPECT_GE(one_by_one.priors.size(), 3U);
    EXPECT_GE(one_by_one.next.size(), 9U);
    EXPECT_LE(one_by_one.next.size(), last);
  }
}

// No variable has so many open seeds that the last of them would be given up, and no cause is
// learned that would explain one.
TEST(SignatureSearch, each_open_seed_is_tried_once) {
  const learning::Sampled sampled(many_rare_causes(), 3, 40'000);
  const LogTerms nothing(sampled.moments.n_observed());
  const PairResiduals residuals(sampled.moments, nothing);
  const std::vector<Pair> seeds = seeds_of(parallel::Team(), residuals, 2);
  std::vector<std::uint32_t> n_open(sampled.moments.n_observed(), 0);
  std::set<Pair> open;
  for (const Pair& seed : seeds) {
    if (std::max(n_open[seed[0]], n_open[seed[1]]) >= constants::signatures::patience) continue;
    open.insert(seed);
    for (const std::uint32_t a : seed) ++n_open[a];
  }
  ASSERT_GT(open.size(), 100U);
  ASSERT_LT(open.size(), seeds.size() - 100);
  PairSignatures signatures(learning::lone_team(), 2, residuals, most_signatures);
  SeedPlace place;
  place.failed.assign(n_open.size(), 0);
  search_seeds(seeds, residuals, signatures,
               {[&](const Pair& seed) { return open.contains(seed); },
                [](const Elected&) { return false; }, [] {}},
               place);
  EXPECT_EQ(place.failed, n_open);
  EXPECT_EQ(place.next, seeds.size());
  EXPECT_TRUE(place.waiting.empty());
}

TEST(SignatureSearch, the_number_of_threads_changes_nothing) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 4, 10'000);
  const auto one = learn(sampled, truth, "signatures", 1);
  const auto three = learn(sampled, truth, "signatures", 3);
  EXPECT_GT(one.network.n_causes(), 10U);
  EXPECT_EQ(one.network.edges(), three.network.edges());
  EXPECT_EQ(one.provenance, three.provenance);
}

// Pairs of the children that two equally frequent causes share agree on a cause that has the
// children of both, each half as strongly.
TEST(SignatureSearch, two_causes_that_share_children_are_not_taken_for_one) {
  std::vector<model::Edge> edges;
  for (std::uint32_t x = 0; x < 14; ++x) edges.push_back({0, x, .3});
  for (std::uint32_t x = 8; x < 22; ++x) edges.push_back({1, x, .3});
  std::vector<model::Observed> observed;
  for (int x = 0; x < 24; ++x) observed.push_back({fmt::format("x{}", x), .002});
  const NoisyOrNetwork truth({{"u", .01}, {"v", .01}}, observed, edges);
  const learning::Sampled sampled(truth, 6, 100'000);
  const auto found = learn(sampled, truth, "signatures");
  const auto scored = noisy_or::score_network(found, truth, .005);
  EXPECT_EQ(scored.recovered, 2U);
  EXPECT_EQ(scored.n_learned, 2U);
}

/// With the rows: what the signatures find is refined.
model::LearnedModel refined(const moments::MomentSource& moments, const data::BitPanels& values,
                            const data::BitPanels* missing, const NoisyOrNetwork& truth,
                            int threads, const learning::KnownParts* known = nullptr) {
  log::configure(log::Level::quiet, true);
  const learning::RowPass rows(learning::lone_team(), threads, values, missing);
  const std::vector<std::string> names = truth.observed_names();
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::LearnContext context{
      learning::lone_team(), threads, 1, moments, names, nullptr, &rows, 0, stages,
      checkpoints,           known};
  return *entry.learn(context, learning::parse_options(entry, {"--search", "signatures"}))
              .as<model::LearnedModel>();
}

model::LearnedModel refined(const learning::Sampled& sampled, const NoisyOrNetwork& truth,
                            int threads = 1) {
  return refined(sampled.moments, sampled.values, nullptr, truth, threads);
}

double worst_strength(const model::LearnedModel& found, const NoisyOrNetwork& truth) {
  const auto scored = noisy_or::score_network(found, truth, .0005);
  double worst = 0;
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    EXPECT_TRUE(scored.causes[u].recovered) << u;
    worst = std::max(worst, scored.causes[u].failure_error);
  }
  return worst;
}

TEST(SignatureRefinement, makes_the_parameters_better) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 40'000);
  const auto plain = learn(sampled, truth, "signatures");
  const auto better = refined(sampled, truth);
  EXPECT_EQ(better.network.n_causes(), 16U);
  EXPECT_LT(worst_strength(better, truth), .08);
  EXPECT_LT(worst_strength(better, truth), worst_strength(plain, truth));
  EXPECT_GT(noisy_or::score_network(better, truth, .0005).edge_f1, .99);
  EXPECT_LT(noisy_or::score_network(better, truth, .0005).max_leak_error, .004);
}

// From 50,000 rows on steps of EM end on what the last pass left at hand, without another one. That
// pass has not seen what an edge that it added makes of the rows: a step on all of them gains a few
// nats, and the next one none.
TEST(SignatureRefinement, settles_the_parameters_of_many_rows) {
  const NoisyOrNetwork truth = *model::generate_network("qmr:40,200,1600", 1);
  const learning::Sampled sampled(truth, 3, 60'000);
  NoisyOrNetwork network = refined(sampled, truth).network;
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  std::array<double, 3> likelihoods{};  // nats
  for (double& one : likelihoods)
    one = step(rows, Missing::ignore, network).expected.log_likelihood;
  EXPECT_LT(likelihoods[1] - likelihoods[0], 10);
  EXPECT_LT(likelihoods[2] - likelihoods[1], .1);
}

// Sixteen frequent causes hide a rare one from the moments, and another has most of the children of
// one of them.
TEST(SignatureRefinement, finds_causes_that_hide_behind_others) {
  const NoisyOrNetwork frequent = many_rare_causes();
  std::vector<model::Cause> causes = frequent.causes();
  std::vector<model::Edge> edges = frequent.edges();
  const auto first = frequent.children(0);
  causes.push_back({"twin", .2 * causes[0].prior});
  for (std::size_t i = 2; i < first.size(); ++i) {
    edges.push_back({16, first[i].observed, first[i].failure});
  }
  for (std::uint32_t a = 0; a < 120; a += 17) {
    if (frequent.failure(0, a) == 1) edges.push_back({16, a, .3});
  }
  const NoisyOrNetwork truth(causes, frequent.observed(), edges);
  const learning::Sampled sampled(truth, 5, 100'000);
  const auto found = refined(sampled, truth);
  const auto scored = noisy_or::score_network(found, truth, .0005);
  EXPECT_EQ(scored.recovered, 17U);
  EXPECT_EQ(scored.n_learned, 17U);
}

TEST(SignatureRefinement, finds_the_same_causes_where_values_are_missing) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::SampledInPart sampled(truth, 3, 40'000, .02);
  const auto found = refined(*sampled.moments, sampled.values, &sampled.missing, truth, 2);
  EXPECT_EQ(found.network.n_causes(), 16U);
  EXPECT_LT(worst_strength(found, truth), .1);
  const auto scored = noisy_or::score_network(found, truth, .0005);
  EXPECT_GT(scored.edge_f1, .98);
  EXPECT_LT(scored.max_leak_error, .004);
}

// Pairs, triples and singles then rest on different rows: their noise does not cancel.
TEST(SignatureSearch, finds_nothing_in_independent_variables_that_are_seen_in_part) {
  const auto truth = *model::generate_network("independent:200", 2);
  const learning::SampledInPart sampled(truth, 7, 5000, .3);
  const auto found =
      learning::learn_quartet(*sampled.moments, truth.observed_names(), {"--search", "signatures"});
  EXPECT_EQ(found.network.n_causes(), 0U);
  const LogTerms nothing(truth.n_observed());
  const PairResiduals residuals(*sampled.moments, nothing);
  EXPECT_LT(seeds_of(parallel::Team(), residuals, 1).size(),
            8U);  // of 19,900 pairs, 1 beyond 4 by the normal law
}

// Of three children there is no fourth that two signatures could agree on, and no quartet.
TEST(SignatureRefinement, finds_causes_of_three_and_four_children) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:3-4,causes=12,observed=100,prior=.03-.08,failure=.1-.5,leak=.001-.02", 2);
  const learning::Sampled sampled(truth, 3, 20'000);
  const auto found = refined(sampled, truth);
  const auto scored = noisy_or::score_network(found, truth, .005);
  EXPECT_EQ(scored.recovered, 12U);
  EXPECT_EQ(scored.n_learned, 12U);
  for (const auto& origin : found.provenance) {
    if (origin.quartet[3] >= 0) continue;  // of a triple: the z of its least clear member
    EXPECT_GT(origin.statistic, 6);
    EXPECT_EQ(origin.support, 0U);
  }
}

// Each child has other causes too: a leak could stand for any one edge, but for no cause.
TEST(SignatureRefinement, keeps_causes_that_owe_little_to_any_one_edge) {
  const NoisyOrNetwork truth = *model::generate_network("con:3-6,causes=60,observed=440", 1);
  const learning::Sampled sampled(truth, 1, 5000);
  const auto scored = noisy_or::score_network(refined(sampled, truth), truth, .02);
  EXPECT_EQ(scored.recovered, 60U);
  EXPECT_EQ(scored.n_learned, 60U);
}

// The first is known, with a child that it does not have; no other may have variable 7; the last is
// where to start from, and must have variable 3.
TEST(SignatureRefinement, what_is_known_beforehand_holds) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 40'000);
  const auto alone = [&](std::uint32_t u, const char* name) {
    std::vector<model::Edge> edges;
    for (const model::Edge& edge : truth.children(u)) edges.push_back({0, edge.observed, .5});
    return NoisyOrNetwork({{name, .03}}, truth.observed(), std::move(edges));
  };
  learning::KnownParts known;
  known.structure = alone(0, "known");
  std::uint32_t no_child = 0;
  while (truth.failure(0, no_child) < 1) ++no_child;
  auto edges = known.structure->edges();
  edges.push_back({0, no_child, .5});
  known.structure = NoisyOrNetwork(known.structure->causes(), truth.observed(), edges);
  known.start = alone(15, "begun");
  const auto& names = truth.observed();
  known.forbidden = {{"*", names[7].name}};
  known.required = {{"begun", names[3].name}};
  const auto found = refined(sampled.moments, sampled.values, nullptr, truth, 2, &known);
  const auto scored = noisy_or::score_network(found, truth, .005);
  std::size_t n_without = 0;
  for (std::uint32_t u = 1; u < 16; ++u) n_without += truth.failure(u, 7) == 1 ? 1 : 0;
  EXPECT_GE(scored.recovered, n_without);
  EXPECT_EQ(found.network.n_causes(), 16U);
  std::size_t n_known = 0;
  for (std::uint32_t u = 0; u < found.network.n_causes(); ++u) {
    const std::string& name = found.network.causes()[u].name;
    if (name == "known") {
      ++n_known;
      EXPECT_EQ(found.network.children(u).size(), edges.size());
      EXPECT_LT(found.network.failure(u, no_child), 1);
      EXPECT_GT(found.network.failure(u, no_child), .9);  // though it has no such child
      continue;
    }
    EXPECT_EQ(found.network.failure(u, 7), 1) << name;
    if (name == "begun") {
      ++n_known;
      EXPECT_LT(found.network.failure(u, 3), 1);
    }
  }
  EXPECT_EQ(n_known, 2U);
}

// A cause stands for two at first, one is learned twice, and weak edges of hundreds of variables
// come and go.
TEST(SignatureRefinement, finds_causes_of_very_many_children_and_no_other) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:60-150,causes=16,observed=500,prior=.02-.1,failure=.2-.8,leak=.005-.05", 1);
  const learning::Sampled sampled(truth, 2, 8000);
  const auto found = refined(sampled, truth, 2);
  const auto scored = noisy_or::score_network(found, truth, .005);
  EXPECT_EQ(scored.recovered, 16U);
  EXPECT_EQ(found.network.n_causes(), 16U);
  EXPECT_GT(scored.edge_f1, .95);
}

/// The first causes of `known`, as a refinement has left them.
State refined_state(const NoisyOrNetwork& known, std::size_t n_causes) {
  const std::size_t m = known.n_observed();
  State state;
  state.begin_round(1, WorkPlan(m).n_units());
  state.seeds.failed.assign(m, 0);
  for (std::size_t u = 0; u < n_causes; ++u) {
    Elected cause;
    cause.prior = known.causes()[u].prior;
    cause.failures = known.dense_failures(u);
    cause.failure_errors.assign(m, 0);
    state.add(cause);
  }
  state.n_refined = n_causes;
  return state;
}

/// One round of refinement of what `state` holds.
void refine_state(const learning::Sampled& sampled, const NoisyOrNetwork& truth, Hidden hidden,
                  State& state) {
  const learning::WithRows with_rows(sampled, truth.observed_names());
  refine_signatures(
      with_rows.context(), .05, hidden, [] {}, state);
}

// One that is not needed goes, and all that the state keeps of it.
TEST(SignatureRefinement, leaves_a_state_that_a_checkpoint_can_keep) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 20'000);
  const std::size_t m = truth.n_observed();
  State state;
  state.begin_round(0, WorkPlan(m).n_units());
  state.seeds.failed.assign(m, 0);
  Elected idle;
  idle.prior = 1e-5;
  idle.failures.assign(m, 1);
  idle.failure_errors.assign(m, 0);
  for (std::size_t a = 0; a < 5; ++a) idle.failures[20 * a] = .9;
  state.add(idle);
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    Elected cause = idle;
    cause.prior = truth.causes()[u].prior;
    cause.failures = truth.dense_failures(u);
    state.add(cause);
  }
  refine_state(sampled, truth, Hidden::find, state);
  EXPECT_EQ(state.causes.size(), 16U);
  store::Checkpoint checkpoint;
  save(state, checkpoint);
  const State back = load(checkpoint, m);
  EXPECT_EQ(back.failures, state.failures);
  EXPECT_EQ(back.n_refined, state.n_refined);
  EXPECT_EQ(back.leaks, state.leaks);
}

// The last of 16 causes hides behind the leaks. It is not looked for where the refinement before
// told more of the rows for less.
TEST(SignatureRefinement, looks_for_hidden_causes_as_long_as_they_are_worth_their_cost) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 3, 20'000);
  const auto refined_after = [&](double worth) {
    State state = refined_state(truth, truth.n_causes() - 1);
    state.refined_worth = worth;
    refine_state(sampled, truth, Hidden::find, state);
    return state;
  };
  const State gaining = refined_after(-model::infinity);
  EXPECT_EQ(gaining.causes.size(), 16U);
  const double worth = gaining.refined_worth;
  EXPECT_EQ(refined_after(worth - 1).causes.size(), 16U);
  EXPECT_EQ(refined_after(worth).causes.size(), 15U);
  EXPECT_EQ(refined_after(worth).refined_worth, worth);
}

/// Causes left after a refinement that is not the first of the causes `known`.
std::size_t n_after(const learning::Sampled& sampled, const NoisyOrNetwork& truth, Hidden hidden,
                    const NoisyOrNetwork& known) {
  State state = refined_state(known, known.n_causes());
  refine_state(sampled, truth, hidden, state);
  EXPECT_EQ(state.failures.size(), state.causes.size() * known.n_observed());
  return state.causes.size();
}

/// `truth` with its first cause twice, each with half of the rows.
NoisyOrNetwork with_first_twice(const NoisyOrNetwork& truth) {
  std::vector<model::Cause> causes = truth.causes();
  std::vector<model::Edge> edges = truth.edges();
  causes[0].prior /= 2;
  causes.push_back({"again", causes[0].prior});
  for (const model::Edge& edge : truth.children(0)) {
    edges.push_back(
        {static_cast<std::uint32_t>(truth.n_causes()), edge.observed, edge.failure * 1.05});
  }
  return {causes, truth.observed(), edges};
}

TEST(SignatureRefinement, looks_for_hidden_causes_once_no_cause_repeats_another) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:30-40,causes=4,observed=120,prior=.1-.2,failure=.3-.6,leak=.01-.03", 1);
  const learning::Sampled sampled(truth, 3, 5000);
  const NoisyOrNetwork known = with_first_twice(truth);
  EXPECT_EQ(n_after(sampled, truth, Hidden::find, known), 4U);
  EXPECT_EQ(n_after(sampled, truth, Hidden::ignore, known), 5U) << "settling drops it then";
}

// One of 25 causes is less than one in twenty.
TEST(SignatureRefinement, leaves_few_causes_that_repeat_others_to_settling) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:30-40,causes=24,observed=400,prior=.05-.1,failure=.3-.6,leak=.01-.03", 1);
  const learning::Sampled sampled(truth, 3, 5000);
  EXPECT_EQ(n_after(sampled, truth, Hidden::find, with_first_twice(truth)), 25U);
}

// Of 400 rows of 300 independent variables one cause of all is made of chance.
TEST(SignatureRefinement, looks_for_hidden_causes_once_chance_has_made_none) {
  const auto truth = *model::generate_network("independent:300", 2);
  const learning::Sampled sampled(truth, 7, 400);
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 300; ++a) edges.push_back({0, a, .8});
  const NoisyOrNetwork known({{"chance", .4}}, truth.observed(), edges);
  EXPECT_EQ(n_after(sampled, truth, Hidden::ignore, known), 1U);
  EXPECT_EQ(n_after(sampled, truth, Hidden::find, known), 0U);
}

// A round that begins leaves what many rows have learned as it is, also a strength of 0.012.
TEST(SignatureRefinement, keeps_weak_edges_of_many_rows_as_they_are) {
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 9; ++a) {
    observed.push_back({fmt::format("x{}", a), .1});
    edges.push_back({0, a, a == 8 ? .988 : .3});
  }
  const NoisyOrNetwork truth({{"one", .5}}, observed, edges);
  const learning::Sampled sampled(truth, 3, 400'000);
  State state;
  state.begin_round(0, WorkPlan(9).n_units());
  state.seeds.failed.assign(9, 0);
  Elected cause;
  cause.prior = .5;
  cause.failures = truth.dense_failures(0);
  cause.failure_errors.assign(9, 0);
  state.add(cause);
  state.leaks.assign(9, .1);
  state.n_refined = 1;
  refine_state(sampled, truth, Hidden::ignore, state);
  EXPECT_NEAR(state.failures[8], .988, .003);
}

// Sixty rows with a cause of three children, whose signatures say nothing: it is one of thirty, or
// one of 121.
TEST(SignatureRefinement, takes_a_cause_that_pairs_show_where_it_is_one_of_few) {
  const auto n_found = [](const char* others) {
    const NoisyOrNetwork known = *model::generate_network(others, 1);
    std::vector<model::Cause> causes = known.causes();
    std::vector<model::Observed> observed = known.observed();
    std::vector<model::Edge> edges = known.edges();
    causes.push_back({"rare", .003});
    for (int i = 0; i < 3; ++i) {
      edges.push_back({static_cast<std::uint32_t>(known.n_causes()),
                       static_cast<std::uint32_t>(observed.size()), .55});
      observed.push_back({fmt::format("of_rare{}", i), .002});
    }
    const NoisyOrNetwork truth(causes, observed, edges);
    const learning::Sampled sampled(truth, 3, 20'000);
    return n_after(sampled, truth, Hidden::find, {known.causes(), observed, known.edges()}) -
           known.n_causes();
  };
  EXPECT_EQ(n_found("con:6,causes=30,observed=180,prior=.02-.05,leak=.002-.01"), 1U);
  EXPECT_EQ(n_found("con:6,causes=120,observed=720,prior=.02-.05,leak=.002-.01"), 0U);
}

TEST(State, keeps_all_that_it_knows_of_the_causes_that_stay) {
  const NoisyOrNetwork truth = many_rare_causes();
  const std::size_t m = truth.n_observed();
  State state = refined_state(truth, 4);
  state.n_before = 3;
  state.n_before_last = 1;
  state.failure_errors[3 * m + 1] = .5;
  state.keep_only({1, 3});
  ASSERT_EQ(state.causes.size(), 2U);
  EXPECT_EQ(state.causes[0].prior, truth.causes()[1].prior);
  EXPECT_EQ(state.causes[1].prior, truth.causes()[3].prior);
  EXPECT_EQ(std::vector<double>(state.failures.begin() + static_cast<std::ptrdiff_t>(m),
                                state.failures.end()),
            truth.dense_failures(3));
  EXPECT_EQ(state.failure_errors[m + 1], .5);
  EXPECT_EQ(state.failure_errors.size(), 2 * m);
  EXPECT_EQ(state.n_before, 1U);
  EXPECT_EQ(state.n_before_last, 0U);
}

// Failures of 0.5 are known from a dozen rows: by their errors alone, (0.5 / 0.15)^2 / 2 nats, they
// would be doubtful, but leaks of 0.01 do not switch half of twelve rows on. The edges of failure
// 0.9 are doubtful, and the second cause has no other.
TEST(DoubtfulEdges, are_those_that_as_few_rows_could_have_without_their_cause) {
  std::vector<model::Observed> observed;
  for (int a = 0; a < 40; ++a) observed.push_back({fmt::format("x{}", a), .01});
  const NoisyOrNetwork network({{"u", .0006}, {"v", .001}}, observed,
                               {{0, 0, .5}, {0, 1, .5}, {0, 2, .5}, {0, 3, .9}, {1, 9, .9}});
  const learning::Sampled sampled(network, 3, 20'000);
  const learning::WithRows with_rows(sampled, network.observed_names());
  const learning::LearnContext& context = with_rows.context();
  State state = refined_state(network, 2);
  model::LearnedModel model;
  model.network = network;
  model.errors.failure = {.15, .15, .15, .08, .08};
  const Penalty penalty(20'000, 40, .05);
  EXPECT_NEAR(drop_doubtful_edges(context, .05, model, state), 2 * penalty.edge + penalty.cause,
              1e-9);
  ASSERT_EQ(state.causes.size(), 1U);
  EXPECT_EQ(state.failures.size(), 40U);
  EXPECT_EQ(state.failures[2], .5);
  EXPECT_EQ(state.failures[3], 1);
  model.network = {{{"u", .0006}}, observed, {{0, 0, .5}, {0, 1, .5}, {0, 2, .5}}};
  model.errors.failure = {.15, .15, .15};
  EXPECT_EQ(drop_doubtful_edges(context, .05, model, state), 0);
  model.errors.failure = {.4, .15, .15};  // of two rows
  EXPECT_NEAR(drop_doubtful_edges(context, .05, model, state), 3 * penalty.edge + penalty.cause,
              1e-9)
      << "two children are no cause";
  EXPECT_TRUE(state.causes.empty());
}

TEST(RowsOfRefinement, are_more_at_first_where_there_are_very_many) {
  EXPECT_EQ(rows_of_refinement(1'000'000, true), 250'000U);
  EXPECT_EQ(rows_of_refinement(4'000'000, true), 250'000U);
  EXPECT_EQ(rows_of_refinement(10'000'000, true), 625'000U);
  EXPECT_EQ(rows_of_refinement(10'000'000, false), 2'500'000U);
}

TEST(RefinedRange, has_weaker_edges_the_more_rows_there_are) {
  EXPECT_EQ(refined_range(1000).most, found_range.most);
  EXPECT_EQ(refined_range(100'000).most, found_range.most);
  EXPECT_NEAR(refined_range(10'000'000).most, .998, 1e-9);
  EXPECT_EQ(refined_range(10'000'000).least, found_range.least);
}

// The first cause twice, each with half of its rows, and weakly once more: one is left, with all
// rows.
TEST(SignaturePass, a_cause_that_was_learned_twice_is_one_again) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:30-40,causes=4,observed=120,prior=.1-.2,failure=.3-.6,leak=.01-.03", 1);
  const learning::Sampled sampled(truth, 3, 5000);
  std::vector<model::Cause> causes = truth.causes();
  std::vector<model::Edge> edges = truth.edges();
  causes.push_back({"again", causes[0].prior / 2});
  causes.push_back({"weakly", causes[0].prior / 2});
  causes[0].prior /= 2;
  for (const model::Edge& edge : truth.children(0)) {
    edges.push_back({4, edge.observed, edge.failure * 1.05});
    edges.push_back({5, edge.observed, .95});
  }
  NoisyOrNetwork network(causes, truth.observed(), edges);
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  const SparseExpectation found = step(rows, Missing::find, network);
  const Penalty penalty(5000, 120, .05);
  const Constraints no_rules(nullptr, truth.observed_names());
  std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause, no_rules);
  needed = clear_causes(network, found, penalty, needed, no_rules);
  const NoisyOrNetwork fewer = without_doubles(network, found, no_rules, needed);
  ASSERT_EQ(needed.size(), 4U);
  double prior = 0;  // of what is left of the first
  for (const std::size_t u : needed) {
    if (u == 0 || u == 4) prior += fewer.causes()[u].prior;
  }
  EXPECT_NEAR(prior, truth.causes()[0].prior, .02);
  // One that is known stays, whatever stands for it.
  learning::KnownParts known;
  known.structure = NoisyOrNetwork({{causes[5].name, .1}}, truth.observed(), {});
  const Constraints rules(&known, truth.observed_names());
  needed = needed_causes(network, found, penalty.cause, rules);
  needed = clear_causes(network, found, penalty, needed, rules);
  (void)without_doubles(network, found, rules, needed);
  EXPECT_TRUE(std::ranges::find(needed, 5U) != needed.end());
}

// A cause that seldom comes without another one is no shadow of it if it explains much: where many
// causes are present in a row, one has the rows of two until the second is found.
TEST(SignaturePass, a_cause_that_seldom_comes_alone_stays_if_it_explains_much) {
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t x = 0; x < 12; ++x) observed.push_back({"x" + std::to_string(x), .02});
  for (std::uint32_t x = 0; x < 8; ++x) edges.push_back({0, x, .2});
  for (std::uint32_t x = 5; x < 12; ++x) edges.push_back({1, x, .2});
  const NoisyOrNetwork network({{"wide", .25}, {"within", .2}}, observed, edges);
  const Constraints no_rules(nullptr, network.observed_names());
  SparseExpectation found;
  found.expected.n_rows = 4000;
  found.expected.present = {1000, 800};
  found.together = {1000, 700, 700, 800};
  const auto left_if_it_gains = [&](double nats) {
    found.without_cause = {-2000, -nats};
    std::vector<std::size_t> needed{0, 1};
    (void)without_doubles(network, found, no_rules, needed);
    return needed.size();
  };
  EXPECT_EQ(left_if_it_gains(.4 * 800 * 7), 1U);
  EXPECT_EQ(left_if_it_gains(.6 * 800 * 7), 2U);
}

// Each of thirty variables has eight parents: an edge is worth little, as another cause could have
// switched its variable on.
TEST(SignaturePass, causes_that_share_all_of_their_children_are_clear) {
  const NoisyOrNetwork truth = *model::generate_network(
      "con:20,causes=12,observed=30,prior=.1-.3,failure=.3-.7,leak=.005-.02", 1);
  const learning::Sampled sampled(truth, 3, 20'000);
  NoisyOrNetwork network = truth;
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  const SparseExpectation found = step(rows, Missing::find, network);
  const Penalty penalty(20'000, 30, .05);
  const Constraints rules(nullptr, truth.observed_names());
  const std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause, rules);
  EXPECT_EQ(needed.size(), 12U);
  EXPECT_EQ(clear_causes(network, found, penalty, needed, rules), needed);
}

TEST(SignatureRefinement, the_number_of_threads_changes_nothing) {
  const NoisyOrNetwork truth = many_rare_causes();
  const learning::Sampled sampled(truth, 4, 10'000);
  const auto one = refined(sampled, truth, 1);
  const auto three = refined(sampled, truth, 3);
  EXPECT_GT(one.network.n_causes(), 10U);
  EXPECT_EQ(one.network.edges(), three.network.edges());
  EXPECT_EQ(one.provenance, three.provenance);
}

TEST(SignatureSearch, finds_nothing_in_independent_variables) {
  const auto truth = *model::generate_network("independent:200", 2);
  const learning::Sampled sampled(truth, 7, 5000);
  EXPECT_EQ(learn(sampled, truth, "signatures").network.n_causes(), 0U);
}

TEST(SignatureSearch, learns_exact_moments) {
  const NoisyOrNetwork truth = many_rare_causes();
  const NetworkMoments moments(truth);
  const auto found =
      learning::learn_quartet(moments, truth.observed_names(), {"--search", "signatures"});
  const auto scored = noisy_or::score_network(found, truth, .005);
  EXPECT_EQ(scored.recovered, 16U);
  EXPECT_EQ(scored.n_learned, 16U);
}

/// A round after a refinement in which so many seeds have failed: one for each pair of neighbours.
State round_of(std::size_t m, std::size_t n_failed) {
  State state;
  state.n_refined = 1;
  state.n_before = 1;
  state.causes.resize(1);
  state.seeds.failed.assign(m, 0);
  for (std::size_t i = 0; i < n_failed; ++i) {
    ++state.seeds.failed[i % m];
    ++state.seeds.failed[(i + 1) % m];
  }
  return state;
}

TEST(BarrenRound, is_one_of_a_thousand_seeds_that_all_failed) {
  EXPECT_FALSE(is_barren(round_of(300, 999)));
  EXPECT_TRUE(is_barren(round_of(300, 1'000)));
}

TEST(BarrenRound, has_tried_a_seed_for_each_variable) {
  EXPECT_FALSE(is_barren(round_of(4'000, 3'999)));
  EXPECT_TRUE(is_barren(round_of(4'000, 4'000)));
}

TEST(BarrenRound, comes_after_a_refinement) {
  State first = round_of(300, 2'000);
  first.n_refined = 0;
  EXPECT_FALSE(is_barren(first)) << "what the first round finds is still to be refined";
}

TEST(BarrenRound, has_tried_as_many_again_for_each_cause_that_it_found) {
  State fruitful = round_of(300, 1'999);
  fruitful.causes.resize(2);
  EXPECT_FALSE(is_barren(fruitful));
  fruitful = round_of(300, 2'000);
  fruitful.causes.resize(2);
  EXPECT_TRUE(is_barren(fruitful));
}

}  // namespace
}  // namespace orrery::quartet
