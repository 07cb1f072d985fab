// Expectation propagation beside exact Bayesian inference: all structures, all states of all causes
// in all rows, parameters integrated out (Heckerman et al. 1995).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/evidence.hpp"

namespace orrery::structural_ep {
namespace {

data::CategoricalTable table_of(std::size_t d, std::uint64_t n_rows,
                                std::vector<std::uint8_t> codes) {
  data::CategoricalTable table;
  for (std::size_t i = 0; i < d; ++i) {
    table.names.push_back(std::string(1, static_cast<char>('a' + i)));
    table.categories.push_back({"0", "1"});
  }
  table.n_rows = n_rows;
  table.codes = std::move(codes);
  return table;
}

Shape shape_of_table(const data::CategoricalTable& table, std::size_t n_causes,
                     std::size_t max_parents) {
  return make_shape(n_causes, 2, max_parents, std::vector<std::size_t>(table.n_columns(), 2));
}

/// log p(data | structure): the mean over all causes' states of products of Dirichlet integrals.
double exact_log_evidence(const data::CategoricalTable& table, const Shape& shape,
                          const std::vector<std::uint32_t>& sets, double prior) {
  const std::size_t n_bits = table.n_rows * shape.n_causes;
  double sum = 0;
  for (std::uint64_t u = 0; u < (std::uint64_t{1} << n_bits); ++u) {
    double log = 0;
    for (std::size_t i = 0; i < table.n_columns(); ++i) {
      const ParentSet& set = shape.sets[sets[i]];
      std::vector<std::vector<double>> counts(set.n_states, std::vector<double>(2, prior));
      for (std::uint64_t n = 0; n < table.n_rows; ++n) {
        const std::uint8_t x = table.row(n)[i];
        if (x == data::missing_code) continue;
        std::size_t state = 0;
        for (std::size_t a = 0; a < set.causes.size(); ++a) {
          state += (u >> (n * shape.n_causes + set.causes[a]) & 1U) << a;
        }
        counts[state][x] += 1;
      }
      for (const auto& row : counts) {
        log += log_beta(row) - log_beta(std::vector<double>(2, prior));
      }
    }
    sum += std::exp(log);
  }
  return std::log(sum) - static_cast<double>(n_bits) * std::log(2.0);
}

/// The best fixed point of some starts, the structure held.
double ep_log_evidence(const data::CategoricalTable& table, const Shape& shape,
                       const std::vector<std::uint32_t>& sets, double prior) {
  const parallel::Team team;
  const learning::RowShare rows(team, 1, table.n_rows);
  Approximation approximation(shape, table, rows, prior);
  double best = -1e300;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RowRandom random(seed, Stream::restart, 0);
    Start start;
    start.sets = sets;
    for (std::size_t k = 0; k < shape.n_causes; ++k) {
      std::vector<std::uint8_t> states(table.n_rows);
      for (auto& state : states) state = static_cast<std::uint8_t>(random.below(2));
      start.states.push_back(states);
    }
    begin_from(start, approximation);
    approximation.hold_structure(sets);
    IterateOptions options;
    options.max_sweeps = options.held_sweeps = 300;
    iterate(approximation, options);
    best = std::max(best, log_evidence(approximation));
  }
  // Less the prior of the structure, which is uniform.
  return best + static_cast<double>(sets.size()) * std::log(static_cast<double>(shape.n_sets()));
}

using Sets = std::vector<std::uint32_t>;

/// Structures that are the same but for the numbers of the causes have the same evidence, exactly;
/// these are one of each kind for three variables and two causes.
const std::vector<Sets> parent_sets{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};

TEST(Evidence, of_one_row_is_exact_to_what_ep_can_have) {
  // One row says nothing of dependence: p(x | g) is that of three fair draws for every structure.
  const auto table = table_of(3, 1, {0, 1, 1});
  const Shape shape = shape_of_table(table, 2, 1);
  for (const Sets& sets : parent_sets) {
    EXPECT_NEAR(exact_log_evidence(table, shape, sets, 1), std::log(1. / 8), 1e-12);
    EXPECT_NEAR(ep_log_evidence(table, shape, sets, 1), std::log(1. / 8), 1e-9);
  }
}

TEST(Evidence, is_near_the_exact_one_for_every_tiny_data_set) {
  // All 2^9 tables of three rows, a sample of them; one and two parents. So few rows do not tell
  // the states of a cause apart, and EP stays at its symmetric fixed point: what agreement of two
  // columns is worth (some log 4/3 each) is what it may miss.
  for (std::uint64_t bits = 1; bits < 512; bits += 37) {
    std::vector<std::uint8_t> codes(9);
    for (std::size_t i = 0; i < 9; ++i) codes[i] = bits >> i & 1U;
    const auto table = table_of(3, 3, codes);
    for (const std::size_t max_parents : {1U, 2U}) {
      const Shape shape = shape_of_table(table, 2, max_parents);
      const Sets last(3, static_cast<std::uint32_t>(shape.n_sets() - 1));
      for (const Sets& sets : {parent_sets[1], last}) {
        EXPECT_NEAR(ep_log_evidence(table, shape, sets, 1),
                    exact_log_evidence(table, shape, sets, 1), .45)
            << "table " << bits << ", up to " << max_parents << " parents";
      }
    }
  }
}

TEST(Evidence, takes_no_notice_of_missing_values) {
  const auto table = table_of(3, 3, {0, 255, 0, 1, 1, 255, 255, 1, 1});
  const Shape shape = shape_of_table(table, 2, 1);
  for (const Sets& sets : parent_sets) {
    EXPECT_NEAR(ep_log_evidence(table, shape, sets, 1), exact_log_evidence(table, shape, sets, 1),
                .3);
  }
}

/// p(G_i = k | data, states of the causes in all rows but the last), by all structures and all
/// states of the causes in the last row.
std::vector<double> exact_posterior(const data::CategoricalTable& table, const Shape& shape,
                                    const std::vector<std::vector<std::uint8_t>>& known) {
  const std::size_t d = table.n_columns();
  const std::size_t n_sets = shape.n_sets();
  std::vector<double> posterior(d * n_sets);
  std::uint64_t n_structures = 1;
  for (std::size_t i = 0; i < d; ++i) n_structures *= n_sets;
  double total = 0;
  for (std::uint64_t g = 0; g < n_structures; ++g) {
    Sets sets;
    for (std::uint64_t rest = g; sets.size() < d; rest /= n_sets) {
      sets.push_back(static_cast<std::uint32_t>(rest % n_sets));
    }
    for (std::uint64_t last = 0; last < 4; ++last) {
      double log = 0;
      for (std::size_t i = 0; i < d; ++i) {
        const ParentSet& set = shape.sets[sets[i]];
        std::vector<std::vector<double>> counts(set.n_states, std::vector<double>(2, 1.0));
        for (std::uint64_t n = 0; n < table.n_rows; ++n) {
          std::size_t state = 0;
          for (std::size_t a = 0; a < set.causes.size(); ++a) {
            const std::uint64_t u =
                n + 1 < table.n_rows ? known[n][set.causes[a]] : last >> set.causes[a] & 1U;
            state += u << a;
          }
          counts[state][table.row(n)[i]] += 1;
        }
        for (const auto& row : counts) log += log_beta(row);
      }
      for (std::size_t i = 0; i < d; ++i) {
        // Rows of the table that a set does not have cost nothing: log_beta(1, 1) = 0.
        posterior[i * n_sets + sets[i]] += std::exp(log);
      }
      total += std::exp(log);
    }
  }
  for (double& q : posterior) q /= total;
  return posterior;
}

TEST(StructurePosterior, is_the_exact_one_where_causes_are_seen_in_all_rows_but_one) {
  const std::vector<std::vector<std::uint8_t>> known{{0, 0}, {1, 0}};
  const parallel::Team team;
  for (std::uint64_t bits = 0; bits < 512; bits += 5) {
    std::vector<std::uint8_t> codes(9);
    for (std::size_t i = 0; i < 9; ++i) codes[i] = bits >> i & 1U;
    const auto table = table_of(3, 3, codes);
    for (const std::size_t max_parents : {1U, 2U}) {
      const Shape shape = shape_of_table(table, 2, max_parents);
      const learning::RowShare rows(team, 1, table.n_rows);
      Approximation approximation(shape, table, rows, 1);
      for (std::size_t n = 0; n < known.size(); ++n) {
        for (std::size_t k = 0; k < 2; ++k) approximation.hold_cause(n, k, known[n][k]);
      }
      IterateOptions options;
      options.held_sweeps = 0;
      options.max_sweeps = 500;
      options.tolerance = 1e-9;
      EXPECT_LT(iterate(approximation, options), 500U);
      const auto exact = exact_posterior(table, shape, known);
      for (std::size_t at = 0; at < exact.size(); ++at) {
        EXPECT_NEAR(approximation.posterior().structure[at], exact[at], max_parents == 1 ? .05 : .1)
            << "table " << bits << ", up to " << max_parents << " parents, entry " << at;
      }
    }
  }
}

TEST(StructurePosterior, stays_symmetric_where_nothing_tells_the_causes_apart) {
  // Exactly, q(G_i = k) is 1/2: swapping the causes changes nothing. A start that prefers neither
  // cause keeps it so.
  const auto table = table_of(3, 3, {0, 0, 0, 1, 1, 0, 1, 1, 1});
  const Shape shape = shape_of_table(table, 2, 1);
  const parallel::Team team;
  const learning::RowShare rows(team, 1, table.n_rows);
  Approximation approximation(shape, table, rows, 1);
  IterateOptions options;
  options.held_sweeps = 0;
  iterate(approximation, options);
  for (const double q : approximation.posterior().structure) EXPECT_NEAR(q, .5, 1e-12);
}

}  // namespace
}  // namespace orrery::structural_ep
