// A learned tree of signs for people: one self-contained HTML page with the tree drawn.
#pragma once

#include <string>

#include "families/sign_tree/scores/scores.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::sign_tree {

struct TreeReportInput {
  const model::LearnedTree* model = nullptr;
  std::string title;                       ///< of the page; escaped
  std::string source;                      ///< where the model came from; escaped
  const model::SignTree* truth = nullptr;  ///< optional: the model's variables in their order
  const TreeScores* scores = nullptr;      ///< given iff truth is
};

/// The page: edges coloured by sign, as wide as they are strong; beside a truth, edges that it does
/// not have and those that it has besides. Trees of more than 2,000 variables are a table only.
std::string tree_html_report(const TreeReportInput& input);

}  // namespace orrery::sign_tree
