// The E-step: what the rows are expected to count, the causes' states given the values of each row.
//
// A missing value is left out of the completed data: given the causes it says nothing of anything.
//
// Cost: a row as CategoricalInference says, and once more for the counts. Memory: 56 bytes a count
// and thread (RowShare), of which the full network has S L a variable, S joint states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learning/row_share.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_em {

/// Rows as ranks and threads share them; every rank holds the table.
struct Data {
  const data::CategoricalTable& table;
  const learning::RowShare& rows;

  [[nodiscard]] std::span<const std::uint8_t> row(std::size_t own) const {
    return table.row(rows.first() + own);
  }
};

struct ExpectedCounts {
  std::vector<std::vector<double>> causes;     ///< K: rows in each state
  std::vector<std::vector<double>> variables;  ///< D: as the variable's table, J x L by rows
  double log_likelihood = 0;                   ///< log P(D | theta, G)
};

/// Collective.
[[nodiscard]] ExpectedCounts expected_counts(const model::CategoricalNetwork& network,
                                             const Data& data);

/// Of the variables [first, last): counts by category and joint state of all causes, L x S each,
/// from which those of any parents follow. Collective.
[[nodiscard]] std::vector<std::vector<double>> joint_counts(
    const model::CategoricalNetwork& network, const Data& data, std::size_t first,
    std::size_t last);

}  // namespace orrery::structural_em
