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
  const std::vector<model::CauseTable>& tables = network.cause_network().tables();
  std::size_t rows = 0;
  for (const model::CauseTable& table : tables) rows += table.on.size();
  const auto parents = parents_of(network);
  require_small_tables(network, parents, rows);
  std::string out;
  const BifNames names = begin_bif(network, out);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    std::vector<std::string> above;
    for (const std::uint32_t parent : tables[k].parents) above.push_back(names.causes[parent]);
    const auto given = [&](std::uint32_t states) -> OffOn {
      return {1 - tables[k].on[states], tables[k].on[states]};
    };
    add_bif_table(names.causes[k], above, given, out);
  }
  add_noisy_or_tables(network, parents, names, out);
  return out;
}

}  // namespace orrery::report
