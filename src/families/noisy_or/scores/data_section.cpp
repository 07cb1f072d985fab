// What samples say of the model: likelihoods beside those of the baselines, and the patterns that
// the model predicts worst.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/progress.hpp"
#include "families/noisy_or/scores/predictive_check.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

constexpr std::size_t worst_in_text = 5;
constexpr std::size_t worst_on_page = 10;
constexpr std::size_t worst_in_json = 20;

void add_patterns(report::Section& section, const char* what, std::span<const PatternCheck> checks,
                  const model::NoisyOrNetwork& network) {
  const double share = share_surprising(checks);
  const std::string key = fmt::format("predictive_check/{}", what);
  section.data(key + "/checked", checks.size()).data(key + "/surprising", share);
  report::Table& table = section.table(
      key + "/worst", fmt::format("Worst {}", what),
      fmt::format("{:.1f} % of {} {} are beyond {} standard deviations of what the model expects; "
                  "rows in which all of them are off",
                  100 * share, format_count(checks.size()), what, surprising_z));
  table.most_shown = worst_in_text;
  table.most_on_page = worst_on_page;
  for (const PatternCheck& check : checks.first(std::min(checks.size(), worst_in_json))) {
    std::vector<std::string> names;
    for (const std::uint32_t a : check.variables) names.push_back(network.observed()[a].name);
    report::Record& row = table.row();
    row.tell("variables", names, "variables", fmt::format("{}", fmt::join(names, " ")));
    row.tell("observed", check.observed, "counted", format_count(check.observed));
    row.tell("rows", check.n_rows, "of rows", format_count(check.n_rows));
    row.tell("expected", check.expected, "expected", fmt::format("{:.1f}", check.expected));
    row.tell("z", check.z, "z", fmt::format("{:+.1f}", check.z));
  }
}

void add_likelihoods(report::Section& section, const DataScores& scores) {
  const auto tell = [&](const char* key, const std::optional<double>& value, const char* label,
                        const std::string& note) {
    if (!value) return;
    section.tell(key, report::finite_or_null(*value), label,
                 std::isfinite(*value) ? fmt::format("{:.4f}", *value) : "-infinity", note);
  };
  const std::string trained =
      fmt::format("fitted to {}", report::count_of(scores.n_train, "training row"));
  tell("log_likelihood", scores.model, "this model", "");
  tell("true_log_likelihood", scores.truth, "true network", "");
  tell("chow_liu_log_likelihood", scores.chow_liu, "Chow-Liu tree",
       "the best tree without hidden causes, " + trained);
  tell("mixture_log_likelihood", scores.mixture, "mixture",
       fmt::format("{} of rows, the variables independent in each, {}",
                   report::count_of(scores.n_components, "kind"), trained));
  tell("independent_log_likelihood", scores.independent, "independent variables", trained);
  if (scores.mixture) section.data("mixture_components", scores.n_components);
  if (scores.n_train > 0) section.data("train_rows", scores.n_train);
}

}  // namespace

void add_data(report::Sheet& sheet, const DataScores& scores,
              const model::NoisyOrNetwork& network) {
  report::Section& section = sheet.section("", "Likelihood");
  section.data("rows", scores.n_samples).data("held_out", scores.held_out);
  if (scores.model || scores.truth || scores.chow_liu) {
    section.sentences.push_back(fmt::format(
        "Mean log-likelihood per row in nats, over {}{}", report::count_of(scores.n_samples, "row"),
        scores.held_out ? "" : " that the model was learned from"));
  }
  add_likelihoods(section, scores);
  add_patterns(section, "pairs", scores.check.pairs, network);
  add_patterns(section, "triples", scores.check.triples, network);
}

}  // namespace orrery::noisy_or
