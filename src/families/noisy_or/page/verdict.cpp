// What the page says below its headline: what the model achieves, and what to distrust, as far as
// that is known from a truth, from data, from resamples and from what the learner found and
// remarked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
/// A simpler model that predicts rows better by less, in nats per row, is as good.
constexpr double least_lead = .005;
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

/// What predicts rows without hidden causes, and how well; NaN: not known.
struct Simpler {
  double log_likelihood;
  std::string predicts;
};

std::vector<Simpler> simpler_models(double tree, double mixture, std::size_t n_kinds,
                                    double independent) {
  return {{tree, "a tree over the variables predicts"},
          {mixture, fmt::format("a mixture of {} of rows predicts", count_of(n_kinds, "kind"))},
          {independent, "independent variables predict"}};
}

/// Beside simpler models that were fitted to the same rows.
void judge_beside(double network, bool is_exact, const std::vector<Simpler>& simpler,
                  Verdict& verdict) {
  bool any = false;
  for (const Simpler& other : simpler) {
    if (std::isnan(other.log_likelihood)) continue;
    any = true;
    if (other.log_likelihood - network < least_lead) continue;
    verdict.doubts.push_back(fmt::format("{} rows better, by {}{:.2f} nats per row", other.predicts,
                                         is_exact ? "" : "at most ",
                                         other.log_likelihood - network));
    return;
  }
  if (any)
    verdict.achieved.emplace_back("It predicts rows as well as the simpler models or better");
}

void judge_by_likelihood(const DataScores& scores, Verdict& verdict) {
  if (!scores.model) return;
  const auto known = [](const std::optional<double>& value) {
    return value.value_or(std::nan(""));
  };
  judge_beside(*scores.model, scores.exact,
               simpler_models(known(scores.chow_liu), known(scores.mixture), scores.n_components,
                              known(scores.independent)),
               verdict);
}

void judge_by_data(const View& view, Verdict& verdict) {
  const DataScores* scores = view.input->scores;
  if (scores == nullptr) return;
  if (!scores->check.pairs.empty()) {
    const double share = share_surprising(scores->check.pairs);
    (share > most_surprising ? verdict.doubts : verdict.achieved)
        .push_back(
            fmt::format("{} of the pairs of variables are off together more often or more rarely "
                        "than the model "
                        "expects, by more than {} standard deviations; chance makes it 0.3 %",
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

/// As the learner found with the rows that it learned from; `scores`: rows were given to judge by.
void judge_by_fit(const model::Fit& fit, const DataScores* scores, Verdict& verdict) {
  if (fit.empty()) return;
  if (scores == nullptr) {
    (fit.misfit > most_surprising ? verdict.doubts : verdict.achieved)
        .push_back(fmt::format(
            "{} of the pairs of variables are on together more often or more rarely than the model "
            "expects, by more than 3 standard errors; chance makes it 0.3 %",
            percent(fit.misfit)));
  }
  if (fit.n_held_out == 0 || (scores != nullptr && scores->mixture)) return;
  judge_beside(fit.network, true,
               simpler_models(fit.tree, fit.mixture, fit.n_kinds, fit.independent), verdict);
}

/// One remark of `quartet` on a network with causes tells how it fits: that has been judged.
void judge_by_remarks(const model::LearnedModel& model, Verdict& verdict) {
  const bool one_is_judged = !model.fit.empty() && model.network.n_causes() > 0;
  const std::size_t n_judged = one_is_judged ? 1 : 0;
  verdict.add_remarks(model.remarks.size() - std::min(model.remarks.size(), n_judged));
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
  judge_by_fit(view.input->model->fit, view.input->scores, verdict);
  judge_by_remarks(*view.input->model, verdict);
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
  judge_by_fit(view.learned->fit, nullptr, verdict);
  judge_by_remarks(*view.learned, verdict);
  if (view.network().n_causes() == 0) verdict.doubts.emplace_back("There is no cause");
  if (view.input->scores == nullptr && !view.learned->learner.empty()) {
    verdict.not_judged = report::evaluate_it;
  }
  return verdict;
}

}  // namespace orrery::noisy_or
