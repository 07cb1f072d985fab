#include "families/noisy_or/anchored_data_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"

namespace orrery::noisy_or {
namespace {

using nlohmann::json;

json likelihood_json(const AnchoredLikelihood& likelihood) {
  return {{"log_likelihood", cli::finite_or_null(likelihood.mean)},
          {"out_of_reach", likelihood.n_out_of_reach},
          {"impossible", likelihood.n_impossible}};
}

std::string count_rows(std::uint64_t n) {
  return fmt::format("{} row{}", format_count(n), n == 1 ? "" : "s");
}

std::string describe_likelihood(const AnchoredLikelihood& likelihood) {
  if (likelihood.n_out_of_reach > 0) {
    return fmt::format("out of reach, {} too dense for an exact sum,",
                       count_rows(likelihood.n_out_of_reach));
  }
  return fmt::format("{:.4f} nats", likelihood.mean);
}

}  // namespace

json anchored_data_json(const AnchoredDataScores& scores) {
  json object = likelihood_json(scores.model);
  object["rows"] = scores.model.n_rows;
  object["held_out"] = scores.held_out;
  if (scores.truth) object["truth"] = likelihood_json(*scores.truth);
  return object;
}

std::string describe_anchored_data(const AnchoredDataScores& scores) {
  std::string text = fmt::format("log-likelihood a row: {} over {}{}\n",
                                 describe_likelihood(scores.model), count_rows(scores.model.n_rows),
                                 scores.held_out ? "" : ", those it was learned from");
  if (!scores.truth) return text;
  return text + fmt::format("  true network {}\n", describe_likelihood(*scores.truth));
}

json label_scores_json(const LabelScores& scores) {
  json object{{"rows", scores.model.n_rows},
              {"impossible", scores.model.n_impossible},
              {"log_likelihood", cli::finite_or_null(scores.model.mean)},
              {"floor", scores.floor},
              {"floored_log_likelihood", scores.floored},
              {"independent_log_likelihood", scores.independent}};
  if (scores.truth) object["true_log_likelihood"] = cli::finite_or_null(*scores.truth);
  return object;
}

std::string describe_label_scores(const LabelScores& scores) {
  std::string text =
      fmt::format("log-likelihood of the true causes a row: {:.4f} nats over {}{}\n",
                  scores.model.mean, count_rows(scores.model.n_rows),
                  scores.truth ? fmt::format(" (true network {:.4f})", *scores.truth) : "");
  if (scores.model.n_impossible > 0) {
    text +=
        fmt::format("  the model rules out {} of them\n", format_count(scores.model.n_impossible));
  }
  return text + fmt::format(
                    "  no probability nearer to 0 or 1 than {:.2g}: {:.4f}; so and without edges: "
                    "{:.4f}\n",
                    scores.floor, scores.floored, scores.independent);
}

}  // namespace orrery::noisy_or
