#include "families/noisy_or/quartet/refine/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/bits.hpp"
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
      : likelihood(layout.part(3)),
        present(layout.part(network.n_causes())),
        shared(layout.part(network.edges().size())),
        inverse(layout.part(network.n_observed())),
        n_missing(layout.part(may_miss ? network.n_observed() : 0)),
        unseen(layout.part(may_miss ? network.edges().size() : 0)) {}
};

/// Row by row; `present` beside what silent rows expect.
std::vector<double> sum_by_search(const learning::RowPass& rows,
                                  const model::PosteriorNetwork& prepared, double tolerance,
                                  const ExpectationParts& parts) {
  std::vector<RowPosterior> scratch = posteriors(rows, prepared, tolerance);
  return rows.sum(parts.layout.size(),
                  [&](const learning::RowBlock& block, int thread, std::span<double> into) {
                    RowPosterior& row = scratch[static_cast<std::size_t>(thread)];
                    for (std::size_t r = 0; r < block.n_rows; ++r) {
                      row.evaluate(block.row(r), block.missing_in(r));
                      into[parts.likelihood] += row.log_likelihood();
                      into[parts.likelihood + 1] += row.truncated() ? 1 : 0;
                      into[parts.likelihood + 2] += static_cast<double>(row.n_states());
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

}  // namespace

Expectation expect(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                   double tolerance) {
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  const std::size_t n_edges = network.edges().size();
  const auto n_rows = static_cast<double>(rows.n_rows());
  const ExpectationParts parts(network, rows.may_miss());
  Expectation expected;
  std::vector<double> sums;
  if (model::StateTable::suits(network, rows.n_rows())) {
    sums = sum_all_states(rows, network, tolerance, parts);
    expected.present = slice(sums, parts.present, n);
  } else {
    const model::PosteriorNetwork prepared(network);
    sums = sum_by_search(rows, prepared, tolerance, parts);
    expected.present = slice(sums, parts.present, n);
    for (std::size_t u = 0; u < n; ++u) expected.present[u] += n_rows * prepared.quiet_posterior(u);
  }
  expected.n_rows = n_rows;
  expected.log_likelihood = sums[parts.likelihood];
  expected.n_truncated = sums[parts.likelihood + 1];
  expected.n_states = sums[parts.likelihood + 2];
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

}  // namespace orrery::quartet
