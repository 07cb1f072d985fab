#include "families/noisy_or/anchored_scores_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/printing.hpp"

namespace orrery::noisy_or {
namespace {

using model::NoisyOrNetwork;
using nlohmann::json;

constexpr std::size_t listed_cause_edges = 5;

const std::string& name_of(const NoisyOrNetwork& network, std::size_t cause) {
  return network.causes()[cause].name;
}

json edges_json(const NoisyOrNetwork& network, const std::vector<AnchoredScores::Ends>& edges) {
  json list = json::array();
  for (const auto& [a, b] : edges) list.push_back({name_of(network, a), name_of(network, b)});
  return list;
}

/// "  missing: a - b, c - d and 3 more"
std::string describe_edges(const char* which, const NoisyOrNetwork& network,
                           const std::vector<AnchoredScores::Ends>& edges) {
  if (edges.empty()) return "";
  std::string text = fmt::format("  {}: ", which);
  for (std::size_t e = 0; e < std::min(edges.size(), listed_cause_edges); ++e) {
    text += fmt::format("{}{} - {}", e > 0 ? ", " : "", name_of(network, edges[e][0]),
                        name_of(network, edges[e][1]));
  }
  if (edges.size() > listed_cause_edges) {
    text += fmt::format(" and {} more", edges.size() - listed_cause_edges);
  }
  return text + "\n";
}

std::size_t count_matched(const AnchoredScores& scores) {
  return static_cast<std::size_t>(
      std::ranges::count_if(scores.partner, [](std::int64_t l) { return l >= 0; }));
}

}  // namespace

json anchored_scores_json(const AnchoredScores& scores, const NoisyOrNetwork& truth,
                          const NoisyOrNetwork& learned) {
  json matches = json::array();
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    json match{{"true", name_of(truth, t)}, {"learned", nullptr}};
    if (scores.partner[t] >= 0) {
      match["learned"] = name_of(learned, static_cast<std::size_t>(scores.partner[t]));
    }
    matches.push_back(std::move(match));
  }
  json object{{"matches", std::move(matches)},
              {"matched_by", scores.by_name ? "name" : "loadings"},
              {"true_edges", scores.n_true_edges},
              {"learned_edges", scores.n_learned_edges},
              {"common_edges", scores.n_common_edges},
              {"precision", scores.precision},
              {"recall", scores.recall},
              {"f1", scores.f1},
              {"missing_edges", edges_json(truth, scores.missing)},
              {"wrong_edges", edges_json(learned, scores.wrong)},
              {"kl_from_truth", nullptr},
              {"observed", scores.n_observed},
              {"true_loadings", scores.n_true_loadings},
              {"median_failure_error", scores.median_failure_error},
              {"mean_failure_error", scores.mean_failure_error},
              {"max_failure_error", scores.max_failure_error},
              {"extra_loadings", scores.n_extra_loadings},
              {"mean_extra_strength", scores.mean_extra_strength},
              {"mean_leak_error", scores.mean_leak_error},
              {"max_leak_error", scores.max_leak_error},
              {"mean_prior_error", scores.mean_prior_error},
              {"max_prior_error", scores.max_prior_error}};
  if (scores.kl_from_truth) object["kl_from_truth"] = cli::finite_or_null(*scores.kl_from_truth);
  if (scores.n_with_error > 0) object["coverage"] = {scores.n_covered, scores.n_with_error};
  return object;
}

std::string describe_anchored_scores(const AnchoredScores& scores, const NoisyOrNetwork& truth,
                                     const NoisyOrNetwork& learned) {
  std::string text = fmt::format(
      "{} of {} causes matched by {}; {} of {} edges among causes found, {} wrong: precision "
      "{:.3f}, recall {:.3f}, F1 {:.3f}\n",
      count_matched(scores), scores.partner.size(), scores.by_name ? "name" : "their loadings",
      scores.n_common_edges, scores.n_true_edges, scores.wrong.size(), scores.precision,
      scores.recall, scores.f1);
  text += describe_edges("missing", truth, scores.missing);
  text += describe_edges("wrong", learned, scores.wrong);
  if (scores.kl_from_truth) {
    text += fmt::format("  divergence of the causes' distribution from the true one {:.4g} nats\n",
                        *scores.kl_from_truth);
  }
  text += fmt::format(
      "{} failures of {} variables: median error {:.4f}, mean {:.4f}, largest {:.4f}; {} extra "
      "edge{}{}\n",
      scores.n_true_loadings, scores.n_observed, scores.median_failure_error,
      scores.mean_failure_error, scores.max_failure_error, scores.n_extra_loadings,
      scores.n_extra_loadings == 1 ? "" : "s",
      scores.n_extra_loadings == 0
          ? ""
          : fmt::format(", 1 - failure {:.4f} on average", scores.mean_extra_strength));
  text += fmt::format("leaks: mean error {:.4f}, largest {:.4f}; priors: {:.4f}, {:.4f}\n",
                      scores.mean_leak_error, scores.max_leak_error, scores.mean_prior_error,
                      scores.max_prior_error);
  if (scores.n_with_error > 0) {
    text += fmt::format("true parameters inside the 95 % intervals: {} of {}\n", scores.n_covered,
                        scores.n_with_error);
  }
  return text;
}

}  // namespace orrery::noisy_or
