// What an anchored network says of rows of its observed variables, causes summed over; and what its
// network of causes says of their true values (Halpern, Horng, Sontag 2015, Sec. 5.3.1, Figure 4),
// and of another network.
#pragma once

#include <cstdint>
#include <vector>

#include "base/shared_sums.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/cause_network.hpp"
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

/// KL(truth || learned), nats; infinity: the learned one rules out what happens. `place[i]`: the
/// true cause that is the learned one's cause i, each once. Exact, by elimination: a table of each
/// family. Throws InputError where the truth is too dense for that.
double kl_divergence(const model::CauseNetwork& truth, const model::CauseNetwork& learned,
                     const std::vector<std::uint32_t>& place);

/// The network with every P(cause | parents) moved into [floor, 1 - floor]: moments that are
/// recovered on the edge of what is possible rule out rows that occur.
model::CauseNetwork floored(const model::CauseNetwork& network, double floor);

struct LabelLikelihood {
  std::uint64_t n_rows = 0;        ///< with a label at least
  std::uint64_t n_impossible = 0;  ///< of probability 0
  double mean = 0;  ///< log P of a row's labels, nats; -infinity if one is impossible
};

/// Column i of `labels`: cause i; missing values are summed over. Throws InputError if the numbers
/// differ, or if values are missing and the network is too dense for sums.
LabelLikelihood label_likelihood(const model::CauseNetwork& network,
                                 const data::SampleMatrix& labels, int threads);

}  // namespace orrery::noisy_or
