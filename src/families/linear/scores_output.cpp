#include "families/linear/scores_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/printing.hpp"

namespace orrery::linear {
namespace {

using model::LinearNetwork;
using nlohmann::json;

json matches_json(const LinearScores& scores, const LinearNetwork& truth,
                  const LinearNetwork& learned) {
  json list = json::array();
  for (std::size_t t = 0; t < scores.partner.size(); ++t) {
    json match{{"true", truth.cause_names()[t]}, {"learned", nullptr}};
    if (scores.partner[t] >= 0) {
      match["learned"] = learned.cause_names()[static_cast<std::size_t>(scores.partner[t])];
      match["sign"] = scores.sign[t];
      match["cosine"] = scores.cosine[t];
    }
    list.push_back(std::move(match));
  }
  return list;
}

}  // namespace

json linear_scores_json(const LinearScores& scores, const LinearNetwork& truth,
                        const LinearNetwork& learned) {
  json object{{"true_causes", scores.n_true_causes},
              {"learned_causes", scores.n_learned_causes},
              {"matches", matches_json(scores, truth, learned)},
              {"true_edges", scores.n_true_edges},
              {"learned_edges", scores.n_learned_edges},
              {"common_edges", scores.n_common_edges},
              {"same_support", scores.same_support()},
              {"precision", scores.precision},
              {"recall", scores.recall},
              {"f1", scores.f1},
              {"loading_error", cli::finite_or_null(scores.loading_error)},
              {"largest_loading_error", cli::finite_or_null(scores.largest_error)},
              {"covariance_error", cli::finite_or_null(scores.covariance_error)},
              {"noise_error", cli::finite_or_null(scores.noise_error)}};
  if (scores.n_with_error > 0) object["coverage"] = {scores.n_covered, scores.n_with_error};
  if (scores.has_coupling) {
    object["coupling"] = {{"true_edges", scores.n_true_couplings},
                          {"learned_edges", scores.n_learned_couplings},
                          {"common_edges", scores.n_common_couplings},
                          {"largest_error", cli::finite_or_null(scores.coupling_error)}};
  }
  if (!scores.level_errors.empty()) {
    object["level_errors"] = json::array();
    for (const double error : scores.level_errors) {
      object["level_errors"].push_back(cli::finite_or_null(error));
    }
  }
  return object;
}

std::string describe_linear_scores(const LinearScores& scores) {
  const auto matched = static_cast<std::size_t>(
      std::ranges::count_if(scores.partner, [](std::int64_t partner) { return partner >= 0; }));
  std::string text = fmt::format(
      "{} of {} causes matched{}; {} of {} edges found, {} wrong{}\n", matched,
      scores.n_true_causes,
      scores.n_learned_causes > matched
          ? fmt::format(", {} learned besides", scores.n_learned_causes - matched)
          : "",
      scores.n_common_edges, scores.n_true_edges, scores.n_learned_edges - scores.n_common_edges,
      scores.same_support() ? ": the structure is exact" : "");
  text += fmt::format("precision {:.3f}, recall {:.3f}, F1 {:.3f}\n", scores.precision,
                      scores.recall, scores.f1);
  text += fmt::format(
      "loadings: relative error {:.3g} (Frobenius), none off by more than {:.3g}\n"
      "covariances of causes off by at most {:.3g}, noise variances by at most {:.3g}\n",
      scores.loading_error, scores.largest_error, scores.covariance_error, scores.noise_error);
  if (scores.n_with_error > 0) {
    text += fmt::format("true loadings inside the 95 % intervals: {} of {}\n", scores.n_covered,
                        scores.n_with_error);
  }
  if (scores.has_coupling) {
    text +=
        fmt::format("couplings: {} of {} found, {} wrong, none off by more than {:.3g}\n",
                    scores.n_common_couplings, scores.n_true_couplings,
                    scores.n_learned_couplings - scores.n_common_couplings, scores.coupling_error);
  }
  for (std::size_t level = 0; level < scores.level_errors.size(); ++level) {
    text += fmt::format("level {} above the causes: no loading off by more than {:.3g}\n",
                        level + 1, scores.level_errors[level]);
  }
  return text;
}

}  // namespace orrery::linear
