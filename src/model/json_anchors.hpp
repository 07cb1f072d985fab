// "anchors" of a noisy-OR network with their rates, and "moments" of its causes as they were
// recovered: optional members of its JSON (orrery/model/network_json.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/json_entry.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {

// Each throws InputError.

/// In the order of the file.
std::vector<Anchor> read_anchors(const JsonEntry& list);
/// In the order of the network, of every anchor or of none. `listed`: as read_anchors gave them.
std::vector<AnchorRates> read_anchor_rates(const JsonEntry& list,
                                           const std::vector<Anchor>& listed);
/// "moments_order" and "moments" of the whole; empty without them.
SubsetTables read_cause_moments(const JsonEntry& root, std::size_t n_causes);

/// The items of these lists.
std::vector<std::string> json_anchors(const LearnedModel& learned);
std::vector<std::string> json_cause_moments(const SubsetTables& moments);

}  // namespace orrery::model
