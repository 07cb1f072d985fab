// How much of a known truth was found.
#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "families/noisy_or/scores/uncertainty.hpp"
#include "model/learnability.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using nlohmann::json;

std::string of_text(std::size_t hits, std::size_t total) {
  return fmt::format("{} of {}", format_count(hits), format_count(total));
}

/// Causes at structural depth 0, 1, ...; those that quartets never find are not counted.
std::vector<std::size_t> count_of_depths(const std::vector<std::int32_t>& depths) {
  std::vector<std::size_t> count;
  for (const std::int32_t depth : depths) {
    if (depth == model::CauseLearnability::never) continue;
    const auto d = static_cast<std::size_t>(depth);
    count.resize(std::max(count.size(), d + 1));
    ++count[d];
  }
  return count;
}

/// A true cause and its partner.
void add_match(report::Record& row, const CauseMatch& match, const model::Cause& truth,
               const model::LearnedModel& learned, const std::vector<std::int32_t>& depths) {
  row.tell("true", truth.name, "true cause", truth.name);
  row.tell("recovered", match.recovered, "recovered", match.recovered ? "yes" : "no");
  row.show("true prior", fmt::format("{:.4g}", truth.prior));
  if (match.learned < 0) return;
  const auto index = static_cast<std::size_t>(match.learned);
  const model::Cause& cause = learned.network.causes()[index];
  row.show("prior", fmt::format("{:.4g}", cause.prior));
  row.tell("learned", cause.name, "learned as", cause.name);
  row.tell("cost", match.cost, "cost", fmt::format("{:.3g}", match.cost));
  row.data("prior_error", match.prior_error);
  row.tell("failure_error", match.failure_error, "failure error",
           fmt::format("{:.2g}", match.failure_error));
  if (!learned.provenance.empty()) row.data("depth", learned.provenance[index].depth);
  if (!depths.empty()) {
    row.tell("structural_depth", depth_json(depths[index]), "depth", depth_text(depths[index]));
  }
}

void add_matches(report::Section& section, const Evaluation& result,
                 const model::LearnedModel& learned, const model::NoisyOrNetwork& truth,
                 const std::vector<std::int32_t>& depths) {
  report::Table& table =
      section.table("causes", result.n_true <= many_causes ? "True causes" : "",
                    "cost: the largest |log ratio| of a learned failure to the true one");
  table.most_shown = many_causes;
  table.most_on_page = 0;  // the page shows each cause beside the true one
  for (std::size_t u = 0; u < result.n_true; ++u) {
    add_match(table.row(), result.causes[u], truth.causes()[u], learned, depths);
  }
}

void add_edges(report::Section& section, const Evaluation& result) {
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    section.tell(key, value, label, report::short_number(value), note);
  };
  tell("edge_f1", result.edge_f1, "edge F1", "edges of strength 1 - failure above 0.1");
  tell("edge_precision", result.edge_precision, "edge precision", "of the learned edges");
  tell("edge_recall", result.edge_recall, "edge recall", "of the true edges");
  section.data("true_cause_edges", result.n_true_cause_edges)
      .data("learned_cause_edges", result.n_learned_cause_edges)
      .data("common_cause_edges", result.n_common_cause_edges);
  if (result.n_true_cause_edges + result.n_learned_cause_edges == 0) return;
  section.show("edges among causes",
               of_text(result.n_common_cause_edges, result.n_true_cause_edges),
               fmt::format("{} extra", result.n_learned_cause_edges - result.n_common_cause_edges));
}

void add_errors(report::Section& section, const Evaluation& result) {
  const auto tell = [&](const char* key, double value, const char* label, const char* note) {
    const bool any = result.recovered > 0;
    section.tell(key, any ? json(value) : json(nullptr), label,
                 any ? report::short_number(value) : "none", note);
  };
  tell("mean_prior_error", result.mean_prior_error, "prior error",
       "mean over the recovered causes");
  tell("max_failure_error", result.max_failure_error, "failure error",
       "largest over the true edges of the recovered causes");
  section.tell("max_leak_error", result.max_leak_error, "leak error",
               report::short_number(result.max_leak_error), "largest over the observed variables");
}

/// True parameters inside the 95 % intervals.
void add_coverage(report::Section& section, const Evaluation& result,
                  const model::LearnedModel& learned, const model::NoisyOrNetwork& truth) {
  if (learned.errors.empty()) return;
  const Coverage inside = coverage(learned, truth, result);
  const auto tell = [&](const char* key, const Share& share, const char* label, const char* note) {
    section.tell(key, share_json(share), label, of_text(share.hits, share.total), note);
  };
  tell("coverage/priors", inside.priors, "priors covered",
       "true values inside the 95 % intervals, of the recovered causes");
  tell("coverage/failures", inside.failures, "failures covered", "of the edges they have in truth");
  tell("coverage/leaks", inside.leaks, "leaks covered", "of the observed variables");
}

}  // namespace

json share_json(const Share& share) { return {share.hits, share.total}; }

void add_truth(report::Sheet& sheet, const Evaluation& result, const model::LearnedModel& learned,
               const model::NoisyOrNetwork& truth, const std::vector<std::int32_t>& depths) {
  report::Section& section = sheet.section("", "Scores");
  section.sentences.push_back(fmt::format("{} of {} causes recovered, {} extra", result.recovered,
                                          result.n_true, result.extra.size()));
  section.data("true_causes", result.n_true)
      .data("learned_causes", result.n_learned)
      .data("min_prior", result.min_prior)
      .data("extra", result.extra.size())
      .data("learned_at_depth", result.learned_at_depth)
      .data("learned_at_structural_depth", count_of_depths(depths));
  section.tell("recovered", result.recovered, "causes recovered",
               of_text(result.recovered, result.n_true),
               fmt::format("each failure within a factor of e, learned prior at least {}",
                           report::short_number(result.min_prior)));
  add_likeness(section, result.likeness, learned.network, truth);
  add_edges(section, result);
  add_errors(section, result);
  add_coverage(section, result, learned, truth);
  if (!depths.empty()) section.show("learned causes", describe_depths(depths));
  add_matches(section, result, learned, truth, depths);
}

}  // namespace orrery::noisy_or
