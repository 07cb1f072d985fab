// A tree of signs as inline SVG. Fixed numbers in, fixed bytes out.
#pragma once

#include <string>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::sign_tree {

/// An edge's standing beside a true tree.
enum class Standing { right, wrong };

/// Edges as wide as their moments are large, blue for +, red for -; names point away from the
/// edges; what there is to say of a variable and an edge is a tooltip. `standing`: an edge, or
/// empty; wrong ones are dashed. `lacking`: true edges that the tree does not have, dotted.
[[nodiscard]] std::string draw_tree(const model::LearnedTree& learned,
                                    const std::vector<Standing>& standing,
                                    const std::vector<model::TreeEdge>& lacking);
/// "0.52 ± 0.01".
[[nodiscard]] std::string moment_text(const model::LearnedTree& learned, std::size_t edge);

}  // namespace orrery::sign_tree
