// What an anchored network says of rows of its observed variables, causes summed over.
#pragma once

#include <cstdint>

#include "base/block_share.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

struct AnchoredLikelihood {
  std::uint64_t n_rows = 0;
  std::uint64_t n_out_of_reach = 0;  ///< rows with too many findings for an exact sum
  std::uint64_t n_impossible = 0;    ///< of probability 0
  /// log P of a row, nats: -infinity if one is impossible; NaN if one is out of reach, since the
  /// others are no fair sample.
  double mean = 0;
};

/// Column j of `rows`: observed variable j; no value is missing. Memory: what an exact sum takes, a
/// thread. Collective for those that `share` the rows.
AnchoredLikelihood anchored_likelihood(const model::NoisyOrNetwork& network,
                                       const data::BitPanels& rows, int threads,
                                       const BlockShare& share = {});

}  // namespace orrery::noisy_or
