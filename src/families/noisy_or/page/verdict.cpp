// What the page says below its headline: what the model achieves, and what to distrust, as far as
// that is known from a truth, from data, from resamples and from what the learner remarked.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "families/noisy_or/page/view.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "report/titles.hpp"

namespace orrery::noisy_or {
namespace {

using report::count_of;
using report::Verdict;

/// Chance leaves 0.3 % of pairs beyond 3 standard deviations; above this it is not chance.
constexpr double most_surprising = .01;
/// A cause that fewer resamples have again may be one of chance.
constexpr double least_stability = .5;
constexpr std::size_t most_named = 3;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void judge_by_truth(const View& view, Verdict& verdict) {
  const ReportInput& input = *view.input;
  if (input.evaluation == nullptr) return;
  const Outcome outcome = outcome_of(input);
  verdict.add_found(outcome.found, input.evaluation->n_true,
                    fmt::format("causes were {}", outcome.word));
  if (outcome.extra > 0) {
    verdict.doubts.push_back(fmt::format("{} of the learned ones: no true cause is like {}",
                                         count_of(outcome.extra, "cause"),
                                         outcome.extra == 1 ? "it" : "them"));
  }
}

/// Beside simpler models that were fitted to the same rows.
void judge_by_likelihood(const DataScores& scores, Verdict& verdict) {
  if (!scores.model) return;
  struct Simpler {
    const std::optional<double>& value;
    std::string predicts;
  };
  const Simpler simpler[] = {{scores.chow_liu, "a tree over the variables predicts"},
                             {scores.mixture, fmt::format("a mixture of {} of rows predicts",
                                                          count_of(scores.n_components, "kind"))},
                             {scores.independent, "independent variables predict"}};
  bool any = false;
  for (const auto& [value, predicts] : simpler) {
    if (!value) continue;
    any = true;
    if (*value <= *scores.model) continue;
    verdict.doubts.push_back(fmt::format("{} rows better, by {}{:.2f} nats per row", predicts,
                                         scores.exact ? "" : "at most ", *value - *scores.model));
    return;
  }
  if (any) verdict.achieved.emplace_back("It predicts rows better than the simpler models do");
}

void judge_by_data(const View& view, Verdict& verdict) {
  const DataScores* scores = view.input->scores;
  if (scores == nullptr) return;
  if (!scores->check.pairs.empty()) {
    const double share = share_surprising(scores->check.pairs);
    (share > most_surprising ? verdict.doubts : verdict.achieved)
        .push_back(fmt::format(
            "{} of the pairs of variables are more than {} standard deviations from what the model "
            "expects, where chance leaves 0.3 %",
            percent(share), surprising_z));
  }
  judge_by_likelihood(*scores, verdict);
  if (!scores->held_out) {
    verdict.doubts.emplace_back(
        "The data given are those that the model was learned from: rows kept apart judge it "
        "better");
  }
}

void judge_by_resamples(const View& view, Verdict& verdict) {
  const model::LearnedModel& model = *view.input->model;
  if (!has_stability(model) || model.stability.cause.empty()) return;
  std::string names;
  std::size_t n_unsure = 0;
  for (std::size_t k = 0; k < model.stability.cause.size(); ++k) {
    if (model.stability.cause[k] >= least_stability) continue;
    if (++n_unsure <= most_named) {
      names += (names.empty() ? "" : "; ") + report::shorten(view.titles[k], 60);
    }
  }
  if (n_unsure == 0) {
    verdict.achieved.push_back(
        fmt::format("Each cause is learned again in at least {} of {} resamples",
                    percent(std::ranges::min(model.stability.cause)), model.stability.resamples));
    return;
  }
  verdict.doubts.push_back(fmt::format(
      "{} learned again in fewer than half of {} resamples and may be of chance: {}{}",
      n_unsure == 1 ? "1 cause is" : fmt::format("{} causes are", format_count(n_unsure)),
      model.stability.resamples, names, n_unsure > most_named ? "; ..." : ""));
}

/// "0.8 % of the pairs of variables are ...", as the remarks of `quartet` word it; empty if the
/// remark does not say so.
std::string misfit_in(const std::string& remark) {
  const std::size_t of_pairs = remark.find(" % of the pairs of variables are more than ");
  if (of_pairs == std::string::npos) return "";
  const std::size_t before = remark.rfind(' ', of_pairs - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return remark.substr(begin, remark.find(": ", of_pairs) - begin);
}

/// `has_pairs`: data have been asked the same.
void judge_by_remarks(const std::vector<std::string>& remarks, bool has_pairs, Verdict& verdict) {
  std::size_t n_doubtful = 0;
  for (const std::string& remark : remarks) {
    const std::string misfit = misfit_in(remark);
    if (misfit.empty()) {
      ++n_doubtful;
    } else if (!has_pairs) {
      const bool fits = std::strtod(misfit.c_str(), nullptr) <= 100 * most_surprising;
      (fits ? verdict.achieved : verdict.doubts).push_back(misfit);
    }
  }
  verdict.add_remarks(n_doubtful);
}

void end_verdict(const model::LearnedModel& model, bool has_data, Verdict& verdict) {
  if (model.network.n_causes() == 0) verdict.doubts.emplace_back("No cause was found");
  if (has_data || model.learner.empty()) return;
  verdict.not_judged =
      "No rows were given to judge it by: `orrery report MODEL --data ROWS` says what of them the "
      "model does not predict";
}

}  // namespace

Verdict verdict_of(const View& view) {
  Verdict verdict;
  judge_by_truth(view, verdict);
  judge_by_data(view, verdict);
  judge_by_resamples(view, verdict);
  judge_by_remarks(view.input->model->remarks, view.input->scores != nullptr, verdict);
  end_verdict(*view.input->model, view.input->scores != nullptr, verdict);
  return verdict;
}

Verdict verdict_of(const AnchoredView& view) {
  Verdict verdict;
  if (view.input->scores != nullptr) {
    const AnchoredScores& scores = *view.input->scores;
    verdict.add_found(scores.n_common_edges, scores.n_true_edges, "edges among causes were found");
    verdict.add_wrong(scores.wrong.size(), "learned edge");
  }
  judge_by_remarks(view.learned->remarks, false, verdict);
  if (view.network().n_causes() == 0) verdict.doubts.emplace_back("There is no cause");
  if (view.input->scores == nullptr && !view.learned->learner.empty()) {
    verdict.not_judged = report::evaluate_it;
  }
  return verdict;
}

}  // namespace orrery::noisy_or
