#include "families/sign_tree/scores/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "model/normal.hpp"
#include "model/same_names.hpp"
#include "orrery/base/error.hpp"

namespace orrery::sign_tree {
namespace {

using model::LearnedTree;
using model::SignTree;
using model::TreeEdge;
using Ends = TreeScores::Ends;

std::map<Ends, std::size_t> places_of_edges(const SignTree& tree) {
  std::map<Ends, std::size_t> places;
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    places.emplace(Ends{tree.edges()[e].a, tree.edges()[e].b}, e);
  }
  return places;
}

}  // namespace

std::vector<std::size_t> align_variables(const SignTree& tree,
                                         const std::vector<std::string>& names,
                                         const std::string& source) {
  const std::size_t p = tree.n_variables();
  if (names.size() != p) {
    throw InputError(fmt::format("{}: {} variables, but the model has {}; give what belongs to it",
                                 source, names.size(), p));
  }
  return model::places_of_same_names(tree.names(), names);
}

LearnedTree moved_variables(const LearnedTree& learned, const std::vector<std::size_t>& places,
                            const std::vector<std::string>& names) {
  const SignTree& tree = learned.tree;
  std::vector<double> means(tree.n_variables());
  for (std::size_t i = 0; i < means.size(); ++i) means[places[i]] = tree.means()[i];
  std::vector<TreeEdge> edges;
  std::map<Ends, double> errors;
  for (std::size_t e = 0; e < tree.edges().size(); ++e) {
    const TreeEdge& edge = tree.edges()[e];
    const auto [a, b] = std::minmax(
        {static_cast<std::uint32_t>(places[edge.a]), static_cast<std::uint32_t>(places[edge.b])});
    edges.push_back({a, b, edge.moment});
    if (!learned.edge_errors.empty()) errors[{a, b}] = learned.edge_errors[e];
  }
  LearnedTree moved = learned;
  moved.tree = SignTree(names, std::move(means), std::move(edges), tree.crossover());
  if (errors.empty()) return moved;
  for (std::size_t e = 0; e < moved.edge_errors.size(); ++e) {
    const TreeEdge& edge = moved.tree.edges()[e];
    moved.edge_errors[e] = errors.at({edge.a, edge.b});
  }
  return moved;
}

TreeScores score_tree(const LearnedTree& learned, const SignTree& truth) {
  assert(learned.tree.n_variables() == truth.n_variables());
  TreeScores scores;
  scores.n_true_edges = truth.edges().size();
  scores.n_learned_edges = learned.tree.edges().size();
  const auto of_learned = places_of_edges(learned.tree);
  const auto of_truth = places_of_edges(truth);
  for (const auto& [ends, e] : of_learned) {
    if (!of_truth.contains(ends)) scores.wrong.push_back(ends);
  }
  for (const auto& [ends, e] : of_truth) {
    const auto found = of_learned.find(ends);
    if (found == of_learned.end()) {
      scores.missing.push_back(ends);
      continue;
    }
    const double off =
        std::abs(learned.tree.edges()[found->second].moment - truth.edges()[e].moment);
    scores.largest_moment_error = std::max(scores.largest_moment_error, off);
    if (learned.edge_errors.empty() || std::isnan(learned.edge_errors[found->second])) continue;
    ++scores.n_with_error;
    if (off <= model::normal95 * learned.edge_errors[found->second]) ++scores.n_covered;
  }
  scores.small_set = model::small_set_distance(truth, learned.tree);
  scores.kl_from_truth = model::kl_divergence(truth, learned.tree);
  scores.kl_to_truth = model::kl_divergence(learned.tree, truth);
  return scores;
}

}  // namespace orrery::sign_tree
