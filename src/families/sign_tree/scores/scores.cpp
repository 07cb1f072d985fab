#include "families/sign_tree/scores/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "base/assign.hpp"
#include "base/progress.hpp"
#include "model/numbers.hpp"
#include "orrery/base/error.hpp"
#include "report/text.hpp"

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
  return places_of_same_names(tree.names(), names);
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

bool same_up_to_leaves(const SignTree& one, const SignTree& other) {
  // A variable and the leaves at it may stand in any order: they are one cluster, named after the
  // first of them. The trees are the same if the clusters and the edges between clusters are.
  const auto clusters = [](const SignTree& tree) {
    std::vector<std::uint32_t> degree(tree.n_variables(), 0);
    for (const TreeEdge& edge : tree.edges()) {
      ++degree[edge.a];
      ++degree[edge.b];
    }
    std::vector<std::uint32_t> first(tree.n_variables());
    std::iota(first.begin(), first.end(), 0U);
    std::vector<std::array<std::uint32_t, 2>> leaves;  // and their neighbours
    for (const TreeEdge& edge : tree.edges()) {
      if (degree[edge.b] == 1)
        leaves.push_back({edge.b, edge.a});
      else if (degree[edge.a] == 1)
        leaves.push_back({edge.a, edge.b});
    }
    for (const auto& [leaf, at] : leaves) first[at] = std::min(first[at], leaf);
    for (const auto& [leaf, at] : leaves) first[leaf] = first[at];
    std::set<Ends> between;
    for (const TreeEdge& edge : tree.edges()) {
      const auto [a, b] = std::minmax(first[edge.a], first[edge.b]);
      if (a != b) between.insert({a, b});
    }
    return std::pair{first, between};
  };
  return clusters(one) == clusters(other);
}

double symmetric_kl_by_interactions(const SignTree& one, const SignTree& other) {
  const model::PathCorrelations of_one(one);
  const model::PathCorrelations of_other(other);
  const auto shared = places_of_edges(other);
  // An edge of both is counted with the first tree's; one of a single tree has no parameter in the
  // other.
  const auto term = [](double theta_difference, double mu_difference) {
    return mu_difference == 0 ? 0 : theta_difference * mu_difference;  // also of |mu| = 1 in both
  };
  double sum = 0;
  for (const TreeEdge& edge : one.edges()) {
    const bool in_both = shared.contains({edge.a, edge.b});
    const double mu = of_other.moment(edge.a, edge.b);
    sum += term(std::atanh(edge.moment) - (in_both ? std::atanh(mu) : 0), edge.moment - mu);
  }
  const auto counted = places_of_edges(one);
  for (const TreeEdge& edge : other.edges()) {
    if (counted.contains({edge.a, edge.b})) continue;
    sum += term(std::atanh(edge.moment), edge.moment - of_one.moment(edge.a, edge.b));
  }
  return sum;
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
  scores.exact_up_to_leaves = same_up_to_leaves(learned.tree, truth);
  scores.small_set = model::small_set_distance(truth, learned.tree);
  scores.kl_from_truth = model::kl_divergence(truth, learned.tree);
  scores.kl_to_truth = model::kl_divergence(learned.tree, truth);
  if (learned.tree.is_uniform() && truth.is_uniform()) {
    scores.symmetric_kl_by_interactions = symmetric_kl_by_interactions(truth, learned.tree);
  }
  return scores;
}

namespace {

using model::SignTree;
using nlohmann::json;
using report::short_number;

std::string name_of(const SignTree& tree, const TreeScores::Ends& ends) {
  return fmt::format("{} - {}", tree.names()[ends[0]], tree.names()[ends[1]]);
}

/// "a - b, c - d and 3 more"; JSON has them all.
void add_ends(report::Section& section, const char* key, const char* label, const SignTree& tree,
              const std::vector<TreeScores::Ends>& edges) {
  constexpr std::size_t listed = 5;
  json list = json::array();
  std::string text;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    list.push_back({tree.names()[edges[e][0]], tree.names()[edges[e][1]]});
    if (e < listed) text += (e > 0 ? ", " : "") + name_of(tree, edges[e]);
  }
  if (edges.size() > listed) text += fmt::format(" and {} more", edges.size() - listed);
  section.data(key, std::move(list));
  if (!text.empty()) section.show(label, text);
}

std::string of_text(std::size_t part, std::size_t whole) {
  return fmt::format("{} of {}", format_count(part), format_count(whole));
}

}  // namespace

void add_truth(report::Sheet& sheet, const TreeScores& scores, const SignTree& learned) {
  report::Section& section = sheet.section("", "Beside the true tree");
  const std::size_t n_found = scores.n_true_edges - scores.missing.size();
  section.sentences.push_back(fmt::format(
      "{} of {} edges found, {} wrong{}", n_found, scores.n_true_edges, scores.wrong.size(),
      scores.exact()              ? ": the structure is exact"
      : scores.exact_up_to_leaves ? ": right up to exchanges of a leaf and its neighbour"
                                  : ""));
  section.data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("exact", scores.exact())
      .data("exact_up_to_leaves", scores.exact_up_to_leaves);
  add_ends(section, "missing_edges", "missing edges", learned, scores.missing);
  add_ends(section, "wrong_edges", "wrong edges", learned, scores.wrong);
  const auto tell = [&](const char* key, double value, const char* label, const std::string& note) {
    section.tell(key, report::finite_or_null(value), label, short_number(value), note);
  };
  if (learned.n_variables() > 1) {
    const auto& pair = scores.small_set.pair;
    section.data("sstv_pair", {learned.names()[pair[0]], learned.names()[pair[1]]});
    tell("sstv", scores.small_set.distance, "ssTV of pairs",
         "the greatest total variation of two signs: " + name_of(learned, pair));
  } else {
    section.data("sstv", scores.small_set.distance);
  }
  if (scores.triples) {
    json names = json::array();
    std::string text;
    for (const std::uint32_t i : scores.triples->triple) {
      names.push_back(learned.names()[i]);
      text += (text.empty() ? "" : ", ") + learned.names()[i];
    }
    section.data("sstv_triple", std::move(names));
    tell("sstv_3", scores.triples->distance, "ssTV of triples",
         "the greatest total variation of three signs: " + text);
  }
  tell("kl_from_truth", scores.kl_from_truth, "KL(truth || learned)", "nats, of the hidden signs");
  tell("kl_to_truth", scores.kl_to_truth, "KL(learned || truth)", "nats");
  tell("symmetric_kl", scores.kl_from_truth + scores.kl_to_truth, "symmetric KL",
       "nats, the sum of both");
  if (scores.symmetric_kl_by_interactions) {
    tell("symmetric_kl_by_interactions", *scores.symmetric_kl_by_interactions, "by interactions",
         "nats, the same by Eq. (33) from the edges' parameters theta");
  }
  tell("largest_moment_error", scores.largest_moment_error, "largest error of a moment",
       "of the edges that both have");
  if (scores.n_with_error == 0) return;
  section.tell("coverage", {scores.n_covered, scores.n_with_error}, "inside their intervals",
               of_text(scores.n_covered, scores.n_with_error),
               "true moments of these edges, 95 % intervals");
}

void add_data(report::Sheet& sheet, const TreeDataScores& scores) {
  report::Section& section = sheet.section("", "Likelihood");
  section.sentences.push_back(fmt::format(
      "Mean log-likelihood per row in nats, over {}{}", report::count_of(scores.n_rows, "row"),
      scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.n_rows).data("held_out", scores.held_out);
  const auto tell = [&](const char* key, const std::optional<double>& value, const char* label,
                        const char* note) {
    if (!value) return;
    section.tell(key, report::finite_or_null(*value), label,
                 std::isfinite(*value) ? fmt::format("{:.4f}", *value) : "-infinity", note);
  };
  tell("log_likelihood", scores.model, "this model", "");
  tell("true_log_likelihood", scores.truth, "true tree", "");
  tell("chow_liu_log_likelihood", scores.chow_liu, "Chow-Liu tree", "of what is observed");
  tell("independent_log_likelihood", scores.independent, "independent variables", "");
}

void add_moment(report::Sheet& sheet, const Moment& moment, const SignTree& learned) {
  report::Section& section = sheet.section("moment", "Moment");
  json names = json::array();
  for (const std::uint32_t i : moment.set) names.push_back(learned.names()[i]);
  section.sentences.push_back(
      fmt::format("Moment of {}", report::count_of(moment.set.size(), "variable")));
  section.data("variables", std::move(names));
  section.tell("hidden", moment.hidden, "of the hidden signs",
               fmt::format("{:.6f}", moment.hidden));
  if (moment.true_hidden) {
    section.tell("true_hidden", *moment.true_hidden, "of the true tree",
                 fmt::format("{:.6f}", *moment.true_hidden));
  }
  section.tell("noisy", moment.noisy, "of the observed signs", fmt::format("{:.6f}", moment.noisy));
  if (!moment.bound) return;
  section.tell("error_bound", *moment.bound, "off by at most", fmt::format("{:.2g}", *moment.bound),
               moment.true_hidden ? "|V| ssTV"
                                  : "if the edges are right, and their moments in their 95 % "
                                    "intervals");
}

}  // namespace orrery::sign_tree
