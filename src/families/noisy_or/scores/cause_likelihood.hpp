// What a network of causes says of their true values (Halpern, Horng, Sontag 2015, Sec. 5.3.1,
// Figure 4), and of another network.
#pragma once

#include <cstdint>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::noisy_or {

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
