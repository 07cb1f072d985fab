// What is told of a tree of signs beside the true one, and of data; sections of a sheet, for
// `evaluate` and the page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "families/sign_tree/scores/scores.hpp"
#include "orrery/model/sign_tree.hpp"
#include "report/sheet.hpp"

namespace orrery::sign_tree {

void add_truth(report::Sheet& sheet, const TreeScores& scores, const model::SignTree& learned);

struct TreeDataScores {
  std::uint64_t n_rows = 0;
  bool held_out = true;  ///< false: the very samples that the tree was learned from
  double model = 0;      ///< mean log-likelihood per row, nats
  std::optional<double> truth, chow_liu, independent;
};
void add_data(report::Sheet& sheet, const TreeDataScores& scores);

/// A moment of the learned tree, and of the true one.
struct Moment {
  std::vector<std::uint32_t> set;
  double hidden = 0, noisy = 0;
  std::optional<double> true_hidden;
  std::optional<double> bound;  ///< of |hidden - true|: by L^(2) with a truth, else by edge errors
};
void add_moment(report::Sheet& sheet, const Moment& moment, const model::SignTree& learned);

}  // namespace orrery::sign_tree
