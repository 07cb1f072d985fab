// One round over all quartets against a slow version that goes through every quartet, every order
// of the pretest and every row.
#include "families/noisy_or/quartet/scan/scan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "families/noisy_or/quartet/svd_oracle.hpp"
#include "kernels/kernels.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/network_moments.hpp"

namespace orrery::quartet {
namespace {

using learning::Sampled;

/// A learned cause, as the slow version knows it.
struct Cause {
  double prior;
  std::vector<double> failures;
};

/// Moments by counting rows, divided by the factors of Eq. (3); sets by rising index.
class SlowMoments {
 public:
  SlowMoments(const data::BitPanels& values, const std::vector<Cause>& causes)
      : values_(values), causes_(causes) {}

  double operator()(const std::vector<std::size_t>& set) {
    const auto [entry, is_new] = known_.try_emplace(set, 0.0);
    if (!is_new) return entry->second;
    double count = 0;
    for (std::size_t row = 0; row < values_.n_rows(); ++row) {
      bool all_off = true;
      for (const std::size_t x : set) all_off = all_off && !values_.at(row, x);
      count += all_off ? 1 : 0;
    }
    double moment = count / static_cast<double>(values_.n_rows());
    for (const Cause& cause : causes_) {
      double product = 1;
      for (const std::size_t x : set) product *= cause.failures[x];
      moment /= 1 - cause.prior + cause.prior * product;
    }
    return entry->second = moment;
  }

 private:
  const data::BitPanels& values_;
  const std::vector<Cause>& causes_;
  std::map<std::vector<std::size_t>, double> known_;
};

/// PMI(a, b) > CPMI(a, b | x) + tau, and siblings (PMI(a, b) > 1 + tau), for the three choices of
/// x.
bool triple_passes(SlowMoments& moment, std::size_t a, std::size_t b, std::size_t c, double tau) {
  const std::size_t orders[3][3] = {{a, b, c}, {a, c, b}, {b, c, a}};
  const double triple = moment({a, b, c});
  for (const auto& [i, j, x] : orders) {
    const auto pair = [&](std::size_t y, std::size_t z) {
      return moment({std::min(y, z), std::max(y, z)});
    };
    const double pmi = pair(i, j) / (moment({i}) * moment({j}));
    const double given_x = moment({x});
    const double cpmi = (triple / given_x) / ((pair(i, x) / given_x) * (pair(j, x) / given_x));
    if (!(pmi > cpmi + tau && pmi > 1 + tau)) return false;
  }
  return true;
}

/// A quartet that passes the pretest.
struct SlowQuartet {
  std::array<std::uint32_t, 4> members;
  moments::QuartetMoments negative;
};

std::vector<SlowQuartet> slow_pretested(const data::BitPanels& values,
                                        const std::vector<Cause>& causes, double tau_e) {
  const std::size_t m = values.n_columns();
  SlowMoments moment(values, causes);
  std::map<std::array<std::size_t, 3>, bool> passes;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      for (std::size_t c = b + 1; c < m; ++c) {
        passes[{a, b, c}] = triple_passes(moment, a, b, c, tau_e);
      }
    }
  }
  std::vector<SlowQuartet> quartets;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      for (std::size_t c = b + 1; c < m; ++c) {
        if (!passes[{a, b, c}]) continue;
        for (std::size_t d = c + 1; d < m; ++d) {
          if (!passes[{a, b, d}] || !passes[{a, c, d}] || !passes[{b, c, d}]) continue;
          SlowQuartet quartet{{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b),
                               static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(d)},
                              {}};
          for (std::size_t set = 0; set < 16; ++set) {
            std::vector<std::size_t> off;
            for (std::size_t k = 0; k < 4; ++k) {
              if (((set >> k) & 1U) != 0) off.push_back(quartet.members[k]);
            }
            quartet.negative[set] = set == 0 ? 1 : moment(off);
          }
          quartets.push_back(quartet);
        }
      }
    }
  }
  return quartets;
}

std::vector<Candidate> slow_rank(const std::vector<SlowQuartet>& quartets) {
  std::vector<Candidate> candidates;
  for (const SlowQuartet& quartet : quartets) {
    candidates.push_back(
        {oracle::rank_statistic(moments::cells_from_negative(quartet.negative)), quartet.members});
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

/// A threshold that accepts about `n` of the sorted candidates, in the middle of a gap.
double threshold_for(const std::vector<Candidate>& sorted, std::size_t n) {
  if (n >= sorted.size()) return 2 * sorted.back().statistic;
  return (sorted[n - 1].statistic + sorted[n].statistic) / 2;
}

void expect_same(const std::vector<Candidate>& found, const std::vector<Candidate>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].members, expected[i].members) << i;
    EXPECT_NEAR(found[i].statistic, expected[i].statistic, tolerance) << i;
  }
}

void expect_identical(const ScanResult& found, const ScanResult& expected) {
  expect_same(found.candidates, expected.candidates, 0);
  EXPECT_EQ(found.n_pretested, expected.n_pretested);
  EXPECT_EQ(found.n_accepted, expected.n_accepted);
}

/// Samples with so much sharing that many quartets pass the pretest, few of them clearly.
data::BitPanels shared_samples(std::size_t m, std::size_t n_rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  learning::planted::Ranges ranges;
  ranges.min_observed = ranges.max_observed = m;
  ranges.min_causes = ranges.max_causes = 3;
  ranges.min_children = ranges.max_children = std::min<std::size_t>(m, 12);
  ranges.min_prior = .2;
  ranges.max_failure = .4;
  return learning::draw(learning::planted::network(random, ranges), seed, n_rows);
}

std::vector<Cause> two_causes(std::size_t m, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Cause> causes;
  for (int u = 0; u < 2; ++u) {
    Cause cause{learning::planted::uniform(random, .02, .1), std::vector<double>(m, 1.0)};
    for (double& failure : cause.failures) {
      if (random() % 3 == 0) failure = learning::planted::uniform(random, .5, .9);
    }
    causes.push_back(cause);
  }
  return causes;
}

ScanResult scan(const moments::MomentSource& moments, const std::vector<Cause>& causes,
                const Options& options, int threads = 1) {
  log::configure(log::Level::quiet, true);
  moments::Subtraction learned(moments.n_observed());
  for (const Cause& cause : causes) learned.add(cause.prior, cause.failures);
  const WorkPlan plan(moments.n_observed());
  ScanState state{{plan.n_units(), 0, {}}, {}};
  scan_quartets(learning::lone_team(), threads, moments, learned, options, 0, parallel::Team::never,
                state);
  EXPECT_TRUE(state.units.done());
  return state.found;
}

SiblingGraph siblings_of(const moments::MomentSource& moments, const std::vector<Cause>& causes,
                         const Options& options) {
  moments::Subtraction learned(moments.n_observed());
  for (const Cause& cause : causes) learned.add(cause.prior, cause.failures);
  return {AdjustedPairs(moments, learned), options.tau_e};
}

Options rank_options(double tau_q, double tau_e) {
  Options options;
  options.test = quartet::Test::rank;
  options.tau_q = tau_q;
  options.tau_e = tau_e;
  return options;
}

struct Case {
  std::size_t m;
  std::size_t n_rows;
  double tau_e;
  bool subtract;
};

class ScanAgainstSlow : public testing::TestWithParam<Case> {
 protected:
  const Case& case_ = GetParam();
  Sampled sampled_{shared_samples(case_.m, case_.n_rows, case_.m)};
  std::vector<Cause> causes_ =
      case_.subtract ? two_causes(case_.m, case_.m + 1) : std::vector<Cause>{};
};

TEST_P(ScanAgainstSlow, rank_test_accepts_the_same_quartets) {
  const auto quartets = slow_pretested(sampled_.values, causes_, case_.tau_e);
  ASSERT_GT(quartets.size(), 200U);
  const std::vector<Candidate> all = slow_rank(quartets);
  // Thresholds for the screen (above 2e-4) as a rule; all and a few hundred accepted.
  for (const std::size_t wanted : {std::size_t{40}, std::size_t{300}, all.size()}) {
    const double tau = threshold_for(all, wanted);
    std::vector<Candidate> expected = all;
    std::erase_if(expected, [&](const Candidate& c) { return !(c.statistic < tau); });
    const ScanResult result = scan(sampled_.moments, causes_, rank_options(tau, case_.tau_e));
    EXPECT_EQ(result.n_pretested, quartets.size());
    EXPECT_EQ(result.n_accepted, expected.size());
    expect_same(result.candidates, expected, 1e-13);
  }
}

TEST_P(ScanAgainstSlow, coherence_test_accepts_the_same_quartets) {
  Options options = rank_options(0, case_.tau_e);
  options.test = quartet::Test::coherence;
  std::vector<Candidate> expected;
  options.tau_q = .02;
  options.tau_q2 = .03;
  for (const SlowQuartet& quartet : slow_pretested(sampled_.values, causes_, case_.tau_e)) {
    const auto result = coherence(quartet.negative);
    if (result && result->variance < options.tau_q && result->distance < options.tau_q2) {
      expected.push_back({result->distance, quartet.members});
    }
  }
  std::sort(expected.begin(), expected.end());
  ASSERT_GT(expected.size(), 20U);
  expect_same(scan(sampled_.moments, causes_, options).candidates, expected, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ScanAgainstSlow,
                         testing::Values(Case{12, 400, .01, false}, Case{16, 1000, .02, false},
                                         Case{19, 333, .005, true}, Case{20, 2000, .01, true},
                                         Case{70, 200, .02, false}, Case{70, 200, .02, true}),
                         [](const auto& test) {
                           return fmt::format("m{}_n{}{}", test.param.m, test.param.n_rows,
                                              test.param.subtract ? "_subtracted" : "");
                         });

TEST(Scan, finds_nothing_in_independent_columns) {
  std::mt19937_64 random(3);
  data::BitPanels values(14, 500);
  for (std::size_t row = 0; row < 500; ++row) {
    for (std::size_t x = 0; x < 14; ++x) values.set(row, x, random() % 3 == 0);
  }
  const Sampled sampled(std::move(values));
  const ScanResult result = scan(sampled.moments, {}, rank_options(1, .1));
  EXPECT_EQ(result.n_pretested, 0U);
  EXPECT_TRUE(result.candidates.empty());
}

TEST(Scan, constant_columns_are_in_no_candidate) {
  data::BitPanels values = shared_samples(12, 400, 12);
  for (std::size_t row = 0; row < 400; ++row) {
    values.set(row, 3, true);  // P(off) = 0: ratios are not numbers
    values.set(row, 8, false);
  }
  const Sampled sampled(std::move(values));
  const ScanResult result = scan(sampled.moments, {}, rank_options(1, .005));
  EXPECT_GT(result.candidates.size(), 10U);
  for (const Candidate& candidate : result.candidates) {
    for (const std::uint32_t x : candidate.members) EXPECT_TRUE(x != 3 && x != 8);
  }
}

class ScanOfManyCandidates : public testing::Test {
 protected:
  Sampled sampled_{shared_samples(70, 500, 5)};
  std::vector<Cause> causes_ = two_causes(70, 6);
  Options options_ = rank_options(.02, .005);
  ScanResult one_thread_ = scan(sampled_.moments, causes_, options_);
};

TEST_F(ScanOfManyCandidates, threads_do_not_change_a_bit) {
  ASSERT_GT(one_thread_.candidates.size(), 500U);
  for (const int threads : {2, 3}) {
    expect_identical(scan(sampled_.moments, causes_, options_, threads), one_thread_);
  }
}

TEST_F(ScanOfManyCandidates, instruction_sets_do_not_change_a_bit) {
  for (const auto isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
    const kernels::Kernel* kernel = kernels::find(isa);
    if (kernel == nullptr) continue;
    const char* before = kernels::active().name;
    kernels::force(kernel->name);
    expect_identical(scan(sampled_.moments, causes_, options_), one_thread_);
    kernels::force(before);
  }
}

TEST_F(ScanOfManyCandidates, max_candidates_keeps_exactly_the_best) {
  const std::vector<Candidate>& all = one_thread_.candidates;
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{100}, all.size() - 1,
                              all.size(), all.size() + 1}) {
    options_.max_candidates = n;
    for (const int threads : {1, 3}) {
      const ScanResult result = scan(sampled_.moments, causes_, options_, threads);
      expect_same(result.candidates,
                  {all.begin(), all.begin() + static_cast<long>(std::min(n, all.size()))}, 0);
      EXPECT_EQ(result.n_accepted, all.size());
    }
  }
}

TEST_F(ScanOfManyCandidates, keeping_few_slabs_changes_nothing) {
  // Room for two slabs, then for five: every unit of four by four pairs evicts some.
  const SiblingGraph siblings = siblings_of(sampled_.moments, causes_, options_);
  const std::size_t longest = slab_bytes(70, siblings.n_later(0));
  EXPECT_EQ(slabs_kept(siblings, options_), 70U);
  for (const std::size_t slabs : {std::size_t{0}, std::size_t{5}}) {
    options_.slab_budget_bytes = slabs * longest;
    EXPECT_LE(slabs_kept(siblings, options_), 5U);
    EXPECT_GE(slabs_kept(siblings, options_), 2U);
    expect_identical(scan(sampled_.moments, causes_, options_), one_thread_);
    expect_identical(scan(sampled_.moments, causes_, options_, 2), one_thread_);
  }
}

TEST_F(ScanOfManyCandidates, a_scan_in_stretches_finds_the_same) {
  // A pause that is due at once ends a stretch after a unit or two; the state goes through a
  // checkpoint's arrays each time.
  moments::Subtraction learned(sampled_.moments.n_observed());
  for (const Cause& cause : causes_) learned.add(cause.prior, cause.failures);
  for (const std::size_t max_candidates : {options_.max_candidates, std::size_t{20}}) {
    options_.max_candidates = max_candidates;
    const ScanResult whole = scan(sampled_.moments, causes_, options_);
    State state;
    state.begin_round(0, WorkPlan(sampled_.moments.n_observed()).n_units());
    int stretches = 0;
    for (; !state.scan.units.done(); ++stretches) {
      scan_quartets(learning::lone_team(), 1 + stretches % 3, sampled_.moments, learned, options_,
                    0, parallel::Team::Clock::now() + std::chrono::microseconds(50), state.scan);
      store::Checkpoint checkpoint;
      save(state, checkpoint);
      state = load(checkpoint, sampled_.moments.n_observed());
    }
    EXPECT_GT(stretches, 1);
    expect_identical(state.scan.found, whole);
  }
}

TEST(Scan, exact_moments_accept_exactly_the_singly_coupled_quartets) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 20; ++i) {
    learning::planted::Ranges ranges;
    ranges.max_causes = 4;
    const auto network = learning::planted::network(random, ranges);
    const model::NetworkMoments moments(network);
    std::vector<std::array<std::uint32_t, 4>> expected;
    const auto m = static_cast<std::uint32_t>(network.n_observed());
    const auto shared = [&](const std::array<std::uint32_t, 4>& set, std::size_t u) {
      return std::ranges::count_if(set, [&](auto x) { return network.failure(u, x) < 1; });
    };
    for (std::uint32_t a = 0; a < m; ++a) {
      for (std::uint32_t b = a + 1; b < m; ++b) {
        for (std::uint32_t c = b + 1; c < m; ++c) {
          for (std::uint32_t d = c + 1; d < m; ++d) {
            int all_four = 0;
            int two_or_more = 0;
            for (std::size_t u = 0; u < network.n_causes(); ++u) {
              const auto n = shared({a, b, c, d}, u);
              all_four += n == 4 ? 1 : 0;
              two_or_more += n >= 2 ? 1 : 0;
            }
            if (all_four == 1 && two_or_more == 1) expected.push_back({a, b, c, d});
          }
        }
      }
    }
    std::vector<std::array<std::uint32_t, 4>> found;
    for (const auto& candidate : scan(moments, {}, rank_options(1e-9, 1e-7)).candidates) {
      found.push_back(candidate.members);
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace orrery::quartet
