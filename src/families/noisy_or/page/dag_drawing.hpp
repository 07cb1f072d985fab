// Directed graphs without cycles as inline SVG: names in boxes, layer by layer, arrows that end in
// a head where two go together and in a bar where one keeps the other away. Fixed numbers in, fixed
// bytes out. Names and tooltips are escaped here.
#pragma once

#include <string>
#include <vector>

#include "report/cause_graph.hpp"

namespace orrery::noisy_or {

/// Nodes in topological order. An arrow of ArrowKind::lacking may point from a later node to an
/// earlier one; no other may.
std::string draw_dag(const std::string& title, const std::vector<report::GraphNode>& nodes,
                     const std::vector<report::GraphArrow>& arrows);

}  // namespace orrery::noisy_or
