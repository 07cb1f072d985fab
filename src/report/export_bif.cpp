// The network in the Bayesian interchange format. A noisy-OR has no short form there: each observed
// variable gets the full table of its P(off | parents) = (1 - leak) * product of the failures of
// the parents that are on, 2^parents rows. Cost: O(sum over variables of 2^parents * parents).
#include <string>
#include <vector>

#include "report/bif_tables.hpp"
#include "report/export_formats.hpp"

namespace orrery::report {

std::string to_bif(const model::LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  const auto parents = parents_of(network);
  require_small_tables(network, parents);
  std::string out;
  const BifNames names = begin_bif(network, out);
  for (std::size_t k = 0; k < names.causes.size(); ++k) {
    const double prior = network.causes()[k].prior;
    add_bif_table(
        names.causes[k], {},
        [&](std::uint32_t) -> OffOn {
          return {1 - prior, prior};
        },
        out);
  }
  add_noisy_or_tables(network, parents, names, out);
  return out;
}

}  // namespace orrery::report
