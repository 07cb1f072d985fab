// The plan without any rank: nothing is lost, and a thousand ranks stay balanced.
#include "families/noisy_or/quartet/scan/round.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "model/network_moments.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {
namespace {

/// n_causes causes of `children` random children each.
model::NoisyOrNetwork random_network(std::size_t m, std::size_t n_causes, std::size_t children) {
  std::mt19937 random(5);
  std::vector<model::Observed> observed;
  for (std::size_t x = 0; x < m; ++x) observed.push_back({fmt::format("x{}", x), 0.01});
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  std::vector<std::uint32_t> order(m);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t u = 0; u < n_causes; ++u) {
    causes.push_back({fmt::format("u{}", u), 0.1});
    std::shuffle(order.begin(), order.end(), random);
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(children));
    for (std::size_t i = 0; i < children; ++i) edges.push_back({u, order[i], 0.2});
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

SiblingGraph siblings_of(const model::NoisyOrNetwork& network, double tau_e) {
  const model::NetworkMoments moments(network);
  return {AdjustedPairs(moments, moments::Subtraction(network.n_observed())), tau_e};
}

/// Pairs that depend on each other where they share a cause, and nothing else: exact moments of a
/// network of this size take a minute.
class SharedCauses final : public moments::MomentSource {
 public:
  explicit SharedCauses(const model::NoisyOrNetwork& network)
      : m_(network.n_observed()), pairs_(m_ * m_, 0.25) {
    for (std::size_t u = 0; u < network.n_causes(); ++u) {
      for (const auto& x : network.children(u)) {
        for (const auto& y : network.children(u)) pairs_[x.observed * m_ + y.observed] = 0.3;
      }
    }
    for (std::size_t x = 0; x < m_; ++x) pairs_[x * m_ + x] = 0.5;
  }
  [[nodiscard]] std::size_t n_observed() const override { return m_; }
  [[nodiscard]] std::uint64_t n_samples() const override { return 0; }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return pairs_[a * m_ + b];
  }
  [[nodiscard]] double triple(std::size_t, std::size_t, std::size_t) const override { return 0; }
  [[nodiscard]] double quartet(std::size_t, std::size_t, std::size_t, std::size_t) const override {
    return 0;
  }
  [[nodiscard]] std::unique_ptr<moments::MomentWalker> walker() const override { return nullptr; }
  [[nodiscard]] std::size_t walker_bytes() const override { return 0; }

 private:
  std::size_t m_;
  std::vector<double> pairs_;
};

TEST(WorkPlan, units_hold_every_pair_once) {
  for (const std::size_t m : {4U, 5U, 8U, 63U, 64U, 100U, 1023U, 1024U, 1030U}) {
    const WorkPlan plan(m);
    std::vector<int> times(m * m, 0);
    for (std::uint64_t unit = 0; unit < plan.n_units(); ++unit) {
      const PairBlock block = plan.pairs_of(unit);
      for (std::size_t a = block.first_a; a < block.last_a; ++a) {
        for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
          ++times[a * m + b];
        }
      }
    }
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t b = 0; b < m; ++b)
        ASSERT_EQ(times[a * m + b], a < b ? 1 : 0) << a << ' ' << b;
    }
  }
}

TEST(WorkPlan, siblings_are_the_pairs_that_share_a_cause) {
  const auto network = random_network(150, 12, 9);
  const SiblingGraph siblings = siblings_of(network, 1e-9);
  std::size_t n = 0;
  for (std::size_t a = 0; a < 150; ++a) {
    std::size_t later = 0;
    for (std::size_t b = 0; b < 150; ++b) {
      bool share = false;
      for (std::size_t u = 0; u < 12; ++u) {
        share = share || (a != b && network.failure(u, a) < 1 && network.failure(u, b) < 1);
      }
      EXPECT_EQ(siblings.has(a, b), share) << a << ' ' << b;
      later += share && b > a ? 1U : 0U;
    }
    EXPECT_EQ(siblings.n_later(a), later);
    n += later;
  }
  EXPECT_GT(n, 300U);
}

TEST(WorkPlan, weights_are_the_quartets_of_common_siblings) {
  const auto network = random_network(70, 6, 9);
  const SiblingGraph siblings = siblings_of(network, 1e-9);
  const WorkPlan plan(70);
  const std::vector<double> weights = plan.weights(siblings);
  ASSERT_EQ(weights.size(), plan.n_units());
  for (std::uint64_t unit = 0; unit < plan.n_units(); ++unit) {
    const PairBlock block = plan.pairs_of(unit);
    double expected = 0;
    for (std::size_t a = block.first_a; a < block.last_a; ++a) {
      for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
        double k = 0;
        for (std::size_t c = b + 1; c < 70; ++c) k += siblings.has(a, c) && siblings.has(b, c);
        if (siblings.has(a, b)) expected += k * k / 2 + k;
      }
    }
    EXPECT_DOUBLE_EQ(weights[unit], expected) << unit;
  }
}

// QMR-DT's size. Everything shares a parent with everything: C(4075, 4) quartets.
TEST(WorkPlan, a_thousand_ranks_are_balanced_when_every_pair_is_a_pair_of_siblings) {
  constexpr std::size_t m = 4075;
  const WorkPlan plan(m);
  std::vector<double> weights(plan.n_units(), 0);
  for (std::uint64_t unit = 0; unit < plan.n_units(); ++unit) {
    const PairBlock block = plan.pairs_of(unit);
    for (std::size_t a = block.first_a; a < block.last_a; ++a) {
      for (std::size_t b = std::max(block.first_b, a + 1); b < block.last_b; ++b) {
        const auto k = static_cast<double>(m - 1 - b);
        weights[unit] += k * k / 2 + k;
      }
    }
  }
  for (const std::size_t ranks : {1, 2, 3, 7, 64, 1024, 4096}) {
    const auto loads = parallel::hand_out(weights, ranks);
    EXPECT_NEAR(std::accumulate(loads.begin(), loads.end(), 0.0),
                std::accumulate(weights.begin(), weights.end(), 0.0), 1e-3 * weights[0]);
    const double imbalance = parallel::imbalance(loads);
    RecordProperty(fmt::format("imbalance_{}", ranks), fmt::format("{}", imbalance));
    EXPECT_LT(imbalance, ranks <= 1024 ? 1.05 : 1.2) << ranks << " ranks";
  }
}

// The same size, 300 causes of 60 random children: most units are empty, and no two alike.
TEST(WorkPlan, a_thousand_ranks_are_balanced_on_a_sparse_sibling_graph) {
  const auto network = random_network(4075, 300, 60);
  const SharedCauses moments(network);
  const SiblingGraph siblings(AdjustedPairs(moments, moments::Subtraction(4075)), 0.01);
  const std::vector<double> weights = WorkPlan(4075).weights(siblings);
  for (const std::size_t ranks : {1, 16, 1024, 4096}) {
    const double imbalance = parallel::imbalance(parallel::hand_out(weights, ranks));
    RecordProperty(fmt::format("imbalance_{}", ranks), fmt::format("{}", imbalance));
    EXPECT_LT(imbalance, ranks <= 1024 ? 1.05 : 1.2) << ranks << " ranks";
  }
}

}  // namespace
}  // namespace orrery::quartet
