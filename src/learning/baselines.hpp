// Baselines that explain nothing: the best tree over the observed variables, independence, and rows
// of several kinds, in each of which the variables are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::learning {

/// Chow & Liu 1968: the tree of the greatest likelihood. Throws InputError if there is no row.
model::TreeTables fit_chow_liu(const data::SampleMatrix& samples);
/// Every variable on its own.
model::TreeTables fit_independent(const data::SampleMatrix& samples);

/// Mean log P(row) in nats over all rows, of values that are observed as they are; missing values
/// are summed out. The same bits for any number of threads. Throws InputError if the data have
/// another number of variables or no row.
double mean_log_likelihood(const model::TreeTables& tree, const data::SampleMatrix& samples);

// A mixture: it predicts much.

/// P(row) = sum_k weights[k] prod_a (on[k][a] if a is on, else 1 - on[k][a]).
struct BernoulliMixture {
  std::size_t n_variables = 0;
  std::vector<double> weights;  ///< K, above 0, sum 1
  std::vector<double> on;       ///< K x n_variables, inside (0, 1)

  [[nodiscard]] std::size_t n_components() const noexcept { return weights.size(); }
};

struct MixtureOptions {
  std::vector<std::size_t> numbers{1, 2, 5, 10, 20, 40, 80, 160};  ///< of components, ascending
  std::size_t most_rows = 20'000;  ///< to learn from; of more, this many, evenly spread
  std::size_t max_iterations = 100;
  double tolerance = 2e-4;  ///< ends EM: what an iteration gains, nats per row
  std::uint64_t seed = 1;
  int threads = 1;
};

/// The number of components is that which predicts every tenth row best, learned from the others;
/// larger ones are not tried once two in a row were worse. The mixture returned is then learned
/// from all rows. The same bits for any number of threads. Throws InputError if there is no row.
BernoulliMixture fit_mixture(const data::SampleMatrix& samples, const MixtureOptions& options);

/// Mean log P(row) in nats over all rows; missing values are summed out. Throws InputError if the
/// data have another number of variables or no row.
double mean_log_likelihood(const BernoulliMixture& mixture, const data::SampleMatrix& samples,
                           int threads = 1);

}  // namespace orrery::learning
