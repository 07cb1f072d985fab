#include "families/noisy_or/quartet/refine/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "data/bits.hpp"
#include "learning/row_slices.hpp"
#include "model/row_posterior.hpp"
#include "model/state_sums.hpp"

namespace orrery::quartet {
namespace {

using data::for_each_bit;
using model::RowPosterior;

std::vector<RowPosterior> posteriors(const learning::RowPass& rows,
                                     const model::PosteriorNetwork& network, double tolerance) {
  return std::vector<RowPosterior>(static_cast<std::size_t>(rows.n_threads()),
                                   RowPosterior(network, tolerance));
}

/// Where the sums of an E-step are.
struct ExpectationParts {
  SumLayout layout;
  std::size_t likelihood, present, shared, inverse, n_missing, unseen;

  ExpectationParts(const model::NoisyOrNetwork& network, bool may_miss)
      : likelihood(layout.part(4)),
        present(layout.part(network.n_causes())),
        shared(layout.part(network.edges().size())),
        inverse(layout.part(network.n_observed())),
        n_missing(layout.part(may_miss ? network.n_observed() : 0)),
        unseen(layout.part(may_miss ? network.edges().size() : 0)) {}
};

/// Evaluates row number r of a block.
using EvaluateRow =
    std::function<void(RowPosterior& row, const learning::RowBlock& block, std::size_t r)>;

/// Row by row, on each rank the same rows each time: it remembers their states. `present` is what
/// it is beside what silent rows expect.
std::vector<double> sum_by_row(const learning::RowPass& rows,
                               const model::PosteriorNetwork& prepared, double tolerance,
                               const ExpectationParts& parts, const EvaluateRow& evaluate) {
  std::vector<RowPosterior> scratch = posteriors(rows, prepared, tolerance);
  return rows.in_fixed_shares().sum(parts.layout.size(), [&](const learning::RowBlock& block,
                                                             int thread, std::span<double> into) {
    RowPosterior& row = scratch[static_cast<std::size_t>(thread)];
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      evaluate(row, block, r);
      into[parts.likelihood] += row.log_likelihood();
      into[parts.likelihood + 1] += row.truncated() ? 1 : 0;
      into[parts.likelihood + 2] += static_cast<double>(row.n_states());
      into[parts.likelihood + 3] += row.log_share_kept();
      for (const std::uint32_t u : row.touched()) {
        into[parts.present + u] += row.posterior(u) - prepared.quiet_posterior(u);
      }
      for (std::size_t i = 0; i < row.on().size(); ++i) {
        into[parts.inverse + row.on()[i]] += row.inverse()[i];
      }
      for (const auto& group : row.groups()) {
        const auto causes = row.group_causes(group);
        for (std::size_t k = 0; k < group.n_causes; ++k) {
          if (row.posterior(causes[k]) < negligible) continue;
          row.for_each_edge(group, k, [&](std::uint32_t edge, double value) {
            into[parts.shared + edge] += value;
          });
        }
      }
      for_each_bit(block.missing_in(r), [&](std::size_t a) {
        into[parts.n_missing + a] += 1;
        for (const auto& parent : prepared.parents(a)) {
          into[parts.unseen + parent.edge] += row.posterior(parent.cause);
        }
      });
    }
  });
}

/// The same for a network of few causes; no row is approximated.
std::vector<double> sum_all_states(const learning::RowPass& rows,
                                   const model::NoisyOrNetwork& network, double tolerance,
                                   const ExpectationParts& parts) {
  const model::StateTable table(network, rows.may_miss());
  std::vector<model::StateSums> scratch(static_cast<std::size_t>(rows.n_threads()),
                                        model::StateSums(table, tolerance));
  // Eight at a time.
  const std::size_t states_a_row =
      std::max<std::size_t>(1, (std::size_t{1} << network.n_causes()) / 8);
  return rows.sum(parts.layout.size(), [&](const learning::RowBlock& block, int thread,
                                           std::span<double> into) {
    model::StateSums& sums = scratch[static_cast<std::size_t>(thread)];
    sums.set_rows(block.values, block.missing, block.n_rows);
    into[parts.likelihood] += sums.log_likelihood();
    into[parts.likelihood + 2] += static_cast<double>(block.n_rows * states_a_row);
    for (std::size_t u = 0; u < network.n_causes(); ++u) into[parts.present + u] += sums.present(u);
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      into[parts.inverse + a] += sums.inverse(a);
    }
    for (std::size_t e = 0; e < network.edges().size(); ++e) {
      const model::Edge& edge = network.edges()[e];
      into[parts.shared + e] += sums.shared(edge.cause, edge.observed);
      if (rows.may_miss()) into[parts.unseen + e] += sums.unseen(edge.cause, edge.observed);
    }
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      for_each_bit(block.missing_in(r), [&](std::size_t a) { into[parts.n_missing + a] += 1; });
    }
  });
}

/// Of sums without what silent rows expect of the causes.
Expectation expectation_of(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                           const ExpectationParts& parts, const std::vector<double>& sums) {
  const std::size_t m = network.n_observed();
  const std::size_t n_edges = network.edges().size();
  const auto n_rows = static_cast<double>(rows.n_rows());
  Expectation expected;
  expected.n_rows = n_rows;
  expected.log_likelihood = sums[parts.likelihood];
  expected.n_truncated = sums[parts.likelihood + 1];
  expected.n_states = sums[parts.likelihood + 2];
  expected.present = slice(sums, parts.present, network.n_causes());
  expected.shared = slice(sums, parts.shared, n_edges);
  expected.inverse = slice(sums, parts.inverse, m);
  expected.rows_observed.assign(m, n_rows);
  expected.unseen.assign(n_edges, 0);
  if (rows.may_miss()) {
    for (std::size_t a = 0; a < m; ++a) expected.rows_observed[a] -= sums[parts.n_missing + a];
    expected.unseen = slice(sums, parts.unseen, n_edges);
  }
  return expected;
}

/// `log_left_out`: the sum of RowPosterior::log_share_kept.
Expectation expect_by_row(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                          double tolerance, const EvaluateRow& evaluate, double& log_left_out) {
  const ExpectationParts parts(network, rows.may_miss());
  const model::PosteriorNetwork prepared(network);
  const std::vector<double> sums = sum_by_row(rows, prepared, tolerance, parts, evaluate);
  Expectation expected = expectation_of(rows, network, parts, sums);
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    expected.present[u] += expected.n_rows * prepared.quiet_posterior(u);
  }
  log_left_out = sums[parts.likelihood + 3];
  return expected;
}

/// Among all blocks of the samples.
std::size_t number_of(const learning::RowBlock& block) {
  return block.first_row / learning::rows_of_sum;
}

}  // namespace

Expectation expect(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                   double tolerance) {
  if (model::StateTable::suits(network, rows.n_rows())) {
    const ExpectationParts parts(network, rows.may_miss());
    return expectation_of(rows, network, parts, sum_all_states(rows, network, tolerance, parts));
  }
  auto found = std::make_shared<FoundStates>();
  const std::uint64_t n_blocks =
      (rows.n_rows() + learning::rows_of_sum - 1) / learning::rows_of_sum;
  found->of_blocks.assign(rows.n_blocks_of_samples(),
                          model::RowStates(states_bytes_of_block(n_blocks)));
  Expectation expected = expect_by_row(
      rows, network, tolerance,
      [&](RowPosterior& row, const learning::RowBlock& block, std::size_t r) {
        row.evaluate(block.row(r), block.missing_in(r), found->of_blocks[number_of(block)]);
      },
      found->log_left_out);
  found->n_truncated = expected.n_truncated;
  found->n_states = expected.n_states;
  expected.found = std::move(found);
  return expected;
}

Expectation expect_again(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                         double tolerance, const FoundStates& found) {
  double nothing = 0;
  Expectation expected = expect_by_row(
      rows, network, tolerance,
      [&](RowPosterior& row, const learning::RowBlock& block, std::size_t r) {
        row.follow(block.row(r), block.missing_in(r), found.of_blocks[number_of(block)], r);
      },
      nothing);
  expected.log_likelihood -= found.log_left_out;
  expected.n_truncated = found.n_truncated;
  expected.n_states = found.n_states;
  return expected;
}

}  // namespace orrery::quartet
