// What is told of an anchored network beside the true one, of data, and of labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;
using nlohmann::json;

const std::string& name_of(const NoisyOrNetwork& network, std::size_t cause) {
  return network.causes()[cause].name;
}

void add_matches(report::Section& section, const AnchoredScores& scores,
                 const NoisyOrNetwork& truth, const NoisyOrNetwork& learned) {
  report::Table& matches = section.table("matches", "");
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    const std::int64_t partner = scores.partner[t];
    matches.row()
        .data("true", name_of(truth, t))
        .data("learned", partner < 0 ? json(nullptr)
                                     : json(name_of(learned, static_cast<std::size_t>(partner))));
  }
}

/// "a - b, c - d and 3 more"; JSON has them all.
void add_ends(report::Section& section, const char* key, const char* label,
              const NoisyOrNetwork& network, const std::vector<AnchoredScores::Ends>& edges) {
  constexpr std::size_t listed = 5;
  json list = json::array();
  std::string text;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& [a, b] = edges[e];
    list.push_back({name_of(network, a), name_of(network, b)});
    if (e >= listed) continue;
    text += fmt::format("{}{} - {}", e > 0 ? ", " : "", name_of(network, a), name_of(network, b));
  }
  if (edges.size() > listed) text += fmt::format(" and {} more", edges.size() - listed);
  section.data(key, std::move(list));
  if (!text.empty()) section.show(label, text);
}

void add_graph(report::Section& section, const AnchoredScores& scores) {
  section.data("matched_by", scores.by_name ? "name" : "loadings")
      .data("true_edges", scores.n_true_edges)
      .data("learned_edges", scores.n_learned_edges)
      .data("common_edges", scores.n_common_edges)
      .data("precision", scores.precision)
      .data("recall", scores.recall);
  section.tell(
      "f1", scores.f1, "edges among causes", fmt::format("F1 {:.3f}", scores.f1),
      fmt::format("precision {:.3f}, recall {:.3f}, whatever their direction; causes "
                  "matched by {}",
                  scores.precision, scores.recall, scores.by_name ? "name" : "their loadings"));
  const auto& kl = scores.kl_from_truth;
  section.data("kl_from_truth", kl ? report::finite_or_null(*kl) : json(nullptr));
  if (!kl) return;
  section.show("divergence of the causes",
               std::isfinite(*kl) ? report::short_number(*kl) + " nats" : "infinite",
               "KL(true, learned) of the distribution of all causes");
}

void add_loadings(report::Section& section, const AnchoredScores& scores) {
  const auto number = [](double value) { return report::short_number(value); };
  section.data("observed", scores.n_observed)
      .data("true_loadings", scores.n_true_loadings)
      .data("mean_failure_error", scores.mean_failure_error)
      .data("max_failure_error", scores.max_failure_error)
      .data("mean_extra_strength", scores.mean_extra_strength)
      .data("max_leak_error", scores.max_leak_error)
      .data("max_prior_error", scores.max_prior_error);
  section.tell("median_failure_error", scores.median_failure_error, "error of a failure",
               number(scores.median_failure_error),
               fmt::format("median of {}; mean {}, largest {}",
                           report::count_of(scores.n_true_loadings, "true loading"),
                           number(scores.mean_failure_error), number(scores.max_failure_error)));
  section.tell("extra_loadings", scores.n_extra_loadings, "loadings that are not true",
               format_count(scores.n_extra_loadings),
               scores.n_extra_loadings == 0
                   ? ""
                   : "mean strength 1 - failure " + number(scores.mean_extra_strength));
  section.tell("mean_leak_error", scores.mean_leak_error, "error of a leak",
               number(scores.mean_leak_error), "mean; largest " + number(scores.max_leak_error));
  section.tell("mean_prior_error", scores.mean_prior_error, "error of a prior",
               number(scores.mean_prior_error), "mean; largest " + number(scores.max_prior_error));
  if (scores.n_with_error == 0) return;
  section.tell(
      "coverage", {scores.n_covered, scores.n_with_error}, "inside their intervals",
      fmt::format("{} of {}", format_count(scores.n_covered), format_count(scores.n_with_error)),
      "true failures, leaks and priors; 95 % intervals");
}

void add_likelihood(report::Record& record, const std::string& path, const char* label,
                    const AnchoredLikelihood& likelihood) {
  record.data(path + "log_likelihood", report::finite_or_null(likelihood.mean))
      .data(path + "out_of_reach", likelihood.n_out_of_reach)
      .data(path + "impossible", likelihood.n_impossible);
  if (likelihood.n_out_of_reach > 0) {
    record.show(label, "out of reach",
                fmt::format("{} too dense for an exact sum",
                            report::count_of(likelihood.n_out_of_reach, "row")));
  } else {
    record.show(label, fmt::format("{:.4f}", likelihood.mean));
  }
}

}  // namespace

void add_anchored_truth(report::Sheet& sheet, const AnchoredScores& scores,
                        const NoisyOrNetwork& truth, const NoisyOrNetwork& learned) {
  report::Section& section = sheet.section("", "Beside the true network");
  const auto n_matched =
      std::ranges::count_if(scores.partner, [](std::int64_t l) { return l >= 0; });
  section.sentences.push_back(fmt::format(
      "{} of {} causes matched; {} of {} edges among causes found, {} wrong", n_matched,
      scores.partner.size(), scores.n_common_edges, scores.n_true_edges, scores.wrong.size()));
  add_graph(section, scores);
  add_ends(section, "missing_edges", "missing edges", truth, scores.missing);
  add_ends(section, "wrong_edges", "wrong edges", learned, scores.wrong);
  add_loadings(section, scores);
  add_matches(section, scores, truth, learned);
}

void add_anchored_data(report::Sheet& sheet, const AnchoredDataScores& scores) {
  report::Section& section = sheet.section("data", "Likelihood");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood per row in nats, over {}{}",
                  report::count_of(scores.model.n_rows, "row"),
                  scores.held_out ? "" : " that the model was learned from"));
  section.data("rows", scores.model.n_rows).data("held_out", scores.held_out);
  add_likelihood(section, "", "this model", scores.model);
  if (scores.truth) add_likelihood(section, "truth/", "true network", *scores.truth);
}

void add_labels(report::Sheet& sheet, const LabelScores& scores) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.4f}", value) : std::string("-infinity");
  };
  report::Section& section = sheet.section("labels", "Likelihood of the labels");
  section.sentences.push_back(
      fmt::format("Mean log-likelihood of the true causes per row in nats, over {}",
                  report::count_of(scores.model.n_rows, "row")));
  section.data("rows", scores.model.n_rows)
      .data("impossible", scores.model.n_impossible)
      .data("floor", scores.floor);
  section.tell("log_likelihood", report::finite_or_null(scores.model.mean), "this model",
               number(scores.model.mean),
               scores.model.n_impossible == 0
                   ? ""
                   : fmt::format("the model rules out {}",
                                 report::count_of(scores.model.n_impossible, "row")));
  section.tell("floored_log_likelihood", scores.floored, "no probability too near to 0 or 1",
               number(scores.floored), fmt::format("none nearer than {:.2g}", scores.floor));
  section.tell("independent_log_likelihood", scores.independent, "the same without edges",
               number(scores.independent));
  if (!scores.truth) return;
  section.tell("true_log_likelihood", report::finite_or_null(*scores.truth), "true network",
               number(*scores.truth));
}

}  // namespace orrery::noisy_or
