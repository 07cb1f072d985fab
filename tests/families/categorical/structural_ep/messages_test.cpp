// Each message against its definition: sums over all states, integrals done numerically.
#include "families/categorical/structural_ep/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace orrery::structural_ep {
namespace {

/// Of theta in (0, 1) under Beta(a, b), value 0 having probability theta.
template <class Function>
double integral(double a, double b, const Function& function) {
  boost::math::quadrature::tanh_sinh<double> rule;
  const double norm = boost::math::beta(a, b);
  return rule.integrate(
      [&](double theta, double to_end) {  // less than 0 in the lower half: both ends exactly
        const double share = to_end < 0 ? -to_end : theta;
        const double rest = to_end > 0 ? to_end : 1 - theta;
        return std::pow(share, a - 1) * std::pow(rest, b - 1) / norm * function(share, rest);
      },
      0.0, 1.0);
}

/// A row of two variables with two categories, two causes, and messages as they may come.
struct Case {
  Shape shape;
  Posterior posterior;
  RowMessages messages;
  std::vector<std::uint8_t> codes;

  Case(std::size_t max_parents, unsigned seed)
      : shape(make_shape(2, 2, max_parents, {2, 2})), messages(shape, 1), codes{1, 0} {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(.2, .8);
    posterior.structure.resize(2 * shape.n_sets());
    for (double& q : posterior.structure) q = uniform(random);
    const RowView own = view();
    for (std::size_t l = 0; l < own.structure.size(); ++l) own.structure[l] = uniform(random);
    for (std::size_t l = 0; l < own.states.size(); ++l) own.states[l] = uniform(random);
    for (std::size_t l = 0; l < own.counts.size(); ++l) own.counts[l] = uniform(random) - .3;
    posterior.counts.resize(shape.n_counts());
    for (double& count : posterior.counts) count = 2 + 4 * uniform(random);
  }
  [[nodiscard]] RowView view() { return row_view(shape, messages, 0, codes); }
};

/// What variable 0's factor sees of the rest.
struct Cavity {
  std::vector<double> structure;            // q\(G = k)
  std::vector<std::vector<double>> states;  // q\(u_k = j)
  std::vector<double> first, second;        // Beta counts of a row of theta
};

Cavity cavity_of(Case& c, RowBeliefs& beliefs) {
  Cavity cavity;
  double total = 0;
  for (std::size_t k = 0; k < c.shape.n_sets(); ++k) {
    cavity.structure.push_back(c.posterior.structure[k] / c.view().structure[k]);
    total += cavity.structure.back();
  }
  for (double& q : cavity.structure) q /= total;
  beliefs.gather(c.view(), true);
  for (const ParentSet& set : c.shape.sets) {
    std::vector<double> q;
    double norm = 0;
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const std::size_t s = set.first_state + j;
      q.push_back(beliefs.states()[s] / c.view().states[s]);
      norm += q.back();
    }
    for (double& value : q) value /= norm;
    cavity.states.push_back(q);
  }
  for (std::size_t j = 0; j < c.shape.n_rows; ++j) {
    cavity.first.push_back(c.posterior.counts[2 * j] - c.view().counts[2 * j]);
    cavity.second.push_back(c.posterior.counts[2 * j + 1] - c.view().counts[2 * j + 1]);
  }
  return cavity;
}

/// integral of theta_row,x g(theta_of) over the rows' distributions; `of` is the row that g is of.
template <class Function>
double mean_likelihood(const Cavity& cavity, std::size_t row, std::size_t x, std::size_t of,
                       const Function& g) {
  const auto likelihood = [&](double theta, double rest) { return x == 0 ? theta : rest; };
  if (row == of) {
    return integral(cavity.first[of], cavity.second[of], [&](double theta, double rest) {
      return likelihood(theta, rest) * g(theta, rest);
    });
  }
  return integral(cavity.first[row], cavity.second[row], likelihood) *
         integral(cavity.first[of], cavity.second[of], g);
}

class Messages : public testing::TestWithParam<std::tuple<std::size_t, unsigned>> {};

/// A row whose posterior is certain of these sets, which alone have had messages.
Case certain_case(std::size_t max_parents, unsigned seed, const std::vector<std::uint32_t>& sets) {
  Case c(max_parents, seed);
  c.view().structure.fill(1);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < c.shape.n_sets(); ++k) {
      const ParentSet& set = c.shape.sets[k];
      c.posterior.structure[i * c.shape.n_sets() + k] = k == sets[i] ? 1 : 1e-280;
      if (k == sets[i]) continue;
      c.view().states.subspan(i * c.shape.n_states + set.first_state, set.n_states).fill(1);
    }
    const ParentSet& own = c.shape.sets[sets[i]];
    for (std::size_t j = 0; j < c.shape.n_rows; ++j) {
      if (j >= own.first_row && j < own.first_row + own.n_states) continue;
      c.view().counts.subspan(c.shape.first_count[i] + 2 * j, 2).fill(0);
    }
  }
  return c;
}

TEST_P(Messages, of_certain_sets_are_those_of_all_when_no_other_is_possible) {
  const auto [max_parents, seed] = GetParam();
  const auto last = static_cast<std::uint32_t>(max_parents == 1 ? 1 : 2);
  const std::vector<std::uint32_t> sets{last, 0};
  Case all = certain_case(max_parents, seed, sets);
  Case certain = certain_case(max_parents, seed, sets);
  const RowView view = row_view(certain.shape, certain.messages, 0, certain.codes, sets);
  std::vector<double> log_structure(2 * all.shape.n_sets());
  std::vector<double> counts(all.shape.n_counts());
  std::vector<double> certain_counts(all.shape.n_counts());
  RowBeliefs of_all(all.shape);
  RowBeliefs of_certain(certain.shape);
  const SweepOptions options{Projection::mean_log, .5, true};
  for (int sweep = 0; sweep < 3; ++sweep) {
    std::ranges::fill(counts, 0.0);
    std::ranges::fill(certain_counts, 0.0);
    of_all.update(all.view(), all.posterior, options, {log_structure, counts});
    of_certain.update(view, certain.posterior, options, {log_structure, certain_counts});
  }
  for (std::size_t l = 0; l < counts.size(); ++l) EXPECT_NEAR(counts[l], certain_counts[l], 1e-12);
  for (std::size_t s = 0; s < view.states.size(); ++s) {
    EXPECT_NEAR(all.view().states[s], view.states[s], 1e-12);
  }
  std::vector<double> log_betas;
  for (std::size_t j = 0; j < 2 * all.shape.n_rows; ++j) {
    log_betas.push_back(log_beta(std::span(all.posterior.counts).subspan(2 * j, 2)));
  }
  // Rows of parameters that have no messages have equal cavities: they add nothing.
  EXPECT_NEAR(of_all.log_factors(all.view(), all.posterior, log_betas),
              of_certain.log_factors(view, certain.posterior, log_betas), 1e-9);
}

TEST_P(Messages, are_what_their_equations_say) {
  const auto [max_parents, seed] = GetParam();
  Case c(max_parents, seed);
  RowBeliefs beliefs(c.shape);
  const std::size_t x = c.codes[0];
  const std::size_t n_sets = c.shape.n_sets();
  // The messages between causes have settled by the time of the update that is looked at.
  for (int i = 0; i < 200; ++i) beliefs.gather(c.view(), true);
  const Cavity cavity = cavity_of(c, beliefs);
  const auto one = [](double, double) { return 1.0; };
  std::vector<double> evidence(n_sets);  // Eq. (18), by sums and integrals
  for (std::size_t k = 0; k < n_sets; ++k) {
    const ParentSet& set = c.shape.sets[k];
    for (std::size_t j = 0; j < set.n_states; ++j) {
      const std::size_t row = set.first_row + j;
      evidence[k] += cavity.states[k][j] * mean_likelihood(cavity, row, x, row, one);
    }
  }
  double all = 0;
  for (std::size_t k = 0; k < n_sets; ++k) all += cavity.structure[k] * evidence[k];

  std::vector<double> log_structure(2 * n_sets);
  std::vector<double> counts(c.shape.n_counts());
  SweepOptions options;
  options.damping = 1;
  EXPECT_EQ(beliefs.update(c.view(), c.posterior, options, {log_structure, counts}), 0U);

  for (std::size_t k = 1; k < n_sets; ++k) {
    EXPECT_NEAR(c.view().structure[k] / c.view().structure[0], evidence[k] / evidence[0], 1e-8);
  }
  // Eqs. (21) to (23).
  for (std::size_t k = 0; k < n_sets; ++k) {
    const ParentSet& set = c.shape.sets[k];
    std::vector<double> message(set.n_states);
    for (std::size_t j = 0; j < set.n_states; ++j) {
      for (std::size_t other = 0; other < n_sets; ++other) {
        const std::size_t row = set.first_row + j;
        message[j] += cavity.structure[other] *
                      (other == k ? mean_likelihood(cavity, row, x, row, one) : evidence[other]);
      }
    }
    for (std::size_t j = 1; j < set.n_states; ++j) {
      EXPECT_NEAR(c.view().states[set.first_state + j] / c.view().states[set.first_state],
                  message[j] / message[0], 1e-8);
    }
  }
  // Eqs. (25), (26): the mean logarithms of the tilted distribution of each row of theta.
  for (std::size_t of = 0; of < c.shape.n_rows; ++of) {
    double log_first = 0;
    double log_second = 0;
    for (std::size_t k = 0; k < n_sets; ++k) {
      const ParentSet& set = c.shape.sets[k];
      for (std::size_t j = 0; j < set.n_states; ++j) {
        const double weight = cavity.structure[k] * cavity.states[k][j] / all;
        const std::size_t row = set.first_row + j;
        log_first += weight * mean_likelihood(cavity, row, x, of,
                                              [](double t, double) { return std::log(t); });
        log_second += weight * mean_likelihood(cavity, row, x, of,
                                               [](double, double r) { return std::log(r); });
      }
    }
    const double first = cavity.first[of] + c.view().counts[2 * of];
    const double second = cavity.second[of] + c.view().counts[2 * of + 1];
    const double of_total = boost::math::digamma(first + second);
    EXPECT_NEAR(boost::math::digamma(first) - of_total, log_first, 1e-8);
    EXPECT_NEAR(boost::math::digamma(second) - of_total, log_second, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(OneAndTwoParents, Messages,
                         testing::Combine(testing::Values(1U, 2U), testing::Range(1U, 6U)));

TEST(CauseMessages, give_the_marginals_where_only_one_pair_was_heard) {
  // Eqs. (27), (28) are exact on a tree: all that is known comes through the product cause.
  const Shape shape = make_shape(3, 2, 2, {2});
  RowMessages messages(shape, 1);
  const ParentSet& pair = shape.sets[5];  // causes 1 and 2
  ASSERT_EQ(pair.causes, (std::vector<std::uint32_t>{1, 2}));
  const std::vector<double> heard{.4, .1, .2, .3};
  const std::vector<std::uint8_t> codes{0};
  for (std::size_t j = 0; j < 4; ++j) {
    row_view(shape, messages, 0, codes).states[pair.first_state + j] = heard[j];
  }
  RowBeliefs beliefs(shape);
  for (int i = 0; i < 4; ++i) beliefs.gather(row_view(shape, messages, 0, codes), true);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(beliefs.states()[pair.first_state + j], heard[j], 1e-12);
  }
  const auto single = [&](std::size_t k, std::size_t j) {
    return beliefs.states()[shape.sets[k].first_state + j];
  };
  EXPECT_NEAR(single(0, 0), .5, 1e-12);
  EXPECT_NEAR(single(1, 0), .4 + .2, 1e-12);
  EXPECT_NEAR(single(2, 0), .4 + .1, 1e-12);
  EXPECT_NEAR(beliefs.causes()[2], .6, 1e-12);
  EXPECT_NEAR(beliefs.causes()[4], .5, 1e-12);
}

TEST(MissingValues, send_no_messages) {
  Case c(2, 7);
  RowMessages untouched = c.messages;
  c.codes[0] = 255;
  RowBeliefs beliefs(c.shape);
  std::vector<double> log_structure(2 * c.shape.n_sets());
  std::vector<double> counts(c.shape.n_counts());
  beliefs.update(c.view(), c.posterior, {}, {log_structure, counts});
  for (std::size_t k = 0; k < c.shape.n_sets(); ++k) {
    EXPECT_EQ(c.view().structure[k], untouched.structure[k * row_lanes]);
    EXPECT_EQ(log_structure[k], 0);
  }
  for (std::size_t l = 0; l < c.shape.first_count[1]; ++l) EXPECT_EQ(counts[l], 0);
}

TEST(ImproperCavities, are_passed_over_and_counted) {
  Case c(1, 3);
  c.view().counts[0] = c.posterior.counts[0] + 1;
  const RowMessages before = c.messages;
  RowBeliefs beliefs(c.shape);
  std::vector<double> log_structure(2 * c.shape.n_sets());
  std::vector<double> counts(c.shape.n_counts());
  EXPECT_EQ(beliefs.update(c.view(), c.posterior, {}, {log_structure, counts}), 1U);
  EXPECT_EQ(c.view().counts[0], before.counts[0]);
  EXPECT_EQ(c.view().states[0], before.states[0]);
  EXPECT_EQ(counts[0], before.counts[0]);
}

}  // namespace
}  // namespace orrery::structural_ep
