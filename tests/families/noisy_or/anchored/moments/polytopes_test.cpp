#include <gtest/gtest.h>

#include <algorithm>

#include "families/noisy_or/anchored/joint_tables.hpp"
#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"
#include "families/noisy_or/anchored/moments/local_polytope.hpp"
#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"
#include "families/noisy_or/anchored/toulbar2_installed.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

LinearForm random_form(const ProductBasis& basis, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 2);
  LinearForm form{random.uniform(), VectorXd(basis.size())};
  for (double& c : form.coefficients) c = 2 * random.uniform() - 1;
  return form;
}

std::vector<std::uint8_t> state_of(std::size_t bits, std::size_t n) {
  std::vector<std::uint8_t> state(n);
  for (std::size_t i = 0; i < n; ++i) state[i] = (bits >> i) & 1U;
  return state;
}

double least_over_states(const ProductBasis& basis, const LinearForm& form) {
  double least = HUGE_VAL;
  for (std::size_t bits = 0; bits < (std::size_t{1} << basis.n_variables()); ++bits) {
    least = std::min(least, form(basis.vertex(state_of(bits, basis.n_variables()))));
  }
  return least;
}

TEST(ProductBasis, tables_of_a_distribution_come_back_from_its_products) {
  for (const std::size_t order : {1U, 2U, 3U, 4U}) {
    const ProductBasis basis(5, order);
    const model::SubsetTables tables = tables_of(random_joint(5, order), 5, order);
    const model::SubsetTables back = basis.tables(basis.products(tables));
    for (std::size_t i = 0; i < tables.cells().size(); ++i) {
      EXPECT_NEAR(back.cells()[i], tables.cells()[i], 1e-14);
    }
  }
}

TEST(ProductBasis, a_form_is_the_sum_over_all_cells) {
  const ProductBasis basis(5, 3);
  RowRandom random(4, Stream::check, 0);
  model::SubsetTables gradient(5, 3);
  for (double& cell : gradient.cells()) cell = random.uniform() - .5;
  const LinearForm form = basis.form(gradient);
  const model::SubsetTables tables = tables_of(random_joint(5, 9), 5, 3);
  double sum = 0;
  for (std::size_t i = 0; i < tables.cells().size(); ++i) {
    sum += gradient.cells()[i] * tables.cells()[i];
  }
  EXPECT_NEAR(form(basis.products(tables)), sum, 1e-13);
}

TEST(VertexSearch, a_state_of_eight_variables_is_no_better_than_the_best_and_is_told_its_value) {
  for (const std::size_t order : {1U, 2U, 3U}) {
    const ProductBasis basis(8, order);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const LinearForm form = random_form(basis, seed);
      const std::vector<double> on(8, .3);
      std::vector<FoundState> each;
      for (std::uint64_t start = 0; start < starts_per_round; ++start) {
        each.push_back(search_from_start(basis, form, on, 1, start));
      }
      const auto found = best_states(each);
      ASSERT_FALSE(found.empty());
      for (const FoundState& one : found) {
        EXPECT_NEAR(one.value, form(basis.vertex(one.state)), 1e-12);
        EXPECT_GE(one.value, found[0].value);
      }
      EXPECT_NEAR(found[0].value, least_over_states(basis, form), 1e-12);  // 200 starts, 256 states
    }
  }
}

TEST(RoofDual, minimum_cut_equals_the_linear_program) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ProductBasis basis(3 + seed % 6, 2);
    LocalPolytope program(basis, false);
    RoofDual cut(basis);
    const LinearForm form = random_form(basis, seed);
    const Minimum by_program = program.minimise(form, HUGE_VAL);
    const Minimum by_cut = cut.minimise(form, HUGE_VAL);
    EXPECT_NEAR(by_cut.bound, by_program.bound, 1e-7) << seed;
    EXPECT_NEAR(form(by_cut.vertices[0]), by_program.bound, 1e-7) << seed;
    EXPECT_TRUE(cut.contains(by_cut.vertices[0]));
    EXPECT_TRUE(program.contains(by_program.vertices[0]));
  }
}

TEST(LocalPolytope, bounds_tighten_from_local_to_cycles_to_marginal) {
  std::size_t n_tighter = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ProductBasis basis(8, 2);
    const LinearForm form = random_form(basis, seed);
    const double local = LocalPolytope(basis, false).minimise(form, HUGE_VAL).bound;
    LocalPolytope with_cycles(basis, true);
    const Minimum cycles = with_cycles.minimise(form, HUGE_VAL);
    const double exact = least_over_states(basis, form);
    EXPECT_LE(local, cycles.bound + 1e-7);
    EXPECT_LE(cycles.bound, exact + 1e-7);
    EXPECT_TRUE(violated_triangles(basis, with_cycles.last(), 2e-7, 1).empty());
    if (cycles.bound > local + 1e-3) ++n_tighter;
  }
  EXPECT_GT(n_tighter, 3U);
}

TEST(LocalPolytope, triangles_that_a_frustrated_triple_breaks_are_found) {
  // Pairwise always different: possible of any two of three, not of all.
  const ProductBasis basis(3, 2);
  const VectorXd halves = (VectorXd(6) << .5, .5, .5, 0, 0, 0).finished();
  EXPECT_TRUE(LocalPolytope(basis, false).contains(halves));
  EXPECT_FALSE(LocalPolytope(basis, true).contains(halves));
  const auto violated = violated_triangles(basis, halves, 1e-9, 10);
  ASSERT_EQ(violated.size(), 1U);  // q_a + q_b + q_c - q_ab - q_ac - q_bc <= 1
  EXPECT_NEAR(violated[0].excess, .5, 1e-15);
}

// Of random pairs, each by itself possible: with d the probability that two differ, no d is more
// than the two others of a triple together, and the three are at most 2; an excess is half of that.
TEST(LocalPolytope, every_broken_triangle_is_found_and_no_other) {
  const ProductBasis basis(5, 2);
  constexpr double least = .01;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RowRandom random(seed, Stream::check, 5);
    VectorXd q(basis.size());
    for (Index i = 0; i < 5; ++i) q[i] = random.uniform();
    std::array<std::array<double, 5>, 5> differ{};
    for (std::uint32_t a = 0; a < 5; ++a) {
      for (std::uint32_t b = a + 1; b < 5; ++b) {
        const double low = std::max(0.0, q[a] + q[b] - 1);
        double& both = q[basis.coordinate(std::array{a, b})];
        both = low + random.uniform() * (std::min(q[a], q[b]) - low);
        differ[a][b] = differ[b][a] = q[a] + q[b] - 2 * both;
      }
    }
    std::vector<double> expected;
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = a + 1; b < 5; ++b) {
        for (std::size_t c = b + 1; c < 5; ++c) {
          const double all = differ[a][b] + differ[a][c] + differ[b][c];
          expected.push_back(all / 2 - 1);
          for (const double one : {differ[a][b], differ[a][c], differ[b][c]}) {
            expected.push_back(one - all / 2);
          }
        }
      }
    }
    std::erase_if(expected, [](double excess) { return excess <= least; });
    std::ranges::sort(expected, std::greater{});
    const auto found = violated_triangles(basis, q, least, 100);
    ASSERT_EQ(found.size(), expected.size()) << seed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].excess, expected[i], 1e-14);
    }
  }
}

TEST(LocalPolytope, every_distribution_keeps_all_triangles) {
  const ProductBasis basis(6, 2);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const VectorXd q = basis.products(tables_of(random_joint(6, seed, 12), 6, 2));
    EXPECT_TRUE(LocalPolytope(basis, true).contains(q));
    for (std::size_t bits = 0; bits < 64; ++bits) {
      EXPECT_TRUE(violated_triangles(basis, basis.vertex(state_of(bits, 6)), 0, 1).empty());
    }
  }
}

/// The cycle inequality of Sontag, Jaakkola 2007, Eq. (6): with F odd, the members of F agree and
/// the others differ in at least one edge.
double least_cycle_sum(const ProductBasis& basis, const VectorXd& q,
                       const std::vector<std::uint32_t>& cycle) {
  double least = HUGE_VAL;
  for (std::size_t odd = 0; odd < (std::size_t{1} << cycle.size()); ++odd) {
    if (std::popcount(odd) % 2 == 0) continue;
    double sum = 0;
    for (std::size_t e = 0; e < cycle.size(); ++e) {
      std::array pair{cycle[e], cycle[(e + 1) % cycle.size()]};
      std::ranges::sort(pair);
      const double differ = q[pair[0]] + q[pair[1]] - 2 * q[basis.coordinate(pair)];
      sum += ((odd >> e) & 1U) != 0 ? 1 - differ : differ;
    }
    least = std::min(least, sum);
  }
  return least;
}

TEST(LocalPolytope, triangles_imply_the_inequalities_of_longer_cycles) {
  const ProductBasis basis(5, 2);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    LocalPolytope polytope(basis, true);
    polytope.minimise(random_form(basis, seed), HUGE_VAL);
    std::vector<std::uint32_t> order{0, 1, 2, 3, 4};
    do {
      for (const std::size_t length : {3U, 4U, 5U}) {
        const std::vector<std::uint32_t> cycle(order.begin(),
                                               order.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_GE(least_cycle_sum(basis, polytope.last(), cycle), 1 - 1e-6);
      }
    } while (std::ranges::next_permutation(order).found);
  }
}

class MarginalPolytopeBy : public testing::TestWithParam<IntegerProgram> {
 protected:
  void SetUp() override {
    if (GetParam() == IntegerProgram::toulbar2 && !toulbar2_is_installed()) {
      GTEST_SKIP() << "toulbar2 is not installed";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(either, MarginalPolytopeBy,
                         testing::Values(IntegerProgram::toulbar2, IntegerProgram::cbc),
                         [](const auto& tested) {
                           return tested.param == IntegerProgram::cbc ? "cbc" : "toulbar2";
                         });

TEST_P(MarginalPolytopeBy, integer_program_equals_brute_force_for_8_causes) {
  for (const std::size_t order : {1U, 2U, 3U, 4U}) {
    const ProductBasis basis(8, order);
    MarginalPolytope polytope(basis, GetParam(), {.precision = 1e-7});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const LinearForm form = random_form(basis, seed);
      const double exact = least_over_states(basis, form);
      const Minimum found = polytope.minimise(form, HUGE_VAL);
      ASSERT_FALSE(found.vertices.empty());
      EXPECT_NEAR(form(found.vertices[0]), exact, 1e-6) << seed;
      EXPECT_NEAR(found.bound, exact, 1e-6) << seed;
      const Minimum none = polytope.minimise(form, exact - .01);
      EXPECT_TRUE(none.vertices.empty());
      EXPECT_GE(none.bound, exact - .01 - 1e-6);
      EXPECT_LE(none.bound, exact + 1e-6);
      const Minimum some = polytope.minimise(form, exact + .01);
      ASSERT_FALSE(some.vertices.empty());
      EXPECT_NEAR(form(some.vertices[0]), exact, .01);
    }
  }
}

TEST(Toulbar2, bounds_hold_however_coarse_its_costs_are) {
  if (!toulbar2_is_installed()) GTEST_SKIP() << "toulbar2 is not installed";
  const ProductBasis basis(8, 2);
  for (const double precision : {1., .1, .01, 1e-12, 1e-30}) {  // the last: as fine as 50 bits are
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      LinearForm form = random_form(basis, seed);
      if (seed % 2 == 1) form.coefficients *= 1e6;
      const double exact = least_over_states(basis, form);
      const double rounding = 1e-14 * form.coefficients.lpNorm<1>();
      for (const double target :
           {HUGE_VAL, -HUGE_VAL, exact + precision / 3, exact - precision / 3}) {
        const Minimum found =
            minimise_by_toulbar2(find_toulbar2(), basis, form, target, {.precision = precision});
        EXPECT_LE(found.bound, std::max(exact, std::min(target, exact)) + rounding);
        EXPECT_GE(found.bound, std::min(exact, target) - precision - 1000 * rounding);
        for (const VectorXd& vertex : found.vertices) EXPECT_LT(form(vertex), target);
      }
    }
  }
}

TEST(Toulbar2, bounds_hold_where_its_backtracks_are_used_up) {
  if (!toulbar2_is_installed()) GTEST_SKIP() << "toulbar2 is not installed";
  const ProductBasis basis(16, 2);
  std::size_t n_unproved = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const LinearForm form = random_form(basis, seed);
    const double exact = least_over_states(basis, form);
    for (const std::uint64_t backtracks : {0U, 1U, 5U}) {
      const Toulbar2Limits limits{.precision = 1e-6, .backtracks = backtracks};
      for (const double target : {HUGE_VAL, exact + 1e-3, exact - 1e-3}) {
        const Minimum found = minimise_by_toulbar2(find_toulbar2(), basis, form, target, limits);
        EXPECT_LE(found.bound, exact);
        if (found.bound < std::min(exact, target) - 1e-6) ++n_unproved;
      }
      const Minimum helped =
          MarginalPolytope(basis, IntegerProgram::toulbar2, limits).minimise(form, HUGE_VAL);
      EXPECT_LE(helped.bound, exact + 1e-7);
      EXPECT_GE(helped.bound, LocalPolytope(basis, true).minimise(form, HUGE_VAL).bound - 1e-7);
    }
  }
  EXPECT_GT(n_unproved, 10U);
}

}  // namespace
}  // namespace orrery::anchored
