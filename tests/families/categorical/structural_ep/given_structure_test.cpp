// The marginal likelihood of a structure that is given, beside exact integrals: all states of all
// causes in all rows, parameters integrated out (Heckerman et al. 1995).
#include "families/categorical/structural_ep/given_structure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "families/categorical/structural_ep/dirichlet.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_ep {
namespace {

using Parents = std::vector<std::vector<std::uint32_t>>;

/// Variables "a", "b", ... of two categories; in every row of a table the last parent's state is
/// likely to be the value.
model::CategoricalNetwork network_of(std::size_t n_causes, const Parents& parents) {
  std::vector<model::CategoricalCause> causes;
  for (std::size_t k = 0; k < n_causes; ++k) {
    causes.push_back({"cause " + std::to_string(k + 1), {.5, .5}});
  }
  std::vector<model::CategoricalVariable> variables;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::size_t n_states = std::size_t{1} << parents[i].size();
    model::CategoricalVariable variable{
        std::string(1, static_cast<char>('a' + i)), {"0", "1"}, parents[i], {}, {}};
    for (std::size_t j = 0; j < n_states; ++j) {
      const double on = n_states == 1 ? .5 : 2 * j < n_states ? .2 : .8;
      variable.table.insert(variable.table.end(), {1 - on, on});
    }
    variables.push_back(std::move(variable));
  }
  return {std::move(causes), std::move(variables)};
}

data::CategoricalTable table_of(std::size_t d, const std::vector<std::uint8_t>& codes) {
  data::CategoricalTable table;
  for (std::size_t i = 0; i < d; ++i) {
    table.names.push_back(std::string(1, static_cast<char>('a' + i)));
    table.categories.push_back({"0", "1"});
  }
  table.n_rows = codes.size() / d;
  table.codes = codes;
  return table;
}

/// What the values of one variable are worth under Dirichlet(1, 1), the states u of all causes in
/// all rows known.
double log_integral(const data::CategoricalTable& table, std::size_t i,
                    const std::vector<std::uint32_t>& parents, std::size_t n_causes,
                    std::uint64_t u) {
  std::vector<std::vector<double>> counts(std::size_t{1} << parents.size(), {1, 1});
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t x = table.row(n)[i];
    if (x == data::missing_code) continue;
    std::size_t state = 0;
    for (std::size_t a = 0; a < parents.size(); ++a) {
      state += (u >> (n * n_causes + parents[a]) & 1U) << a;
    }
    counts[state][x] += 1;
  }
  double log = 0;
  for (const auto& row : counts) log += log_beta(row);
  return log;
}

double exact(const data::CategoricalTable& table, std::size_t n_causes, const Parents& parents) {
  const std::size_t n_bits = table.n_rows * n_causes;
  double sum = 0;
  for (std::uint64_t u = 0; u < (std::uint64_t{1} << n_bits); ++u) {
    double log = 0;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      log += log_integral(table, i, parents[i], n_causes, u);
    }
    sum += std::exp(log);
  }
  return std::log(sum) - static_cast<double>(n_bits) * std::log(2.0);
}

double inferred(const data::CategoricalTable& table, std::size_t n_causes, const Parents& parents,
                int threads = 1) {
  const parallel::Team team;
  return log_marginal_likelihood(network_of(n_causes, parents), table,
                                 learning::RowShare(team, threads, table.n_rows));
}

TEST(GivenStructure, is_exact_where_no_variable_has_a_parent) {
  const auto table = table_of(3, {0, 1, 1, 0, 0, 1, 0, 255, 1, 1, 1, 1});
  const Parents none{{}, {}, {}};
  EXPECT_NEAR(inferred(table, 0, none), exact(table, 0, none), 1e-6);
  // A cause without children changes nothing.
  EXPECT_NEAR(inferred(table, 1, none), exact(table, 0, none), 1e-6);
}

TEST(GivenStructure, is_exact_for_one_row) {
  // One row says nothing of dependence: each value has probability 1/2 whatever its parents are.
  for (const Parents& parents : {Parents{{0}, {0, 1}, {0, 1, 2}}, Parents{{}, {2}, {0, 2}}}) {
    EXPECT_NEAR(inferred(table_of(3, {0, 1, 1}), 3, parents), std::log(1. / 8), 1e-6);
  }
}

// Three rows do not tell states apart; expectation propagation may miss what the agreement of two
// columns is worth (some log 4/3 each), as in enumeration_test.cpp.
TEST(GivenStructure, is_near_the_exact_integral_with_up_to_three_parents) {
  for (std::uint64_t bits = 1; bits < 512; bits += 73) {
    std::vector<std::uint8_t> codes(9);
    for (std::size_t i = 0; i < 9; ++i) codes[i] = bits >> i & 1U;
    const auto table = table_of(3, codes);
    for (const Parents& parents :
         {Parents{{0}, {0}, {1}}, Parents{{0, 1}, {1}, {}}, Parents{{0, 1, 2}, {0}, {1, 2}},
          Parents{{0, 1, 2}, {0, 1, 2}, {2}}}) {
      EXPECT_NEAR(inferred(table, 3, parents), exact(table, 3, parents), .45)
          << "table " << bits << ", parents of the first variable: " << parents[0].size();
    }
  }
}

/// Rows in which a and b agree, and c and d agree; the two pairs are independent.
data::CategoricalTable two_pairs() {
  std::vector<std::uint8_t> codes;
  for (std::uint8_t n = 0; n < 80; ++n) {
    const std::uint8_t u = n % 2;
    const std::uint8_t v = n / 2 % 2;
    codes.insert(codes.end(), {u, u, v, v});
  }
  return table_of(4, codes);
}

TEST(GivenStructure, prefers_the_structure_of_the_data) {
  const auto table = two_pairs();
  const double right = inferred(table, 2, {{0}, {0}, {1}, {1}});
  EXPECT_GT(right, inferred(table, 2, {{}, {}, {}, {}}) + 50);             // 80 log 2 is 55, twice
  EXPECT_GT(right, inferred(table, 2, {{0}, {1}, {0}, {1}}) + 50);         // wrong pairs
  EXPECT_GT(right, inferred(table, 2, {{0, 1}, {0, 1}, {0, 1}, {0, 1}}));  // more than is needed
}

TEST(GivenStructure, is_the_same_for_any_number_of_threads) {
  const Parents parents{{0, 1, 2}, {0}, {1, 2}, {2}};
  EXPECT_EQ(inferred(two_pairs(), 3, parents, 1), inferred(two_pairs(), 3, parents, 2));
}

TEST(GivenStructure, is_refused_for_parents_of_too_many_states) {
  const Parents parents{{0, 1, 2, 3, 4, 5, 6}, {0}};
  try {
    (void)inferred(table_of(2, {0, 1}), 7, parents);
    FAIL() << "128 states were taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("parents of a have 128 states"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace orrery::structural_ep
