#include "families/sign_tree/scores/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "report/text.hpp"

namespace orrery::sign_tree {
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
  section.sentences.push_back(fmt::format("{} of {} edges found, {} wrong{}", n_found,
                                          scores.n_true_edges, scores.wrong.size(),
                                          scores.exact() ? ": the structure is exact" : ""));
  section.data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("exact", scores.exact());
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
  tell("kl_from_truth", scores.kl_from_truth, "KL(truth || learned)", "nats, of the hidden signs");
  tell("kl_to_truth", scores.kl_to_truth, "KL(learned || truth)", "nats");
  section.data("symmetric_kl", report::finite_or_null(scores.kl_from_truth + scores.kl_to_truth));
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
