// "cause_tables" of a network whose causes depend on one another:
// [{"parents": [causes], "on": [2^parents probabilities]}, ...], bit i of the place in "on" is the
// value of parent i; parents rise.
#pragma once

#include <string>
#include <vector>

#include "model/json_entry.hpp"
#include "orrery/model/cause_network.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

std::vector<CauseTable> read_cause_tables(const JsonEntry& list);
/// Priors that are left out (NaN) become 0 where `tables` give them; else they are refused. `list`:
/// the causes in the file.
void fill_priors(const JsonEntry& list, const CauseNetwork& tables, std::vector<Cause>& causes);
/// Refuses a prior of `listed` (NaN: none was given) that is not that of `network`, whose priors
/// are what the tables say. `list`: the causes in the file.
void require_priors(const JsonEntry& list, const std::vector<Cause>& listed,
                    const NoisyOrNetwork& network);
/// The items of the list.
std::vector<std::string> json_cause_tables(const CauseNetwork& causes);

}  // namespace orrery::model
