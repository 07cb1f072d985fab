// A learned categorical network beside the true one (Lazic, Bishop, Winn 2013, section 6.1), and
// beside data; and what is told of it: sections of a sheet, for `evaluate` and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/shared_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"
#include "report/sheet.hpp"

namespace orrery::categorical {

struct CategoricalScores {
  /// Learned cause of each true one, -1: none; the match with the least `difference`. Causes that
  /// share no edge are no partners.
  std::vector<std::int64_t> match;
  /// d(g, g_true) = sum over i, k of |g_ik - g_true_ik|, edges of unmatched causes counted.
  std::uint64_t difference = 0;
  std::uint64_t n_true_edges = 0;
  std::uint64_t n_learned_edges = 0;
  std::uint64_t n_exact_variables = 0;  ///< whose parents are all right
};

/// Variables are matched by name. Throws InputError naming those that one of them lacks. The match
/// is by assignment (base/assign.hpp): exact, since the difference is a sum over pairs.
[[nodiscard]] CategoricalScores score_categorical(const model::CategoricalNetwork& learned,
                                                  const model::CategoricalNetwork& truth);

/// Log likelihood per row of the values that are there. A row without values counts, with 0; with
/// an impossible row the mean is -infinity.
struct CategoricalLikelihood {
  double mean = 0;
  double error = 0;  ///< standard error over rows; NaN: one row, or impossible rows
  std::uint64_t n_rows = 0;
  std::uint64_t n_impossible = 0;
};
/// Columns and categories are matched by name (model::in_order_of). Throws InputError naming
/// `source` for rows that do not fit, or if there is none.
/// Collective for those that `share` the rows.
[[nodiscard]] CategoricalLikelihood categorical_likelihood(const model::CategoricalNetwork& network,
                                                           const data::CategoricalTable& table,
                                                           const std::string& source = "the data",
                                                           const BlockShare& share = {});

/// The same variables with the same frequencies, none of which depends on a cause. O(sum of
/// tables).
[[nodiscard]] model::CategoricalNetwork without_causes(const model::CategoricalNetwork& network);

/// Of each cause: what it is called where people read of it, by the variables that have the largest
/// mutual information with it.
[[nodiscard]] std::vector<std::string> titles_of_causes(const model::CategoricalNetwork& network);

void add_truth(report::Sheet& sheet, const CategoricalScores& scores,
               const model::CategoricalNetwork& learned, const model::CategoricalNetwork& truth);

/// Log-likelihoods per row, nats, of the values that are there.
struct CategoricalDataScores {
  bool held_out = true;  ///< false: the very samples that the model was learned from
  CategoricalLikelihood model;
  std::optional<CategoricalLikelihood> independent;  ///< the model's frequencies alone
  std::optional<CategoricalLikelihood> truth;
  /// log p(data | structure) / rows, parameters integrated out (--marginal-likelihood).
  std::optional<double> marginal = std::nullopt;
  std::optional<double> true_marginal = std::nullopt;
};
void add_data(report::Sheet& sheet, const CategoricalDataScores& scores);

}  // namespace orrery::categorical
